# a value that its parameter cannot have: every verb warns, and if the text was repaired, verbs that rewrite or compare
# refuse the program unless --force is given; a missing parameter: every verb warns once
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
cat > lacking.jaxpr <<'END'
{ lambda ; a:f32[2,3] b:f32[3,2]. let
    c:f32[] = reduce_sum[out_sharding=None] a  # all of it
    d:f32[] = reduce_sum[] b
    e:f32[] = reduce_sum b
    f:f32[] = reduce_max[axs=(0, 1) out_sharding=None] b
    g:f32[3,2] = while[
      body_jaxpr={ lambda ; h:f32[3,2]. let in (h,) }
      cond_jaxpr={ lambda ; i:f32[3,2]. let in (True:bool[],) }
    ] b
  in (c, d, e, f, g) }
END
for verb in 'fmt' 'fmt -l' 'norm' 'norm -p dce' 'norm -p repair' 'hash' 'dups' 'eq repaired.jaxpr' 'diff repaired.jaxpr' \
    'stats' 'json' 'sig'; do
    for force in '' --force; do
        for file in kept repaired lacking; do
            case "$force $verb" in --force*stats | --force*json | --force*sig) continue ;; esac
            # shellcheck disable=SC2086
            "$JAXPR" $verb $force $file.jaxpr > out 2> err
            echo "$verb $force $file: $? $(wc -c < out) $(grep -c '\[S023' err) errors, $(grep -c '\[T010' err) warnings"
        done
    done
done
