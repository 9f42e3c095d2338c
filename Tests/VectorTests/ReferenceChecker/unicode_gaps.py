#!/usr/bin/python3
"""Prints the code points of the known scripts that a Unicode version does not assign.

usage: unicode_gaps.py

It prints the table GAPS of displayed.py for the Unicode version of this Python.
docs/protocol/versioning.md describes when a newer version may be used.
"""

import sys
import textwrap
import unicodedata

sys.dont_write_bytecode = True

from displayed import SCRIPTS


def gaps():
    for first, last, _ in SCRIPTS:
        start = None
        for value in range(first, last + 2):
            is_gap = value <= last and unicodedata.category(chr(value)) == "Cn"
            if is_gap and start is None:
                start = value
            if not is_gap and start is not None:
                yield "%04X" % start if start == value - 1 else "%04X-%04X" % (start, value - 1)
                start = None


if __name__ == "__main__":
    print("# Unicode %s" % unicodedata.unidata_version)
    print(textwrap.fill(" ".join(gaps()), 99))
