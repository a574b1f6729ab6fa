# Parameters that JAX's printing rule for jit hides and custom_pp_eqn_rules=False shows; constants, and arguments in
# their place, also in a nested program
cat > plain <<'END'
{ lambda a:f32[2]; b:f32[2]. let
    c:f32[2] = jit[
      name=f
      jaxpr={ lambda d:f32[2]; e:f32[2]. let f:f32[2] = add d e in (f,) }
    ] b
    g:f32[2] = mul c a
  in (g,) }
END
cat > whole <<'END'
{ lambda a:f32[2]; b:f32[2]. let
    c:f32[2] = jit[
      compiler_options_kvs=()
      ctx_mesh=AbstractMesh(())
      donated_invars=(False,)
      in_layouts=(None,)
      in_shardings=(UnspecifiedValue,)
      inline=Inline.JAX_LATE
      jaxpr={ lambda d:f32[2]; e:f32[2]. let f:f32[2] = add d e in (f,) }
      keep_unused=False
      name=f
      out_layouts=(None,)
      out_shardings=(UnspecifiedValue,)
    ] b
    g:f32[2] = mul c a
  in (g,) }
END
"$JAXPR" eq plain whole && echo same
"$JAXPR" norm -p constants plain > closed
"$JAXPR" eq plain closed && echo same
"$JAXPR" diff plain closed && echo same
