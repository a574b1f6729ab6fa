# --fix replaces a program with the comments above it, not what earlier programs and the text between contain
printf '%s\n' '# first' '{ lambda ; a:f32[]. let' '    # inside' '    b:f32[] = sin a' '  in (b,) } # after' '# apart' 'some text' \
    '# above' '{ lambda ; a:u8[7] b:u8[7]. let c = ge a b in (c,) } # end' '{ lambda ; a:f32[]. let # head' \
    '    b:f32[] = sin a' '  in (b,) }' '' '{ lambda ; a:u8[7] b:u8[7]. let c = ge a b in (c,) }' > text
cp text before
"$JAXPR" check -q --fix text
diff before text
