# collapse beside a pass that adds types or sizes rewrites no program that would get an error other than unbound sizes
try() {
    echo "# norm -p $1"
    "$JAXPR" norm -p "$1" -
}
try annotate,collapse <<'END'
{ lambda ; a:bool[] b:i64[] c:f64[b]. let
    d = cond[
      branch_jaxprs=[
        { lambda ; a:i64[] b. let  in (b,) },
        { lambda ; a:i64[] b:f64[a]. let c:f64[3] = mystery b in (c,) }]
      nimplicit_outputs=0
    ] a b c
  in (d,) }
END
try annotate,collapse <<'END'
{ lambda ; a:i64[] b:f64[a] c:i64[] d:f64[c]. let e = sin b; f = mul a 2 in (d, e, f) }
END
