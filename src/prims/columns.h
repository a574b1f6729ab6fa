/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a row of grammar/primitives.def other than its names, operands, rules and parameters. */
#ifndef JX_COLUMNS_H
#define JX_COLUMNS_H

#include "base/base.h"

/* how the element type of a row's first result is computed: NAME by dtype_NAME of verify/rules. same: that of the
 * operands; out: that, or what a parameter accumulates in; new: a parameter's */
#define RESULT_DTYPES(DTYPE) \
    DTYPE(same) \
    DTYPE(first) \
    DTYPE(out) \
    DTYPE(bool) \
    DTYPE(i32) \
    DTYPE(real) \
    DTYPE(complex) \
    DTYPE(pow) \
    DTYPE(new) \
    DTYPE(param) \
    DTYPE(target) \
    DTYPE(index) \
    DTYPE(dot) \
    DTYPE(conv) \
    DTYPE(einsum)

enum result_dtype {
    DTYPE_own, /* the shape rule computes it */
#define DTYPE(name) DTYPE_##name,
    RESULT_DTYPES(DTYPE)
#undef DTYPE
};

/* the sharding of a result over explicit mesh axes (verify/sharding_rules.c); 0: unknown */
enum result_sharding {
    SHARD_UNKNOWN,
    SHARD_FIRST, /* as this operand */
    SHARD_SECOND,
    SHARD_LAST,
    SHARD_EACH,      /* each result as its operand */
    SHARD_REDUCED,   /* the same, without the axes in `dimensions` */
    SHARD_UNSTACKED, /* as the first operand, without the axis in `axis` */
    SHARD_MERGED,    /* as any of the operands */
    SHARD_KEPT,      /* the axes the shape rule keeps */
    SHARD_STACKED,   /* as the first sharded operand, with a further axis */
    SHARD_KEYS,      /* the axes of an array of keys, which precede others */
    SHARD_RESIZED,   /* as the first operand, of which axes get other extents */
    SHARD_BATCH,     /* the batch axes of functions of matrices and vectors, which `cores` describes */
    SHARD_SOLVED,
    SHARD_NOWHERE,
    SHARD_BROADCAST,
    SHARD_RESHAPED,
    SHARD_GATHERED,
    SHARD_SCATTERED,
};

/* over which manual mesh axes results vary (verify/varying_axes.c); 0: unknown if the row's rule checks all results
 * itself, else VARY_ALIKE */
enum result_varying {
    VARY_BY_RULE,
    VARY_ALIKE, /* as all operands, which are alike (jax/_src/core.py, standard_vma_rule) */
    VARY_HALF,  /* as the first half of the operands, which are alike */
    VARY_EACH,  /* each result as its operand */
    VARY_FIRST, /* the first result as the first operand; others do not vary */
};

/* what the shardings of operands must be */
enum operand_sharding {
    SHARDED_FREELY,
    SHARDED_ALIKE,
    CASES_ALIKE, /* operands 1 and on */
    FIRST_TWO_ALIKE,
    ALL_ALIKE,
    AXIS_WHOLE,        /* the axis a parameter names is not sharded */
    AXIS_WHOLE_LATER,  /* the same, and operands are alike, since JAX_SHARDED_AXES_REFUSED */
    WORDS_WHOLE,       /* the axes that hold the words of keys are not sharded */
    ONE_AXIS_RESHAPED, /* one axis becomes several, or several become one */
    SYSTEM_WHOLE,      /* the axes that a triangular system contracts are not sharded */
    KERNEL_WHOLE,      /* neither the kernel of a convolution nor the features of its input are sharded */
    AXES_NUMBERED,     /* as the dimension numbers of a gather or scatter relate their axes */
};

/* which element types of its classes a primitive takes */
enum element_widths {
    WIDTHS_ANY,
    WIDTHS_32,    /* floats of 32 bits and more, since JAX_WIDE_LINALG (lax/linalg.py, _float) */
    WIDTHS_BYTES, /* integers of whole bytes: int4 is not an np.signedinteger (lax/lax.py, abs_p, _reduce_logical_shape)
                   */
};

/* the memory spaces of operands and results */
enum memory_space {
    SPACE_FREE,
    SPACE_DEVICE,  /* results are in that of the device, or of what a ref prints that it holds */
    SPACE_ONE,     /* operands and results are in the same */
    SPACE_ALIKE,   /* the same, also of scalars */
    SPACE_FIRST,   /* results are in that of the first operand */
    SPACE_SECOND,  /* the same of the second */
    SPACE_REDUCED, /* the same under `check_vma=True`, else SPACE_DEVICE */
    SPACE_EACH,    /* each result is in that of its operand */
    SPACE_PUT,     /* a parameter gives that of each result */
};

/* how JAX's check_rep computes replication over mesh axes (verify/replication.c) */
enum replication {
    REP_ORDINARY, /* all operands have one set, and so do results */
    REP_EACH,     /* each result as its operand */
    REP_CALL,     /* as the program's results */
    REP_COND,
    REP_SCAN,
    REP_UNVARIED,   /* all axes but those that a parameter names */
    REP_EVERYWHERE, /* all axes */
    REP_NOWHERE,    /* none */
    REP_ADDS,       /* the axes that a parameter names are added */
    REP_ADDS_STRICTLY,
    REP_DROPS, /* the axes that a parameter names are removed */
    REP_MOVES, /* the operand varies over the axis that a parameter names, and so does the result */
    REP_REFUSED,
};

/* how operands map to arguments of nested programs (regions/region_map.c) */
enum prim_control {
    CONTROL_NONE,
    CONTROL_CALL, /* one program takes the operands in order, and returns the results */
    CONTROL_SCAN,
    CONTROL_WHILE,
    CONTROL_COND,
    CONTROL_SWITCH,
    CONTROL_FOR_LOOP,
    CONTROL_WHILE_LOOP,
    CONTROL_MAPPED, /* one program takes the operands in order, with other types: shards, slices, refs */
    CONTROL_FOR,    /* the same, after an index */
    CONTROL_SOLVE,  /* custom_linear_solve: four programs, each with constants of its own */
    CONTROL_ROOT,   /* one program takes the first operands */
    CONTROL_LINEAR, /* linear_call: operands between the constants and the others are passed to no program */
};

/* how dead code elimination handles an equation (rewrite/dce_rules.c); without a rule, nothing inside it is removed */
enum prim_dce {
    DCE_OF_OTHERS,
    DCE_OF_NEVER, /* the equation is never removed */
    DCE_OF_CALL,
    DCE_OF_JIT,
    DCE_OF_PROGRAM_ORDER,
    DCE_OF_REMAT,
    DCE_OF_REMAT_OPT,
    DCE_OF_CUSTOM_CALL,
    DCE_OF_SHARD_MAP,
    DCE_OF_PMAP,
    DCE_OF_COMPUTE_ON,
    DCE_OF_XLA_METADATA,
    DCE_OF_SCAN,
    DCE_OF_WHILE,
    DCE_OF_COND,
    DCE_OF_PALLAS,
    DCE_OF_END,
};

/* what the parameter with the role AXES does */
enum axes_role {
    AXES_NONE,
    AXES_PERMUTED, /* orders the operand's axes */
    AXES_PLACED,   /* gives the positions of the operand's axes in the result */
    AXES_TOUCHED,  /* names the axes that are removed or reversed */
    AXES_READ,     /* may order the axes before they are read */
};

/* what newer JAX prints instead of a removed primitive */
enum prim_gone {
    GONE_NOT,
    GONE_JIT,
    GONE_INLINE,
    GONE_REMAT,
};

/* What costs are counted in: count_NAME of src/cost/formula.c and window.c. E is the number of elements of an array */
#define COST_UNITS(UNIT) \
    UNIT(nothing)     /* 0 */ \
    UNIT(result)      /* E(result 0) */ \
    UNIT(results)     /* E of all results */ \
    UNIT(operand)     /* E(operand 0) */ \
    UNIT(stored)      /* E(operand 1) */ \
    UNIT(updates)     /* E(last operand) */ \
    UNIT(reduced)     /* E(operand 0) - E(result 0) */ \
    UNIT(cases)       /* E(result) * (operands - 2) */ \
    UNIT(words)       /* bytes of the results / 4 */ \
    UNIT(powers)      /* E(result) * multiplications of x^y by repeated squaring, one more for a division */ \
    UNIT(dots)        /* E(result) * extents that are contracted */ \
    UNIT(rows)        /* E(result) * the last extent of operand 0 */ \
    UNIT(taps)        /* pairs of an output and a kernel element of a convolution that meet the input, no padding */ \
    UNIT(windows)     /* E(result 0) * (elements of a window - 1) */ \
    UNIT(sources)     /* E(operand 0) * elements of a window */ \
    UNIT(butterflies) /* E(operand 0) * the sum of floor(log2(length)) over the axes */ \
    UNIT(sorted)      /* E(operand 0) * ceil(log2(extent of the axis)) */ \
    UNIT(ranked)      /* E(operand 0) * ceil(log2(k)) */ \
    UNIT(mnk)         /* batches * m * n * min(m, n) of operand 0 */ \
    UNIT(kkk)         /* batches * min(m, n)^3 */ \
    UNIT(solved)      /* E(operand 1) * the last extent of operand 0 */

enum cost_unit {
    COUNT_unknown,
#define COST_UNIT(name) COUNT_##name,
    COST_UNITS(COST_UNIT)
#undef COST_UNIT
        COUNT_END,
};

/* elementary operations for each unit */
struct prim_cost {
    u8 unit, transcendentals;
    int16_t flops; /* thirds of one */
};

/* whether an operation on unreduced values, `{U:x}`, which a sum over devices completes, has an unreduced result
 * (verify/varying_axes.c). Elementwise operations without it are not linear */
enum linearity {
    LINEAR_UNKNOWN,
    LINEAR_KEPT,      /* results are unreduced over the axes over which the operand is */
    LINEAR_EACH,      /* each result, as the operand of its number */
    LINEAR_ALIKE,     /* as LINEAR_KEPT, and all operands are alike */
    LINEAR_ANY,       /* the same, and those operands that are unreduced are alike */
    LINEAR_NEVER,     /* no operand may be */
    LINEAR_UNRULED,   /* no operand of an explicit mesh may be, nor reduced, and no result: JAX has no rule */
    LINEAR_LOCAL,     /* the same, but results over manual axes are as their operands */
    LINEAR_NARY,      /* no operand may be, and those that are reduced are alike, as of elementwise primitives */
    LINEAR_PRODUCT,   /* as one operand, and the other is reduced over the same axes */
    LINEAR_CASES,     /* of a selection: as the first case */
    LINEAR_CONVERTED, /* if the operand is, but a sharding that is not printed may change the axes */
    LINEAR_ASKED,     /* the same, and the sharding may make it replicated */
    LINEAR_SLICED,    /* never, while its indices may be; reduced as the operand */
    LINEAR_GATHERED,  /* never; reduced as the operand, its indices not */
    LINEAR_UPDATED,   /* as the array and its update, which are alike; indices are neither unreduced nor reduced */
    LINEAR_SCATTERED, /* the same, and nothing is reduced */
};

/* what completes unreduced operands and results: sums over devices `{U:x}`, maxima `{U_max:x}` or minima `{U_min:x}` */
enum completion { BY_ANY, BY_SUM, BY_MAX, BY_MIN };

/* what a value may be over an axis of a mesh, as a set: {V:x}, {U:x}, {R:x} */
enum { OVER_V = 1, OVER_U = 2, OVER_R = 4 };

/* over which of the axes in its parameter an operand of a collective must be what axis_move.from says */
enum move_need {
    MOVE_NOT, /* it is not a collective */
    MOVE_ANY,
    MOVE_SOME,
    MOVE_ALL,
};

/* what a collective does over the axes in its parameter (verify/varying_axes.c) */
struct axis_move {
    u8 from, to; /* what operands are over these axes, and what results are instead; 0: nothing */
    u8 need;     /* enum move_need */
    u8 never;    /* what operands must not be */
    u8 certain;  /* results vary even if no type shows it */
};

/* which arrays are read; which are written */
enum traffic {
    TRAFFIC_ALL,       /* every operand; every result */
    TRAFFIC_NONE,      /* a view of existing memory, or only what nested programs do */
    TRAFFIC_SLICED,    /* the result; the result */
    TRAFFIC_PICKED,    /* the result and operands 1 and on; the result */
    TRAFFIC_PLACED,    /* operands 1 and on; operand 1 */
    TRAFFIC_SCATTERED, /* operand 1 and twice operand 2; operand 2 */
    TRAFFIC_LOADED,    /* the result; the result */
    TRAFFIC_SWAPPED,   /* the value and the result, both ways */
    TRAFFIC_ADDED,     /* the value twice; the value */
};

/* how often the programs of a parameter run (src/cost/runs.c) */
enum prim_run {
    RUN_ONCE,
    RUN_BRANCHES, /* the most expensive of them */
    RUN_LENGTH,   /* from here to RUN_GRID, loops: binders after the constants are buffers of their own */
    RUN_TRIPS,
    RUN_RANGE,
    RUN_GRID,
    RUN_TESTS, /* once more than the body of a loop */
    RUN_SOLVE,
    RUN_REDUCTIONS, /* from here on, programs run on elements, and move no bytes of their own */
    RUN_WINDOWS,
    RUN_WINDOWS_OF_SOURCE,
    RUN_SOURCE,
    RUN_UPDATES,
};

/* the signs between operands that the notation of a kernel prints (jax/_src/pallas: mosaic/primitives.py and
 * mosaic_gpu/primitives.py, 0.12) */
enum kernel_signs {
    SIGNS_NONE,
    SIGNS_COPY,       /* `a[..] -> b[..] c[..]` */
    SIGNS_COPY_USING, /* `a[..] -> b[..] using c[..]` */
    SIGNS_PRODUCT,    /* `a[..] <- b[..] @ c[..]` */
};

/* The columns; a row names those that are not 0. */
struct prim_columns {
    u32 compiles; /* the classes of `in` with which an equation can be compiled, if they are fewer; encoded like `in` */
    u8 sharding;  /* enum result_sharding */
    u8 operands;  /* enum operand_sharding */
    u8 varying;   /* enum result_varying */
    u8 space;     /* enum memory_space */
    u8 replication;
    u8 traffic;
    u8 linear;                /* enum linearity */
    u8 completed;             /* enum completion */
    u8 control;               /* enum prim_control */
    u8 dce;                   /* enum prim_dce */
    u8 axes;                  /* enum axes_role */
    u8 gone;                  /* enum prim_gone */
    u8 widths;                /* enum element_widths */
    u8 signs;                 /* enum kernel_signs */
    u16 cores;                /* of SHARD_BATCH: how many axes of operand i are not batch axes, a digit each; 0: 2 */
    u8 refs;                  /* bit i: operand i is a ref, of primitives without results */
    u8 indices;               /* the first operand that is an index; 0: none */
    u8 runs[4];               /* enum prim_run, by the parameters with roles of programs; 0 repeats the one before */
    struct prim_cost cost[2]; /* their sum; 0: unknown */
    struct axis_move moved;
    bool abridged : 1;        /* its system's own documents print it as `func[...]` */
    bool keywords : 1;        /* arguments of a user's class are parameters, too */
    bool sealed : 1;          /* effects of its program are not effects of the equation */
    bool sharding_hidden : 1; /* newer versions do not print its sharding parameter */
    bool trusted : 1;         /* nothing is known: binders are taken as printed */
    bool elementwise : 1;     /* its checks depend only on types of operands and parameters that are types */
    bool lists_types : 1;     /* a parameter lists the types of its results */
    bool alike : 1;           /* each result has the type of its operand */
    bool passes_refs : 1;     /* JAX reads only shapes and element types of operands, so that it accepts refs */
    bool reduces : 1;         /* results may be unreduced or reduced, `{U:x}` or `{R:x}`, whatever operands are */
    bool inlined : 1;         /* a call with the same meaning as the equations of its program */
    bool notation : 1;        /* its rule also reads the notation that kernels print */
    bool uncompared : 1;      /* a call whose program JAX does not compare with its operands */
    bool unprinted : 1;       /* its result is not printed */
    bool commutes : 1;        /* its two operands may be exchanged */
    bool positions : 1;       /* its axes may be positions, or its rule reports them */
    bool converts : 1;        /* it converts its operand to another element type */
    bool renamed : 1;         /* its other names have the same parameters */
    bool once : 1;            /* repeating an equation creates another object */
    bool impure : 1;          /* it has an effect that is not printed */
    bool loops : 1;           /* it runs its programs repeatedly */
    bool kernel : 1;          /* its program is a kernel, which cannot reach the host */
    bool consumes_key : 1;    /* as in JAX (0.7, key_reuse/_core.py) */
    bool forwards_key : 1;
    bool seeds_key : 1;     /* makes a key from its operand, a number */
    bool wide : 1;          /* an instruction of Catalyst, where numbers have 64 bits */
    bool wide_reported : 1; /* the same, if the equation has a parameter of Catalyst */
};

#endif
