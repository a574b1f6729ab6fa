/* SPDX-License-Identifier: Apache-2.0
 *
 * Empty: meson.build passes as arguments what configure would find. */
