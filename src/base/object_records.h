/* SPDX-License-Identifier: Apache-2.0
 *
 * Records: objects of JAX, PennyLane and Catalyst whose fields are known. */
#ifndef JX_OBJECT_RECORDS_H
#define JX_OBJECT_RECORDS_H

#include "base/base.h"

/* whose arguments a bracket contains: 0 for those of any name, ELEMENTS for a tuple, else the number of a record */
enum { ELEMENTS = 255 };

/* the bit of fields that were read that `...` sets: it replaces other fields */
#define ABRIDGED (1u << 31)

/* the number, from 1 on, of the record that is named before the bracket at s.at[i]; ELEMENTS if it is a tuple, 0 if it
 * follows another name or value */
u8 record_before(struct slice s, size_t i);

/* notes in *read that a record has the field `word`, whose value begins `value`; returns what is wrong with it
 * (FIELD_STRING ..), or 0 */
char record_field(u8 of, struct slice word, struct slice value, u32 *read);

/* whether the value that begins a text is of the kind that the mark after a field's name says, as in records.def, and
 * is not nearly a known value of the field */
bool field_fits(struct slice field, struct slice value, char mark);

/* whether all required fields of a record, or of what else a bracket contains, were read, and each group of fields that
 * are printed together as a whole, or `...` replaces some */
bool record_is_whole(u8 of, u32 read);

/* the class of a record that a word is in other letters: `mesh`, `MESH`; empty if it is none */
struct slice record_meant(struct slice word);

/* whether the commas of a record are not followed by spaces */
bool record_is_compact(u8 of);

/* whether the inside of `<..>`, if it begins with the class of a record, `<QNode: device='..', ..>`, has the fields of
 * that record; if not, *flaw becomes the wrong part or the missing field */
bool angle_is_record(struct slice s, struct slice *flaw);

#endif
