# Between binders, equations and results a separator, or what it separates, was lost or added.
while read -r text; do
    printf '%s\n' "$text" | "$JAXPR" check
done <<'END'
{ lambda ; a:f32[4], b:f32[4]. let in (a, b) }
{ lambda , a:f32[4]. let in (a,) }
{ lambda ; , a:f32[4]. let in (a,) }
{ lambda ; a:f32[4],, b:f32[4]. let in (a, b) }
{ lambda a:f32[4], ; b:f32[4]. let in (a, b) }
{ lambda ; a:f32[4] , . let in (a,) }
{ lambda ; ; a:f32[4]. let in (a,) }
{ lambda ; a ; b. let in (a, b) }
{ lambda ; a:f32[4]. let ; b:f32[4] = neg a in (b,) }
{ lambda ; a:f32[4]. let b:f32[4] = neg a;; c:f32[4] = neg b in (c,) }
{ lambda ; a:f32[4] b:Ref{f32[4]}. let b[...] <- a ; c:f32[4] = neg a in (c,) }
{ lambda ; a:f32[4]. let in [a,) }
{ lambda ; a:f32[4]. let in (a) }
{ lambda ; a:f32[4]. let in ( a ) }
END
