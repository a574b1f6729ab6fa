# equations that were paired and separated again are not used to pair their neighbours
cat > a <<'X'
{ lambda ; a:f32[] b:f32[] c:f32[] d:f32[] e:f32[] f:f32[] g:f32[]. let
    h:f32[] = sin d
    i:f32[] = mul h 0.0:f32[]
    j:f32[] = sin b
    k:f32[] = mul j 0.0:f32[]
    l:f32[] = sin e
    m:f32[] = mul l 0.0:f32[]
    n:f32[] = sin c
    o:f32[] = mul n 0.0:f32[]
    p:f32[] = cos g
    q:f32[] = mul p 0.0:f32[]
    r:f32[] = cos f
    s:f32[] = mul r 0.0:f32[]
  in (k, o, i, m, q, s) }
X
cat > b <<'X'
{ lambda ; a:f32[] b:f32[] c:f32[] d:f32[] e:f32[] f:f32[]. let
    g:f32[] = sin c
    h:f32[] = mul g 0.0:f32[]
    i:f32[] = sin a
    j:f32[] = mul i 0.0:f32[]
    k:f32[] = sin d
    l:f32[] = mul k 0.0:f32[]
    m:f32[] = sin b
    n:f32[] = mul m 0.0:f32[]
    o:f32[] = cos f
    p:f32[] = mul o 0.0:f32[]
    q:f32[] = cos e
    r:f32[] = mul q 0.0:f32[]
  in (j, n, h, l, p, r) }
X
"$JAXPR" diff a b
