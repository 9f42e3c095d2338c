"""The subscription of a browser: for one key of the verifier, and for each account."""

import unittest

from browser import Browser
from pages import Pages

FIRST, SECOND = "BAEB", "BAIC"


class Notifications(unittest.TestCase):
    def setUp(self):
        self.pages, self.browser = Pages("localhost"), Browser()
        self.addCleanup(self.pages.close)
        self.addCleanup(self.browser.close)
        # In the scope of the service worker.
        self.browser.driver.get(self.pages.origin + "/approve/index.html")

    def page(self, name, *values):
        return self.browser.call("/tests/notifications.js", name, *values)

    def state(self):
        found = self.page("state")
        return found["isOn"], found["settings"]

    def test_all_accounts_get_the_subscription_and_lose_it(self):
        self.page("open", FIRST, ["one", "two"])
        self.assertEqual(self.state(), (False, {}))
        self.assertEqual(self.page("set", True), "done")
        address = "https://push.example/1"
        self.assertEqual(self.state(), (True, {"one": address, "two": address}))
        self.assertEqual(self.page("set", False), "done")
        # No push at all: neither by this service nor by the bank's.
        self.assertEqual(self.state(), (False, {"one": "off", "two": "off"}))

    def test_an_account_that_is_added_gets_the_subscription_only_if_there_is_one(self):
        self.page("open", FIRST, ["one"])
        self.assertEqual(self.page("repeat"), "done")
        self.assertEqual(self.state(), (False, {}))
        self.page("set", True)
        self.page("open", FIRST, ["one", "two"])
        self.assertEqual(self.page("repeat"), "done")
        self.assertEqual(set(self.state()[1]), {"one", "two"})

    def test_a_new_key_of_the_verifier_needs_a_new_subscription(self):
        self.page("open", FIRST, ["one"])
        self.page("set", True)
        self.page("open", SECOND, ["one"])
        self.assertEqual(self.state(), (False, {}))
        self.assertEqual(self.page("set", True), "done")
        self.assertEqual(self.state(), (True, {"one": "https://push.example/2"}))


if __name__ == "__main__":
    unittest.main()
