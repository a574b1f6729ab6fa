# SPDX-License-Identifier: Apache-2.0
"""The programs of the oracle, one family a file; see functions.py."""
