# values of older versions are parts of those that were read, which stay where they are while more are added
{
    echo '{ lambda ; a:f32[8]. let'
    for i in 1 2 3 4 5 6 7 8; do
        echo "    b$i:f32[8] = device_put[devices=(NamedSharding(mesh=Mesh('x': $i, axis_types=(Auto,)), spec=P('x',)),) srcs=(None,)] a"
    done
    echo '  in (b8,) }'
} > many
"$JAXPR" norm -q --era=0.4.28 many | tee once
"$JAXPR" norm -q --era=0.4.28 once | cmp - once
