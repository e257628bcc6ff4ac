# SPDX-License-Identifier: Apache-2.0


class Error(Exception):
    """Bad input: what is wrong, where, and what is expected instead."""
