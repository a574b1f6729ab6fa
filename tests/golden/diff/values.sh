# long values are broken over lines, and what differs in them is marked; a literal shows its shortest spelling
branches() {
    printf '{ lambda ; a:bool[] b:f64[]. let\n    c:f64[] = for_loop[apply_reverse_transform=False body=('
    printf '{ lambda ; d:i64[] e:f64[]. let f:f64[] = mul e 2.0:f64[]; g:f64[] = %s f; h:f64[] = add g 1.0:f64[]; ' "$1"
    printf 'i:f64[] = sub h 3.0:f64[]; j:f64[] = div i 4.0:f64[]; k:f64[] = neg j; l:f64[] = exp k; m:f64[] = %s l in (m,) }) ' "$2"
    printf 'note=%s] a b\n  in (c,) }\n' "$3"
}
many='(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29'
branches sin log "$many, 30)" > a
branches cos log "$many, 31, 32)" > b
"$JAXPR" diff --context=0 a b
"$JAXPR" diff --color=always a b | grep '\['
# a program that only one side has
one='{ lambda ; a:f32[4]. let b:f32[4] = sin a in (b,) }'
two='{ lambda ; a:f32[4]. let b:f32[4] = cos a; c:f32[4] = exp b; d:f32[4] = tan c; e:f32[4] = neg d in (e,) }'
printf '{ lambda ; i:i32[] a:f32[4]. let b:f32[4] = cond[branches=(%s %s)] i a in (b,) }\n' "$one" "$one" > a
printf '{ lambda ; i:i32[] a:f32[4]. let b:f32[4] = cond[branches=(%s %s %s)] i a in (b,) }\n' "$one" "$one" "$two" > b
"$JAXPR" diff a b
cat > a <<'X'
{ lambda ; a:f32[4] b:bf16[4]. let
    c:f32[4] = add a 9.999999974752427e-07:f32[]
    d:bf16[4] = mul b 0.10009765625:bf16[]
    e:f32[4] = max c 0.0:f32[]
    f:i32[] = add 1:i32[] 2:i32[]
  in (e, d, f, 0.30000001192092896:f32[]) }
X
cat > b <<'X'
{ lambda ; a:f32[4] b:bf16[4]. let
    c:f32[4] = add a 9.999999747378752e-06:f32[]
    d:bf16[4] = mul b 0.2001953125:bf16[]
    e:f32[4] = max c 0.5:f32[]
    f:i32[] = add 1:i32[] 3:i32[]
  in (e, d, f, 0.4000000059604645:f32[]) }
X
"$JAXPR" diff --context=0 a b
