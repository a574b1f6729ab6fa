; SPDX-License-Identifier: Apache-2.0
[
  (program)
  (parameters)
  (shared)
] @fold
