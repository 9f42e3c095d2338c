"""A page with an empty profile and a new account for each test."""

import unittest

from browser import Browser
from pages import Pages
from parts import shared
from verifier import Verifier

PIN, NEXT_PIN, WRONG_PIN = "271905", "604817", "604818"


class Parts:
    """A browser and a verifier."""

    def __init__(self):
        self.pages = Pages()
        self.verifier = Verifier(self.pages)
        self.browser = Browser()

    def close(self):
        self.browser.close()
        self.verifier.stop()
        self.pages.close()


class World(unittest.TestCase):
    """An empty profile and a new account for each test."""

    # A class whose tests leave another verifier behind has parts of its own.
    has_own_parts = False

    @classmethod
    def setUpClass(cls):
        parts = Parts() if cls.has_own_parts else shared(Parts)
        if cls.has_own_parts:
            cls.addClassCleanup(parts.close)
        cls.pages, cls.verifier, cls.browser = parts.pages, parts.verifier, parts.browser

    def setUp(self):
        self.pages.rule = None
        self.pages.calls.clear()
        self.verifier.add_account()
        self.browser.open(self.pages)
        self.browser.call("/tests/profile.js", "wipe")
        self.open_device()

    def open(self, **options):
        """Loads the page again, as after a restart."""
        self.browser.open(self.pages)
        self.open_device(**options)

    def open_device(self, **options):
        self.assertEqual(self.device("open", self.verifier.keys, options)["code"], "done")

    def device(self, name, *values):
        return self.browser.call("/tests/device.js", name, *values)

    def expect(self, code, result):
        self.assertEqual(result["code"], code, result)
        return result

    def activate(self, pin=PIN):
        activation = self.verifier.activation()
        self.expect("done", self.device("claim", activation["id"], activation["code"]))
        result = self.expect("done", self.device("commit", pin))
        self.assertEqual([one["outcome"] for one in result["value"]], ["enrolled"])

    def shown(self, title, *amount, **members):
        """Requests a payment, and shows it in the browser."""
        transaction = self.verifier.ask(title, *amount, **members)
        result = self.expect("done", self.device("transaction", transaction["id"]))
        self.assertEqual(result["value"]["content"]["title"], title)
        return transaction

    def drop_answers(self, route, count, *, before=False):
        """Loses the next responses of a route, or the requests before they arrive."""
        left = [count]

        def rule(call):
            if call.route != route or left[0] == 0:
                return call.forward()
            left[0] -= 1
            if not before:
                call.forward()
            return None

        self.pages.rule = rule
