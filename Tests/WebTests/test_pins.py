"""The rules for new PINs: the same examples as for the library."""

import re
import unittest

from pages import ROOT
from parts import shared
from world import Parts

EXAMPLES = ROOT / "Tests/TransactionApprovalTests/PIN/PINPolicyTests.swift"
ANY_LENGTH = {"minimumDigits": 4, "maximumDigits": 12}


class PINs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        parts = shared(Parts)
        cls.browser = parts.browser
        cls.browser.open(parts.pages)

    def rule(self, pin, policy):
        return self.browser.call("/approve/pins.js", "brokenRule", pin, policy)

    def test_pins_that_are_tried_first_and_others(self):
        refused, allowed = EXAMPLES.read_text().split("private let ")[1:]
        count = 0
        for rule, pins in re.findall(r"\.(\w+): \[([^\]]*)\]", refused):
            for pin in re.findall(r'"(\d+)"', pins):
                self.assertEqual(self.rule(pin, ANY_LENGTH), rule, pin)
                count += 1
        self.assertEqual(count, 100)
        others = re.findall(r'"(\d+)"', allowed)
        self.assertGreaterEqual(len(others), 100)
        for pin in others:
            self.assertIsNone(self.rule(pin, ANY_LENGTH), pin)

    def test_the_length_and_the_digits(self):
        policy = {"minimumDigits": 6, "maximumDigits": 12}
        expected = {
            "": "tooShort", "83051": "tooShort", "830592": None, "830519274608": None,
            "8305192746083": "tooLong", "83051a": "notDigits", "８３０５１９": "notDigits",
            "٨٣٠٥١٩": "notDigits", " 830519": "notDigits", "830519\n": "notDigits",
        }
        for pin, rule in expected.items():
            self.assertEqual(self.rule(pin, policy), rule, repr(pin))
