"""The addresses to which the page returns a person."""

import unittest

from parts import shared
from world import Parts

BANK = {"returnAddresses": ["https://bank.example", "com.bank.app://done"]}
SHOPS = {"returnAddresses": ["https://*"]}


class Returns(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        parts = shared(Parts)
        cls.browser = parts.browser
        cls.browser.open(parts.pages)

    def allows(self, name, policy, address):
        return self.browser.call("/approve/policy.js", name, policy, address)

    def test_a_transaction_returns_to_listed_addresses_and_to_all_websites(self):
        for policy, address, expected in (
            (BANK, "https://bank.example/done?id=1", True),
            (BANK, "https://bank.example", True),
            (BANK, "com.bank.app://done/now", True),
            (BANK, "https://bank.example.evil.example/", False),
            (BANK, "https://shop.example/", False),
            (BANK, None, False),
            (SHOPS, "https://shop.example/back?transID=1", True),
            (SHOPS, "http://shop.example/", False),
            (SHOPS, "com.shop.app://back", False),
            (SHOPS, "https://*/", False),
        ):
            self.assertEqual(self.allows("allowsReturn", policy, address), expected, address)

    def test_a_login_never_returns_to_all_websites(self):
        for policy, origin, expected in (
            (BANK, "https://bank.example", True),
            (BANK, "https://shop.example", False),
            (SHOPS, "https://shop.example", False),
            (SHOPS, "https://*", False),
        ):
            self.assertEqual(self.allows("allowsLoginReturn", policy, origin), expected, origin)
