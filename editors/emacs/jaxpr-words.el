;;; jaxpr-words.el --- words of Jaxpr text  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0
;; made by editors/generate from grammar/: do not edit

;;; Code:

(defconst jaxpr-primitives
  '("Einsum" "Frexp" "Ldexp" "Nonzero" "SearchSorted" "_copysign" "abs" "accum_grad_in_ref" "acos" "acosh" "add"
    "add_any" "add_dependency" "addupdate" "after_all" "all_gather" "all_gather_done" "all_gather_invariant"
    "all_gather_reduced" "all_gather_reduced_start" "all_gather_start" "all_reduce_ffs" "all_reduce_population_count"
    "all_to_all" "all_to_all_done" "all_to_all_start" "allocate" "and" "apply_registered_pass" "approx_top_k" "argmax"
    "argmin" "array_ref" "asin" "asinh" "assert" "assert_consumed_value" "assume_for_verification"
    "async_copy_scales_to_tmem" "async_copy_smem_to_tmem" "async_copy_sparse_metadata_to_tmem" "async_load"
    "async_prefetch" "async_store_smem" "async_store_tmem" "atan" "atan2" "atanh" "atomic_cas" "atomic_rmw"
    "axis_index" "barrier" "barrier_arrive" "barrier_arrive_and_wait" "barrier_test" "barrier_wait" "bcoo_dot_general"
    "bcoo_dot_general_sampled" "bcoo_extract" "bcoo_fromdense" "bcoo_sort_indices" "bcoo_spdot_general"
    "bcoo_sum_duplicates" "bcoo_todense" "bcoo_todense_p" "bcoo_transpose" "bcsr_dot_general" "bcsr_extract"
    "bcsr_fromdense" "bcsr_todense" "bessel_i0e" "bessel_i1e" "bias_bwd" "bias_fwd" "bitcast" "bitcast_convert_type"
    "box_get" "box_set" "broadcast" "broadcast_in_dim" "broadcast_to" "broadcasted_iota" "buffer_callback"
    "call_exported" "call_hi_primitive" "call_hi_primitive_linearized" "cbrt" "ceil" "check" "cholesky"
    "cholesky_update" "clamp" "classicalshadow_wires" "clz" "commit_group" "commit_smem" "commit_tmem" "compbasis"
    "complex" "concatenate" "conj" "consume" "conv" "conv_general_dilated" "convert_element_type" "coo_fromdense"
    "coo_matmat" "coo_matmul_p" "coo_matvec" "coo_spmm" "coo_spmv" "coo_todense" "copy" "copy_gmem_to_smem"
    "copy_smem_to_gmem" "cos" "cosh" "counts" "counts_mcm" "counts_obs" "counts_wires" "create_linear" "create_token"
    "csr_fromdense" "csr_matmat" "csr_matvec" "csr_spmm" "csr_spmv" "csr_todense" "cumlogsumexp" "cummax" "cummin"
    "cumprod" "cumsum" "custom_lin" "dce_sink" "deallocate" "debug_barrier" "debug_barrier_p" "debug_callback"
    "debug_print" "delay" "density_matrix_wires" "device_init" "device_put" "device_release" "digamma" "dim_as_value"
    "dimension_size" "div" "dma_start" "dma_wait" "dot_general" "dot_product_attention_fp8_bwd"
    "dot_product_attention_fp8_bwd_wrapper" "dot_product_attention_fp8_fwd" "dot_product_attention_fp8_fwd_wrapper"
    "dynamic_slice" "dynamic_update_slice" "effects_barrier" "eig" "eigh" "eigh_jacobi" "einshape_lo"
    "elementwise_inline_asm" "elementwise_inline_asm_p" "empty" "empty2" "empty_ref" "eq" "eq_to" "erf" "erf_inv"
    "erfc" "exp" "exp2" "expm1" "expval" "expval_mcm" "expval_obs" "expval_wires" "ffi_call" "fft" "floor" "free_ref"
    "freeze" "from_edtype" "full_to_shard" "gather" "ge" "geqp3" "geqrf" "get" "get_barrier_semaphore" "get_global"
    "global_array_to_host_local_array" "global_phase" "gphase" "griddepcontrol_launch_dependents"
    "griddepcontrol_wait" "gt" "hamiltonian" "has_memory_space" "hermitian" "hessenberg"
    "host_local_array_to_global_array" "householder_product" "id_tap_dep" "igamma" "igamma_grad_a" "igammac" "imag"
    "infeed" "inline_mgpu" "inline_mgpu_p" "inspect_sharding" "integer_pow" "io_callback" "iota" "iota_2x32_shape"
    "iota_32x2_shape" "is_finite" "layout_cast" "layout_constraint" "le" "le_to" "lgamma" "linear_solve" "load" "log"
    "log1p" "log2" "log_extend" "log_read" "logistic" "lt" "lt_to" "lu" "lu_pivots_to_permutation" "masked_cummax"
    "masked_cummin" "masked_cumsum" "masked_load" "masked_sort" "masked_swap" "matmul_acc_lhs" "matmul_lhs_fifo"
    "matmul_pop" "matmul_pop_fifo" "matmul_push_rhs" "max" "max_contiguous" "maybe_set" "mcmobs" "measure"
    "measure_in_basis" "mesh_cast" "mgpu_atomic_store" "min" "mma" "mosaic_gpu_p" "mosaic_gpu_reduce_max"
    "mosaic_gpu_reduce_min" "mosaic_gpu_reduce_prod" "mosaic_gpu_reduce_sum" "mul" "mulhi" "multimem_load_reduce"
    "multimem_store" "multiple_of" "mutable_array" "mutualinfo_wires" "name" "namedobs" "ne" "neg" "new_box" "new_log"
    "new_ref" "nextafter" "noinline" "nonbatchable" "nondifferentiable" "nondifferentiable_backward" "nontraceable"
    "nonzero" "not" "num_programs" "num_qubits" "one_minus_square" "operator" "optimization_barrier" "or" "ormqr"
    "outfeed" "outside_call" "pack" "pack_dtype" "pack_elementwise" "pad" "pauli_measure" "pbroadcast"
    "pbroadcast_dynamic" "pdot" "pgather" "philox2x32" "philox4x32" "pin" "platform_index" "pmax" "pmin" "polygamma"
    "polynomial" "population_count" "pow" "ppermute" "ppermute_done" "ppermute_start" "precv" "preduced"
    "pretend_for_verification" "print" "print_layout" "prng_join" "prng_random_bits" "prng_seed" "prng_split" "probs"
    "probs_mcm" "probs_obs" "probs_wires" "program_id" "psend" "psum" "psum2" "psum_done" "psum_invariant"
    "psum_invariant_start" "pure_callback" "purity_wires" "pvary" "python_callback" "qalloc" "qdealloc" "qdealloc_qb"
    "qdevice" "qextract" "qinsert" "qinst" "qmeasure" "qphase" "qr" "query_cluster_cancel" "qunitary"
    "ragged_all_to_all" "ragged_dot" "ragged_dot_general" "random_bits" "random_clone" "random_fold_in" "random_gamma"
    "random_gamma_grad" "random_seed" "random_split" "random_unwrap" "random_wrap" "real" "reciprocal" "record_event"
    "reduce_and" "reduce_max" "reduce_min" "reduce_or" "reduce_precision" "reduce_prod" "reduce_scatter"
    "reduce_scatter_done" "reduce_scatter_start" "reduce_sum" "reduce_window_max" "reduce_window_min"
    "reduce_window_sum" "reduce_xor" "reduced_vary_cast" "reduced_vary_cast_p" "regularized_incomplete_beta"
    "relayout" "rem" "remove_memory_space" "repeat" "reshape" "reshard" "rev" "rng_bit_generator" "rng_uniform"
    "rnn_bwd" "rnn_fwd" "roll" "round" "rsqrt" "runtime_call" "sample" "sample_mcm" "sample_obs" "sample_wires"
    "sc_fetch_and_add" "scaled_dot" "scaled_matmul" "scaled_matmul_wrapper" "scan_count" "schur" "select"
    "select_and_gather_add" "select_and_scatter_add" "select_if_vmap" "select_n" "semaphore_read" "semaphore_signal"
    "semaphore_signal_multicast" "semaphore_signal_parallel" "semaphore_wait" "set_basis_state" "set_max_registers"
    "set_max_registers_p" "set_state" "shadowexpval_wires" "shape_assertion" "shard_alike" "shard_to_full"
    "sharding_constraint" "shift_left" "shift_right_arithmetic" "shift_right_logical" "sign" "sin" "sinh" "slice"
    "sort" "sparse_dense_matmul" "sparse_pack_nm" "split" "spsolve" "sqrt" "square" "squeeze" "stack" "stage" "state"
    "state_wires" "stochastic_round" "stop_gradient" "store" "sub" "svd" "swap" "symbolic_array" "symmetric_product"
    "tan" "tanh" "tcgen05_commit_arrive" "tcgen05_mma" "tensorobs" "threefry2x32" "threefry4x32" "thunky.all_gather"
    "thunky.all_reduce" "thunky.all_to_all" "thunky.async_done" "thunky.call_jax" "thunky.collective_permute"
    "thunky.copy" "thunky.custom_call" "thunky.inline_constant" "thunky.memset" "thunky.memzero" "thunky.ptx_kernel"
    "thunky.reduce_scatter" "tie" "tile" "to_edtype" "todense" "top_k" "tpu_custom_call" "trace_value"
    "transform_named_sequence" "transpose" "triangular_solve" "tridiagonal" "tridiagonal_solve" "try_cluster_cancel"
    "unique" "unitary" "unpack" "unpack_dtype" "unpack_elementwise" "unpin" "unreachable" "unreduced_pmax"
    "unreduced_pmin" "unreduced_psum" "unreduced_reduce_scatter" "unstack" "unvmap_all" "unvmap_any" "unvmap_max"
    "var" "var_mcm" "var_obs" "var_wires" "vary_unreduced_cast" "vary_unreduced_cast_p" "vmap" "vnentropy_wires"
    "wait_gmem_to_smem" "wait_load_tmem" "wait_smem_to_gmem" "wgmma" "wgmma_accumulator_deref"
    "wgmma_accumulator_deref_p" "wgmma_accumulator_store" "wgmma_accumulator_store_p" "wgmma_ref" "wgmma_wait"
    "with_memory_space_constraint" "xla_metadata_value" "xor" "zeros_like" "zeta")
  "Primitives of JAX.")

(defconst jaxpr-control-primitives
  '("CustomJVPTraced" "CustomRoot" "CustomVJPTraced" "OptRemat" "RematTraced" "adjoint" "adjoint_transform" "call"
    "checkpoint" "closed_call" "composite" "compute_on" "cond" "core_call" "core_map" "ctrl_transform" "cudnn_fusion"
    "custom_dce_call" "custom_fusion" "custom_ivjp" "custom_jvp_call" "custom_jvp_call_jaxpr" "custom_linear_solve"
    "custom_partitioning" "custom_transpose_call" "custom_vjp_call" "custom_vjp_call_jaxpr" "custom_vmap_call"
    "decomposition_rule" "dot_product_attention_bwd" "dot_product_attention_bwd_wrapper" "dot_product_attention_fwd"
    "dot_product_attention_fwd_wrapper" "dxla_call" "emit_pipeline" "eval_jaxpr" "for" "for_loop" "func" "fused_call"
    "fusible" "grad" "jacobian" "jaxpr_call" "jit" "jvp" "linear_call" "mpmd_map" "named_call" "pallas_call"
    "parallel_loop" "pipeline_body" "pjit" "program_order" "qnode" "quantum_kernel" "quantum_subroutine_p"
    "quantum_subroutine_prim" "reduce" "reduce_window" "remat" "remat2" "remat_call" "remat_opt" "run_scoped"
    "run_state" "scan" "scatter" "scatter-add" "scatter-max" "scatter-min" "scatter-mul" "scatter-sub"
    "select_and_scatter" "shard_map" "switch" "thunky.async_start" "thunky.call_thunky_nested"
    "thunky.collective_group" "thunky.cond" "thunky.while" "transform" "value_and_grad" "vjp" "vjp_node[jit]"
    "vjp_node[pjit]" "while" "while_loop" "xla_call" "xla_metadata_call" "xla_pmap" "xmap" "xmap_p" "zne")
  "Primitives that contain programs.")

(defun jaxpr--primitive-face ()
  "Face of the primitive that was matched."
  (let ((name (match-string 1)))
    (cond ((member name jaxpr-control-primitives) 'font-lock-preprocessor-face)
          ((member name jaxpr-primitives) 'font-lock-builtin-face)
          (t 'font-lock-function-name-face))))

(defconst jaxpr-font-lock-keywords
  '(
    ("\\(?:\\(?:[ \t\n]\\)\\|^\\)\\(#.*\\)" 1 'font-lock-comment-face)
    ("\\(?:^\\|[^A-Za-z0-9_]\\)\\([bBuUrR]\\{1,2\\}\\(?:'\\(?:\\(?:[^'\\\n]\\|\\\\.\\)\\)*'\\|\"\\(?:\\(?:[^\"\\\n]\\|\\\\.\\)\\)*\"\\)\\)" 1 'font-lock-string-face)
    ("\\(\\(?:'\\(?:\\(?:[^'\\\n]\\|\\\\.\\)\\)*'\\|\"\\(?:\\(?:[^\"\\\n]\\|\\\\.\\)\\)*\"\\)\\)" 1 'font-lock-string-face)
    ("\\(?:{ \\)\\(lambda\\)\\(?:\\(?:[ \t\n]\\|$\\)\\)" 1 'font-lock-keyword-face)
    ("\\(?:\\(?:\\. \\)\\|^\\)\\(let\\)\\(?:\\(?:[ \t\n]\\|$\\)\\)" 1 'font-lock-keyword-face)
    ("\\(?:\\(?:[ \t\n]\\)\\|^\\)\\(in\\)\\(?:\\(?:[ \t]+[({]\\|[ \t]*$\\|[ \t]+let[ \t\n]\\)\\)" 1 'font-lock-keyword-face)
    ("\\(?:\\(?:^let \\)\\|\\(?:[ \t\n]let \\)\\)\\([A-Za-z[:nonascii:]_*][A-Za-z0-9[:nonascii:]_]*\\)\\(?: = {\\)" 1 'font-lock-function-name-face)
    ("\\(?:^\\|[^A-Za-z0-9_.]\\)\\(\\(?:True\\|False\\|None\\|-?inf\\|-?nan\\)\\)\\(?:$\\|[^A-Za-z0-9_(=]\\)" 1 'font-lock-constant-face)
    ("\\(?:\\(?:body_jaxpr=\\)\\|\\(?:call=\\)\\|\\(?:call_jaxpr=\\)\\|\\(?:callee=\\)\\|\\(?:cond_jaxpr=\\)\\|\\(?:custom_vjp_call_jaxpr=\\)\\|\\(?:fun_jaxpr=\\)\\|\\(?:func_jaxpr=\\)\\|\\(?:fwd_jaxpr=\\)\\|\\(?:inner_jaxpr=\\)\\|\\(?:ivjp_jaxpr=\\)\\|\\(?:jaxpr=\\)\\|\\(?:jaxpr_body_fn=\\)\\|\\(?:jaxpr_cond_fn=\\)\\|\\(?:pallas_jaxpr=\\)\\|\\(?:qfunc_jaxpr=\\)\\|\\(?:scatter_jaxpr=\\)\\|\\(?:score_mod_jaxpr=\\)\\|\\(?:select_jaxpr=\\)\\|\\(?:solve_jaxpr=\\)\\|\\(?:transpose=\\)\\|\\(?:update_jaxpr=\\)\\)\\([A-Za-z[:nonascii:]_*][A-Za-z0-9[:nonascii:]_]*\\)\\(?:\\(?:[ \t\n]\\|\\]\\|$\\)\\)" 1 'font-lock-function-name-face)
    ("\\(?:^\\|[^A-Za-z0-9_.]\\)\\([A-Za-z[:nonascii:]_*][A-Za-z0-9[:nonascii:]_]*\\)\\(?::\\(?:\\(?:float8_e4m3b11fnuz\\|float8_e4m3fnuz\\|float8_e5m2fnuz\\|f8_e4m3b11fnuz\\|float8_e8m0fnu\\|float4_e2m1fn\\|float6_e2m3fn\\|float6_e3m2fn\\|float8_e4m3fn\\|f8_e4m3fnuz\\|f8_e5m2fnuz\\|float8_e3m4\\|float8_e4m3\\|float8_e5m2\\|complex128\\|f8_e8m0fnu\\|complex64\\|f4_e2m1fn\\|f6_e2m3fn\\|f6_e3m2fn\\|f8_e4m3fn\\|bfloat16\\|f8_e3m4\\|f8_e4m3\\|f8_e5m2\\|float16\\|float32\\|float64\\|float0\\|uint16\\|uint32\\|uint64\\|int16\\|int32\\|int64\\|uint1\\|uint2\\|uint4\\|uint8\\|bf16\\|bool\\|c128\\|int1\\|int2\\|int4\\|int8\\|void\\|c64\\|f16\\|f32\\|f64\\|i16\\|i32\\|i64\\|u16\\|u32\\|u64\\|i1\\|i2\\|i4\\|i8\\|u1\\|u2\\|u4\\|u8\\)\\(?:$\\|[^A-Za-z0-9_]\\)\\|[A-Za-z[:nonascii:]_*][A-Za-z0-9[:nonascii:]_]*\\(?:[[{<(]\\)\\|[A-Z][A-Za-z0-9_]*\\)\\)" 1 'font-lock-variable-name-face)
    ("\\(?:[]A-Za-z0-9_.*)]:\\)\\(\\(?:\\(?:float8_e4m3b11fnuz\\|float8_e4m3fnuz\\|float8_e5m2fnuz\\|f8_e4m3b11fnuz\\|float8_e8m0fnu\\|float4_e2m1fn\\|float6_e2m3fn\\|float6_e3m2fn\\|float8_e4m3fn\\|f8_e4m3fnuz\\|f8_e5m2fnuz\\|float8_e3m4\\|float8_e4m3\\|float8_e5m2\\|complex128\\|f8_e8m0fnu\\|complex64\\|f4_e2m1fn\\|f6_e2m3fn\\|f6_e3m2fn\\|f8_e4m3fn\\|bfloat16\\|f8_e3m4\\|f8_e4m3\\|f8_e5m2\\|float16\\|float32\\|float64\\|float0\\|uint16\\|uint32\\|uint64\\|int16\\|int32\\|int64\\|uint1\\|uint2\\|uint4\\|uint8\\|bf16\\|bool\\|c128\\|int1\\|int2\\|int4\\|int8\\|void\\|c64\\|f16\\|f32\\|f64\\|i16\\|i32\\|i64\\|u16\\|u32\\|u64\\|i1\\|i2\\|i4\\|i8\\|u1\\|u2\\|u4\\|u8\\)\\(?:$\\|[^A-Za-z0-9_]\\)\\|[A-Za-z[:nonascii:]_*][A-Za-z0-9[:nonascii:]_]*\\(?:[[{<(]\\)\\|[A-Z][A-Za-z0-9_]*\\)\\)" 1 'font-lock-type-face)
    ("\\(?:^\\|[^A-Za-z0-9_.]\\)\\(\\(?:float8_e4m3b11fnuz\\|float8_e4m3fnuz\\|float8_e5m2fnuz\\|f8_e4m3b11fnuz\\|float8_e8m0fnu\\|float4_e2m1fn\\|float6_e2m3fn\\|float6_e3m2fn\\|float8_e4m3fn\\|f8_e4m3fnuz\\|f8_e5m2fnuz\\|float8_e3m4\\|float8_e4m3\\|float8_e5m2\\|complex128\\|f8_e8m0fnu\\|complex64\\|f4_e2m1fn\\|f6_e2m3fn\\|f6_e3m2fn\\|f8_e4m3fn\\|bfloat16\\|f8_e3m4\\|f8_e4m3\\|f8_e5m2\\|float16\\|float32\\|float64\\|float0\\|uint16\\|uint32\\|uint64\\|int16\\|int32\\|int64\\|uint1\\|uint2\\|uint4\\|uint8\\|bf16\\|c128\\|int1\\|int2\\|int4\\|int8\\|c64\\|f16\\|f32\\|f64\\|i16\\|i32\\|i64\\|u16\\|u32\\|u64\\|i1\\|i2\\|i4\\|i8\\|u1\\|u2\\|u4\\|u8\\)\\)\\(?:\\(?:[][,) \t]\\|$\\)\\)" 1 'font-lock-type-face)
    ("\\(?: = \\)\\([A-Za-z[:nonascii:]_][A-Za-z0-9[:nonascii:]_.-]*\\)" 1 (jaxpr--primitive-face))
    ("\\(?:\\(?:[ \t\n]\\)\\|^\\)\\([A-Za-z[:nonascii:]_][A-Za-z0-9[:nonascii:]_.-]*\\)\\(?:\\[\\(?:[ \t]*$\\|[A-Za-z[:nonascii:]_*][A-Za-z0-9[:nonascii:]_]*=\\)\\)" 1 (jaxpr--primitive-face))
    ("\\(?:^\\|[^A-Za-z0-9_.]\\)\\([A-Za-z[:nonascii:]_*][A-Za-z0-9[:nonascii:]_]*\\)\\(?:=\\(?:[^= \t]\\|$\\)\\)" 1 'font-lock-variable-name-face)
    ("\\(?:^\\|[^A-Za-z0-9_.]\\)\\(-?[0-9]\\(?:\\(?:[eE][+-][0-9]\\|[0-9A-Za-z_.]\\)\\)*\\)" 1 'font-lock-constant-face))
  "Rules, of which the first that matches applies.")

(provide 'jaxpr-words)
;;; jaxpr-words.el ends here
