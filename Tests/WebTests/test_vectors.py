"""The protocol's vectors, through the page's own code in Chromium."""

import json
import unittest

from browser import Browser
from pages import ROOT, Pages

# A web device scans no activation URI, has its own derivation of seeds, and makes no typed codes.
OTHER_DEVICES = {"activation-uri", "credential-seed", "typed-code"}


class Vectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages, cls.browser = Pages(), Browser()
        cls.browser.open(cls.pages)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.pages.close()

    def test_every_case_of_every_file_that_concerns_a_web_device(self):
        types = self.browser.page.value("import('/tests/vectors.js').then(({ types }) => types)")
        found = set()
        for file in sorted((ROOT / "Vectors/Protocol").glob("*.json")):
            document = json.loads(file.read_text())
            kind = document["type"]
            if kind in OTHER_DEVICES:
                print("%-24s not for a web device" % file.name)
                continue
            with self.subTest(file.name):
                self.assertIn(kind, types)
                found.add(kind)
                result = self.browser.call("/tests/vectors.js", "run", file.name)
                print("%-24s %3d cases, %2d of them refused" % (
                    file.name, result["count"], result["refused"]))
                self.assertEqual(result["problems"], [])
                self.assertEqual(result["count"], len(document["cases"]))
                self.assertGreater(result["count"], 0)
        self.assertEqual(found, set(types))
