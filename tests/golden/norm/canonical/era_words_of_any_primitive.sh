# values that versions print in other words, such as fft_type, are the same for a primitive that is not JAX's own
cat > own <<'P'
{ lambda ; a:c128[8]. let
    b:c128[8] = fft_wrapper[fft_type=jaxlib.xla_extension.FftType.IFFT n=3] a
  in (b,) }
P
for era in 0.4.28 0.7.1 0.12.0; do
    "$JAXPR" norm -q --era=$era own | tee $era
done
"$JAXPR" hash -q own 0.4.28 0.7.1 0.12.0 | cut -d' ' -f1 | uniq | wc -l
