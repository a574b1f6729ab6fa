cat > a.jaxpr << 'END'
{ lambda ; a:f32[]. let
    b:f32[] = jit[name=f jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }] a
    e:f32[] = jit[name=g jaxpr={ lambda ; c:f32[]. let d:f32[] = cos c in (d,) }] b
  in (e,) }
END
"$JAXPR" hash --per-function a.jaxpr | tee list | sed 's/:[0-9a-f]\{64\}//'
"$JAXPR" hash -c list && echo "status $?"
# functions are found by name, whichever line they are on
sed -i '1s/^/\n\n/; s/sin/tan/' a.jaxpr
"$JAXPR" hash -c list || echo "status $?"
"$JAXPR" hash -c -q list || echo "status $?"
# options that change digests must be given again
"$JAXPR" hash --per-function --ignore-names --dce a.jaxpr > list
"$JAXPR" hash -c --ignore-names --dce list
# no such function, no such file
sed 's/ g$/ h/; s/ f$//' list > other
"$JAXPR" hash -c --ignore-names --dce other || echo "status $?"
sed -i 's/a\.jaxpr:/b.jaxpr:/' other
"$JAXPR" hash -c other || echo "status $?"
# a file that has the name of a function
cp a.jaxpr 'a.jaxpr:2 f'
"$JAXPR" hash 'a.jaxpr:2 f' | "$JAXPR" hash -c
