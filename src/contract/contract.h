/* SPDX-License-Identifier: Apache-2.0
 *
 * Contracts: what must hold of programs, judged against the contracts of a configuration, or brought up to date with
 * them. */
#ifndef JX_CONTRACT_H
#define JX_CONTRACT_H

#include "base/memo.h"
#include "resolve/check.h"
#include "signature/signature.h"
#include "contract/config.h"
#include "contract/inventory.h"

/* What a word of the configuration has to be now. */
struct contract_edit {
    u32 node;
    struct slice key;   /* what it is a record of */
    struct slice now;   /* as it is written */
    struct slice other; /* what another program would have it be; empty: all agree */
};

/* An edit that changes something, and the byte it begins at. */
struct placed_edit {
    u32 at, edit;
};

struct contract_edits {
    struct mem *mem; /* that of the configuration */
    VEC(struct contract_edit) list;
    struct memo at;                 /* of a node: index plus one */
    VEC(struct placed_edit) placed; /* sorted by place .. */
    bool settled;                   /* .. and up to date with the list */
};

/* What contracts are held against. */
struct contract_input {
    struct module *m; /* resolved */
    const program_t *stream;
    u32 n;
    struct slice path; /* relative to the configuration */
    struct diags *ds;
    /* the digest of the n-th program, or of a jaxpr in it when not NONE; asked for when all else has been judged, for
     * it may change the module */
    struct slice (*digest)(void *user, u32 n, jaxpr_t j);
    struct slice (*spell)(void *user, const struct sig_entry *entries, u32 n); /* a signature, written down */
    void *user;
    struct contract_edits *edits; /* NULL: everything is judged; else what is a record of the program is noted there */
};

/* judges the programs of a text by every contract that is for them; reports K801 to K810. Programs with errors of
 * syntax are left out. Linear in the programs a contract is for, apart from its own words times their primitives and
 * types */
void contracts_check(const struct config *c, const struct contract_input *in);

/* Reports K812 where no contract applies to the file that `in` names, unless the configuration ignores that. */
void contracts_report_uncovered(const struct config *c, const struct contract_input *in);

/* reports the contracts that were for a file but found no program to judge: K810. ds is the configuration's */
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
    const u8 *levels; /* enum diag_level of each code from K801 on, CONTRACT_IGNORED for those that are not reported */
};

enum { CONTRACT_CODES = DIAG_K812 - DIAG_K801 + 1, CONTRACT_IGNORED = 255 };

/* false where a code is to be ignored */
static inline bool
bargain_reports(const struct contract_check *b, enum diag_code code)
{
    return b->levels[code - DIAG_K801] != CONTRACT_IGNORED;
}

/* the node of a key of the contract, NONE where it is not given */
static inline u32
contract_value(const struct contract_check *b, enum config_key key)
{
    return b->contract->value[key];
}

/* ends a diagnostic: gives it the level that the configuration has for it, and a note that points at the contract */
void contract_note(const struct contract_check *b, enum diag_code code, u32 node, const char *what);

/* where the program begins */
u32 contract_check_start(const struct contract_check *b);

/* what forbids or limits types: K806 to K809 */
void contract_types(const struct contract_check *b);

/* the signature: K804 */
void contract_signature(const struct contract_check *b);

/* notes what a word has to be, now that this program is known */
void contract_edit(struct contract_edits *edits, u32 node, struct slice key, struct slice now);

#endif
