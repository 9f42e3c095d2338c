"""The picture of the page in README."""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class PictureTests(unittest.TestCase):
    def test_shows_the_texts_of_the_page(self):
        drawn = subprocess.run(
            [sys.executable, ROOT / "Packaging/page-picture"], capture_output=True, text=True, check=True)
        self.assertEqual(texts(drawn.stdout), texts((ROOT / "docs/web-device.svg").read_text()))


def texts(picture):
    """All texts, without the id and the deadline of the transaction, which differ each time."""
    found = re.findall(">([^<]+)</text>", picture)
    assert "Grocer" in found and "Approve" in found
    deadline = found.index("Decide before")
    return found[:deadline + 1] + found[found.index("PIN"):]


if __name__ == "__main__":
    unittest.main()
