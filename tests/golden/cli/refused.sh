# a value that its parameter cannot hold: every verb warns, and where the text was repaired, those that rewrite or
# compare refuse the program unless --force is given
cat > kept.jaxpr <<'END'
{ lambda ; a:f32[2,3]. let
    b:f32[2] = reduce_sum[axes=columns out_sharding=None] a
  in (b,) }
END
cat > repaired.jaxpr <<'END'
{ lambda ; a:f32[2,3]. let
    b:f32[2] = reduce_sum[
      axes=columns  # of which there are 3
      out_sharding=None
    ] a
  in (b,) }
END
for verb in 'fmt' 'fmt -l' 'norm' 'norm -p dce' 'norm -p repair' 'hash' 'dups' 'eq repaired.jaxpr' 'diff repaired.jaxpr' \
    'stats' 'json' 'sig'; do
    for force in '' --force; do
        for file in kept repaired; do
            case "$force $verb" in --force*stats | --force*json | --force*sig) continue ;; esac
            # shellcheck disable=SC2086
            "$JAXPR" $verb $force $file.jaxpr > out 2> err
            echo "$verb $force $file: $? $(wc -c < out) $(grep -c '\[S023' err) errors, $(grep -c '\[T010' err) warnings"
        done
    done
done
