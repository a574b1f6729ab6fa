# check --fix repairs files in place and keeps the text around programs; standard input is repaired to standard output
cat > leaked.jaxpr <<'X'
# traced at noon

{ lambda ; a:i64[]. let
    _:i64[] b:f64[OutDBIdx(val=0)] = quantum_kernel[
      call_jaxpr={ lambda ; c:i64[]. let
          d:i64[] = add c 1:i64[]
          e:f64[d] = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 1.0:f64[] d
        in (d, e) }
      pipelines=(('main', ()),)
      qnode=f
    ] a
  in (b,) }

# and a second one, with nothing wrong
{ lambda ; x:f32[3]. let y:f32[3] = sin x in (y,) }
X
"$JAXPR" check --format=gcc leaked.jaxpr
"$JAXPR" check --fix --format=gcc leaked.jaxpr
echo "exit $?"
cat leaked.jaxpr
echo "-- nothing to do: not written"
touch -d 2001-01-01 leaked.jaxpr
"$JAXPR" check --fix leaked.jaxpr
find . -name leaked.jaxpr -newermt 2002-01-01
echo "-- comments after the last program stay as they are"
printf '{ lambda ; a:f32[3]. let b = sin a in (b,) } # one\n# two\n{ lambda ; a:f32[3]. let b = sin a in (b,) } # three\n# four\n' > comments.jaxpr
"$JAXPR" check --fix comments.jaxpr
cat comments.jaxpr
echo "-- what cannot be repaired stays, and is reported"
printf '{ lambda ; a:f32[3] b:f32[4]. let c:f32[3] = add a b in (c,) }\n' > wrong.jaxpr
cp wrong.jaxpr before.jaxpr
"$JAXPR" check --fix --format=gcc wrong.jaxpr
cmp wrong.jaxpr before.jaxpr
printf '{ lambda ; a:f32[3] b:f32[4]. let c = sin a; d:f32[3] = add a b in (c, d) }\n' | "$JAXPR" check --fix --format=gcc
