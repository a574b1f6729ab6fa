# equations that signal, wait, or read and write a ref at once are neither eliminated nor reordered
program() {
    printf '{ lambda ; a:MemRef<semaphore_mem>{sem[]} b:Ref{f32[8]}. let\n'
    for each; do
        case $each in
        signal) echo '    semaphore_signal[args_tree=1] a 1:i32[]' ;;
        wait) echo '    semaphore_wait[args_tree=1] a 1:i32[]' ;;
        *) echo "    _:f32[] = atomic_rmw[args_tree=x atomic_type=AtomicOpType.$each] b 0:i32[] 1.0:f32[]" ;;
        esac
    done
    echo '  in () }'
}
for pair in 'signal wait' 'ADD MAX'; do
    set -- $pair
    program $1 $2 > a
    program $2 $1 > b
    program $1 > c
    for options in '' --dce --commute; do
        "$JAXPR" eq -q $options a b 2>/dev/null
        echo "$1 $2 $options: $?"
        "$JAXPR" eq -q $options a c 2>/dev/null
        echo "$1 $options: $?"
    done
done
