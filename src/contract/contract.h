/* SPDX-License-Identifier: Apache-2.0
 *
 * Contracts: requirements in a configuration. Programs are checked against them, or they are updated to match the
 * programs. */
#ifndef JX_CONTRACT_H
#define JX_CONTRACT_H

#include "base/memo.h"
#include "signature/signature.h"
#include "contract/config.h"
#include "contract/inventory.h"

/* The new text of a word of the configuration. */
struct contract_edit {
    u32 node;
    struct slice key;   /* the key whose value it records */
    struct slice now;   /* the new text */
    struct slice other; /* the text that another program needs; empty: all agree */
};

/* An edit that changes something, and the byte it begins at. */
struct placed_edit {
    u32 at, edit;
};

struct contract_edits {
    struct mem *mem; /* that of the configuration */
    VEC(struct contract_edit) list;
    struct memo at;                 /* by node: index into `list` plus one */
    VEC(struct placed_edit) placed; /* sorted by offset .. */
    bool settled;                   /* .. and up to date with the list */
};

/* What contracts are checked against. */
struct contract_input {
    struct module *m; /* resolved */
    const program_t *stream;
    u32 n;
    struct slice path; /* relative to the configuration's directory */
    struct diags *ds;
    /* the digest of jaxpr j in the n-th program, or with NONE of the program; empty if the jaxpr no longer exists, NULL
     * if the program has none. Called last, as it may change the module */
    struct slice (*digest)(void *user, u32 n, jaxpr_t j);
    struct slice (*spell)(void *user, const struct sig_entry *entries, u32 n); /* the text of a signature */
    void *user;
    /* NULL: programs are checked; else new values of the clauses that record programs are added here */
    struct contract_edits *edits;
};

/* checks the programs of a text against every contract that applies to them; reports K801 to K810. Programs with syntax
 * errors are left out. Linear in these programs, plus the words of the contract times their primitives and types */
void contracts_check(const struct config *c, const struct contract_input *in);

/* Reports K812 where no contract applies to the file that `in` names, unless the configuration ignores that. */
void contracts_report_uncovered(const struct config *c, const struct contract_input *in);

/* reports K810 for contracts that applied to a file but to none of its programs. ds is the configuration's */
void contracts_report_unused(const struct config *c, struct diags *ds);

/* ---- parts ---- */

/* One program and one contract. */
struct contract_check {
    const struct config *c;
    const struct config_map *contract;
    const struct contract_input *in;
    const struct inventory *inventory;
    struct signer *signer; /* ready only where some contract has a signature */
    u32 number;            /* of the program, in the stream */
    const u8 *levels;      /* enum diag_level of each code from K801 on, or CONFIG_IGNORED */
};

enum { CONTRACT_CODES = DIAG_K812 - DIAG_K801 + 1 };

/* false if the configuration ignores a code */
static inline bool
contract_reports(const struct contract_check *b, enum diag_code code)
{
    return b->levels[code - DIAG_K801] != CONFIG_IGNORED;
}

/* the node of the value of a key of the contract, NONE if it is not given */
static inline u32
contract_value(const struct contract_check *b, enum config_key key)
{
    return b->contract->value[key];
}

/* ends a diagnostic: sets the configured level, and adds a note with the place in the contract */
void contract_note(const struct contract_check *b, enum diag_code code, u32 node, const char *what);

/* the same with the place of a part of the node's word, or of the whole word if escapes hide the part */
void contract_note_part(const struct contract_check *b, enum diag_code code, u32 node, struct slice part,
                        const char *what);

/* the offset of the program in the text */
u32 contract_check_start(const struct contract_check *b);

/* checks the clauses that forbid or limit types: K806 to K809 */
void contract_types(const struct contract_check *b);

/* checks the signature: K804 */
void contract_signature(const struct contract_check *b);

/* records the new text of a word for this program */
void contract_edit(struct contract_edits *edits, u32 node, struct slice key, struct slice now);

#endif
