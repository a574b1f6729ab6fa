/* SPDX-License-Identifier: Apache-2.0
 *
 * What answers each method. A function writes the result to request.out, nothing for `null`; false after
 * request_fail. */
#ifndef JX_LSP_FEATURES_H
#define JX_LSP_FEATURES_H

#include "lsp/lsp.h"

/* documents: textDocument/didOpen, didChange, didSave, didClose */
bool on_open(struct request *r);
bool on_change(struct request *r);
bool on_save(struct request *r);
bool on_close(struct request *r);

/* workspace/didChangeConfiguration, didChangeWatchedFiles: configurations are read again */
bool on_settings(struct request *r);

/* Reads a position of the protocol; false where the value is not one. */
bool spot_read(const struct json *value, struct spot *spot);

#endif
