# an index is not part of a type, nor are the number of a device and that after `#` in a name: programs that differ in
# these are not copies of one
cat > printed <<'P'
let f = { lambda ; a:Ref{f32[2,4]} b:f32[4]. let
    one[jaxpr={ lambda ; c:Ref{f32[2,4]} d:f32[4]. let c[0:1,:] <- d in () }] a b
    one[jaxpr={ lambda ; c:Ref{f32[2,4]} d:f32[4]. let c[0,:] <- d in () }] a b
    two[jaxpr={ lambda ; c:Ref{f32[2,4]} d:f32[4]. let foo[at=cpu:0] c d in () }] a b
    two[jaxpr={ lambda ; c:Ref{f32[2,4]} d:f32[4]. let foo[at=cpu] c d in () }] a b
    six[jaxpr={ lambda ; c:Ref{f32[2,4]} d:f32[4]. let foo[name=x#1] c d in () }] a b
    six[jaxpr={ lambda ; c:Ref{f32[2,4]} d:f32[4]. let foo[name=x] c d in () }] a b
  in () } in
{ lambda ; a:Ref{f32[2,4]} b:f32[4]. let
    pjit[name=f jaxpr=f] a b
    pjit[name=f jaxpr=f] a b
  in () }
P
"$JAXPR" norm -q -p inline printed | grep -E 'foo|<-'
