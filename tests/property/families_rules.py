# SPDX-License-Identifier: Apache-2.0
"""Families for single rules: many things that a rule looks up, and as many that it looks up for. Importing this module
adds them to families.family."""

from families import lets_doubling, of


def joined(n, piece, between=" "):
    return between.join(piece % i if "%" in piece else piece for i in range(n))


def numbered(n, piece):
    return "\n".join(piece.replace("#", str(i + 1)) for i in range(n))


def ones(n):
    return ",".join(["1"] * n)


def shard_map(n, inside, spec="P()", mesh="'i': 2", binder="c:f32[8]", more=""):
    return (
        "{ lambda ; a:f32[8]. let\n    b:f32[8] = shard_map[%s check_vma=True in_specs=(%s,) jaxpr={ lambda ; %s. let %s in (c,) }"
        " mesh=Mesh(%s) out_specs=(%s,)] a\n  in (b,) }" % (more, spec, binder, inside, mesh, spec)
    )


@of()
def axes_of_a_mesh(n):
    return shard_map(n, "", "P((%s))" % joined(n, "'i%d'", ", "), joined(n, "'i%d': 1", ", "))


@of()
def axes_a_type_varies_over(n):
    varies = "c:f32[8]{V:(%s)}" % joined(n, "i%d", ",")
    other = ",".join("i%d" % i for i in reversed(range(n)))
    return shard_map(n, "d:f32[8]{V:(%s)} = add c c" % other, mesh=joined(n, "'i%d': 1", ", "), binder=varies)


@of()
def axes_a_type_is_unreduced_and_reduced_over(n):
    def axes(letter):
        return "%s:(%s)" % (letter.upper(), ",".join(letter + "%d" % i for i in range(n)))

    each = ["f32[8]{%s}" % ", ".join(axes(x) for x in order) for order in ("vur", "vru", "ur")]
    inside = "d:%s = add c c; e:%s = neg d; f:%s = pvary[axes=('v',)] e" % tuple(each)
    return shard_map(n, inside, mesh="'v': 2, 'u': 2, 'r': 2", binder="c:" + each[0])


GATHER = "d%d:f32[8] = all_to_all[axis_index_groups=None axis_name=('i',) concat_axis=0 split_axis=0 tiled=True] c"


@of()
def equations_that_ask_for_an_axis(n):
    return shard_map(n, joined(n, GATHER, "; "), more=joined(5 * n, "k%d=1"))


@of()
def programs_that_ask_for_an_axis(n):
    piece = "{ lambda ; c:f32[8]. let %s b:f32[8] = pjit[name=f jaxpr=" % (GATHER % 0)
    return piece * n + "{ lambda ; a:f32[8]. let in (a,) }" + "] c in (b,) }" * n


@of()
def branches_whose_replication_is_checked(n):
    branch = "{ lambda ; c:f32[4]. let d:f32[4] = sin c in (d,) }"
    return (
        "{ lambda ; a:f32[8]. let b:f32[8] = shard_map[auto=frozenset() check_rep=True in_names=({0: ('i',)},)"
        " jaxpr={ lambda ; c:f32[4]. let d:f32[4] = cond[branches=(%s)] 0:i32[] c in (d,) } mesh=Mesh('i': 2)"
        " out_names=({0: ('i',)},) rewrite=True] a in (b,) }" % joined(n, branch)
    )


@of()
def keys_that_may_be_misspelt(n):
    return "{ lambda ; a:f32[8]. let b:f32[8] = shard_map[%s] a in (b,) }" % joined(n, "k%d=1")


@of()
def programs_under_keys(n):
    return "{ lambda ; a:f32[8]. let b:f32[8] = f[%s] a in (b,) }" % joined(n, "k%d={ lambda ; c:f32[]. let in (c,) }")


@of()
def comments_in_comments(n):
    return "{ lambda ; a:f32[]. let b:f32[] = sin a " + "# [ " * n + "\n in (b,) }"


@of()
def comments_that_old_prints_begin(n):
    return "{ lambda  ; a:f32[]. let b:f32[] = sin a " + " [a" * n + "\n in (b,) }"


@of()
def places_in_places(n):
    return "{ lambda ; a:f32[]. let b:f32[] = sin a " + "# a:1 (g " * n + "\n in (b,) }"


@of()
def effects_and_equations_that_have_one(n):
    body = joined(n, "debug_callback[effect=Debug] a", "\n")
    return "{ lambda ; a:f32[]. let %s in (a,) : { %s } }" % (body, joined(n, "E%d", ", "))


@of()
def programs_of_types_of_their_own(n):
    return numbered(n, "{ lambda ; a:f32[#,2]. let b:f32[#,2] = sin a in (b,) }")


@of()
def programs_of_sizes_and_types_of_their_own(n):
    return numbered(n, "{ lambda ; n:i32[] a:f32[n,#]. let b:f32[n,#] = sin a in (b,) }")


@of()
def programs_of_unbound_sizes_and_types_of_their_own(n):
    return numbered(n, "{ lambda ; a:f32[n,#]. let b:f32[n,#] = sin a in (b,) }")


@of()
def programs_of_symbols_and_types_of_their_own(n):
    return numbered(n, "{ lambda ; a:f32[2*n,#]. let b:f32[2*n,#] = sin a in (b,) }")


@of()
def programs_that_hold_constants(n):
    inner = "{ lambda k:f32[#]; c:f32[#]. let d:f32[#] = add c k in (d,) }"
    return numbered(n, "{ lambda ; a:f32[#]. let b:f32[#] = pjit[name=f jaxpr=" + inner + "] a in (b,) }")


@of()
def programs_that_read_unbound_names(n):
    return numbered(n, "{ lambda ; a:f32[#]. let b:f32[#] = add a zz in (b,) }")


@of()
def programs_that_share(n):
    shared = "let f# = { lambda ; a:f32[#]. let b:f32[#] = sin a in (b,) } in\n"
    calls = "b:f32[#] = jit[name=f# jaxpr=f#] a; c:f32[#] = jit[name=f# jaxpr=f#] b"
    return numbered(n, shared + "{ lambda ; a:f32[#]. let " + calls + " in (c,) }")


@of("norm old", "fmt old")
def lets_that_would_double_in_full(n):
    return lets_doubling(n)


@of("norm old", "fmt old")
def programs_that_share_nothing_when_printed(n):
    return programs_that_share(n)


@of()
def types_of_one_program(n):
    body = numbered(n, "b#:f32[#] = broadcast_in_dim[broadcast_dimensions=() shape=(#,) sharding=None] a")
    return "{ lambda ; a:f32[]. let %s in (a,) }" % body


@of()
def programs_of_one_caller(n):
    call = "b#:f32[] = pjit[name=f jaxpr={ lambda ; a:f32[#]. let c:f32[] = reduce_sum[axes=(0,) out_sharding=None] a in (c,) }] x#"
    return "{ lambda ; %s. let %s in (b1,) }" % (numbered(n, "x#:f32[#]"), numbered(n, call))


@of("check", "norm dce", "norm all", "hash", "lint", "eq dce")
def carried_values_that_need_one_another(n):
    outs = ", ".join("c%d" % min(i + 1, n - 1) for i in range(n))
    return (
        "{ lambda ; a:f32[]. let %s = scan[_split_transpose=False jaxpr={ lambda ; %s. let  in (%s) } length=3 linear=(%s)"
        " num_carry=%d num_consts=0 reverse=False unroll=1] %s in (b0,) }"
        % (joined(n, "b%d:f32[]"), joined(n, "c%d:f32[]"), outs, joined(n, "False", ", "), n, "a " * n)
    )


@of()
def equations_with_wide_operands(n):
    body = joined(n, "    b%d:f32[] = add a c", "\n")
    return "{ lambda ; a:f32[%s] c:f32[%s,2]. let\n%s in (a,) }" % (ones(6 * n), ones(6 * n - 1), body)


@of()
def untyped_equations_with_wide_operands(n):
    body = joined(n, "    b%d = add a c", "\n")
    return "{ lambda ; a:f32[%s] c:f32[%s,2]. let\n%s in (a,) }" % (ones(6 * n), ones(6 * n - 1), body)


@of()
def equations_with_operands_of_long_sizes(n):
    sizes = joined(n, "s%d", "+"), "+".join("s%d" % i for i in reversed(range(n)))
    return "{ lambda ; a:f32[%s] c:f32[%s]. let\n%s in (a,) }" % (*sizes, joined(n, "    b%d = add a c", "\n"))


@of()
def words_of_an_indexer_that_nothing_binds(n):
    return "{ lambda ; r:Ref{f32[8]}. let b:f32[] <- r[%s] in (b,) }" % joined(n, "q%d", ",")


@of()
def results_that_are_one_value(n):
    return "{ lambda ; a:f32[8]. let %s in (%s,) }" % (joined(n, "b%d:f32[8] = sin a", "\n"), joined(n, "b%d", ", "))


@of()
def literals_of_one_equation(n):
    return "{ lambda ; a:f32[]. let b:f32[] = f %s in (b,) }" % joined(n, "%d.5:f64[]")


@of("lint", "lint keys", "lint diff")
def comments_that_silence_a_file(n):
    body = joined(n, "    b%d:f64[] = sin a # jaxpr: ignore-file[Z1]", "\n")
    return "{ lambda ; a:f64[]. let\n%s in (a,) }" % body


@of("lint", "lint keys", "lint diff")
def codes_of_a_comment_that_silences(n):
    body = joined(n, "b%d:f64[] = sin a", "; "), joined(n, "Z%d", ",")
    return "{ lambda ; a:f64[]. let %s # jaxpr: ignore[%s]\n in (a,) }" % body
