# SPDX-License-Identifier: Apache-2.0
"""The programs of the oracle, one file for each family; see functions.py."""
