/* SPDX-License-Identifier: Apache-2.0
 *
 * What configure would find, given as arguments in meson.build. */
