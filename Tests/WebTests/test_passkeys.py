"""A passkey of Chromium's virtual authenticator, whose output is mixed into the seeds."""

import unittest

from browser import Browser
from impostor import Impostor, policy
from pages import Pages

PIN = "271905"


class Passkeys(unittest.TestCase):
    def setUp(self):
        # WebAuthn needs a host name.
        self.pages, self.browser = Pages("localhost"), Browser()
        self.addCleanup(self.pages.close)
        self.addCleanup(self.browser.close)
        self.impostor = Impostor(self.pages, policy(3))
        self.pages.rule = self.impostor
        self.browser.open(self.pages)
        self.command("enable")
        self.open()

    def open(self):
        self.browser.open(self.pages)
        options = {"passkeys": {"isReal": True}}
        self.expect("done", self.device("open", self.impostor.keys, options))

    def command(self, name, **values):
        return self.browser.driver.execute_cdp_cmd("WebAuthn." + name, values)

    def add_authenticator(self, **changes):
        options = {
            "protocol": "ctap2", "transport": "internal", "hasUserVerification": True,
            "hasResidentKey": True, "isUserVerified": True, "hasPrf": True,
            "automaticPresenceSimulation": True,
        }
        return self.command(
            "addVirtualAuthenticator", options={**options, **changes})["authenticatorId"]

    def device(self, name, *values):
        return self.browser.call("/tests/device.js", name, *values)

    def expect(self, code, result):
        self.assertEqual(result["code"], code, result)
        return result

    def code(self):
        """The code of a PIN check at counter 5."""
        self.browser.call("/tests/profile.js", "setCounters", ["5"])
        self.expect("done", self.device("checkPIN", PIN))
        return self.pages.calls[-1].message["envelope"]["code"]

    def claim(self):
        offer = self.expect("done", self.device("claim", *self.impostor.activation.values()))
        self.assertTrue(offer["value"]["needsPasskey"])

    def test_the_code_needs_the_authenticator_that_made_the_passkey(self):
        authenticator = self.add_authenticator()
        self.claim()
        self.expect("done", self.device("commit", PIN))
        first = self.code()
        self.open()
        self.assertEqual(self.code(), first)
        before = len(self.pages.calls)
        self.command("setUserVerified", authenticatorId=authenticator, isUserVerified=False)
        self.expect("passkeyFailed", self.device("checkPIN", PIN))
        self.command("removeVirtualAuthenticator", authenticatorId=authenticator)
        self.add_authenticator()
        self.expect("passkeyFailed", self.device("checkPIN", PIN))
        self.assertEqual(len(self.pages.calls), before)

    def test_an_authenticator_without_prf_activates_nothing(self):
        self.add_authenticator(hasPrf=False)
        self.claim()
        self.expect("passkeyMissing", self.device("commit", PIN))
        self.assertEqual(self.impostor.routes, ["activation/claim"])
        self.assertEqual(self.browser.call("/tests/profile.js", "recordCount"), 0)
