# scans that differ in a wrong count are different programs, each with a digest
for carry in -1 -2 0; do
    cat > a <<END
{ lambda ; a:f32[5]. let
    b:f32[5] = scan[
      _split_transpose=False
      jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
      length=5
      linear=(False,)
      num_carry=$carry
      num_consts=0
      reverse=False
      unroll=1
    ] a
  in (b,) }
END
    "$JAXPR" hash a
done
