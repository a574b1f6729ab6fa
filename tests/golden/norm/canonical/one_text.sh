# equal programs have one text: unused results are `_`, also beside refs; whole refs are `[...]`; numbers have their
# type where nothing else gives it; and programs inside of parameter values are normalized like the rest
text() {
    "$JAXPR" norm old > one && "$JAXPR" norm new > two && cmp one two && cat one
    "$JAXPR" norm one | cmp - one
}
cat > old <<'P'
{ lambda ; a:Ref{float32[4]} b:f32[4] c:Ref{f32[]}. let
    d:f32[4] = sin b
    e:f32[4] <- a[:]
    f:f32[4] = add e b
    a[:] <- f
    g:f32[4], a[:] <- a[:], b
    h:f32[] <- c[]
    i:f32[2] = dynamic_slice[slice_sizes=(2,)] b 1
  in (h, i, 3) }
P
cat > new <<'P'
{ lambda ; a:Ref{f32[4]} b:f32[4] c:Ref{f32[]}. let
    d:f32[4] <- a[...]
    e:f32[4] = add d b
    _:f32[4], a[...] <- a[...], e
    a[...] <- b
    f:f32[] <- c[...]
    _:f32[4] = sin b
    g:f32[2] = dynamic_slice[slice_sizes=(2,)] b 1:i32[]
  in (f, g, 3:i32[]) }
P
text
cat > old <<'P'
{ lambda ; a:f32[4]. let
    b:f32[4] = custom_linear_solve[
      const_lengths=_LinearSolveTuple(matvec=0, vecmat=0, solve=0, transpose_solve=0)
      jaxprs=_LinearSolveTuple(matvec={ lambda ; c:f32[4]. let
    d:f32[4] = cos c
    e:f32[4] = pjit[name=half jaxpr={ lambda ; f:f32[4]. let g:f32[4] = mul f 0.5 in (g,) }] c
  in (e,) }, vecmat=None, solve={ lambda ; c:f32[4]. let d:f32[4] = div c 0.5 in (d,) }, transpose_solve=None)
    ] a
  in (b,) }
P
cat > new <<'P'
{ lambda ; a:f32[4]. let
    b:f32[4] = custom_linear_solve[
      const_lengths=_LinearSolveTuple(matvec=0, vecmat=0, solve=0, transpose_solve=0)
      jaxprs=_LinearSolveTuple(matvec={ lambda ; c:f32[4]. let
    d:f32[4] = jit[name=half jaxpr={ lambda ; e:f32[4]. let f:f32[4] = mul e 0.5:f32[] in (f,) }] c
    _:f32[4] = cos c
  in (d,) }, vecmat=None, solve={ lambda ; c:f32[4]. let d:f32[4] = div c 0.5:f32[] in (d,) }, transpose_solve=None)
    ] a
  in (b,) }
P
text
