# the canonical form is its own canonical form, also of a program whose sizes and names make no sense
n=0
settle() {
    n=$((n + 1))
    cat > program
    "$JAXPR" norm program > once && "$JAXPR" norm once > twice && cmp once twice
    "$JAXPR" hash program once | cut -d' ' -f1 | uniq | wc -l
    cat once
}
echo "# what an equation gives is an expression"
settle <<'P'
{ lambda ; i:f64[2]. let
    h:f64[DBIdx(1)] = sin i
    k:i32[h,h] = add h h
    y:f64[k] = broadcast_in_dim[broadcast_dimensions=() shape=(ba + 1,)] 0.5
  in () }
P
echo "# a size with the name of what is not an integer"
settle <<'P'
{ lambda ; i:Ref{i32[i]} n:f32[i] l:f32[]. let
    n[0] += l
  in (n,) }
P
echo "# a name that some printers give to what is used"
settle <<'P'
{ lambda ; _:i32[g*c]. let
    q:f32[] = add _
    k:f64[_,q] <- _[...]
    a:i32[] = neg _
  in () }
P
echo "# a constant that rises, with its sizes; references that count arguments"
settle <<'P'
{ lambda ; c:i64[]. let
    v:i32[] = neg c
    b:f64[e] = jit[name=f jaxpr={ lambda g:f32[f,1] ; v:i32[zz]. let in (g,) }] v
  in (b,) }
P
settle <<'P'
{ lambda ; c:f32[DBIdx(0),y] d:f32[]. let in (d, c) }
P
echo "# an array is not a size, whatever a rule computes"
settle <<'P'
{ lambda ; e:f64[d]. let
    h:f64[f] = broadcast_in_dim[shape=(None,)] 1.0 e
    g:f64[3] = iota[dimension=0 dtype=float64 shape=(None,)] e
    b:i64[] l:f64[b,g] = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 1.0 h
  in (g,) }
P
echo "# the canonical form omits what shows the version; a parameter that only this version requires determines no size"
settle <<'P'
{ lambda ; d:i64[]. let
    b:f64[i] = broadcast_in_dim[shape=(None,)] 1.0 d
    g:f64[h] = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 1.0 d
    h:Ref{f64[b,c]} e:Ref{f64[e]} = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 1.0 d
  in (g,) }
P
