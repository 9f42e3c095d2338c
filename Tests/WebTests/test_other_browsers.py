"""The page in Firefox and in WebKitGTK: an activation from the link, and an approval with the PIN."""

import shutil
import time
import unittest

from person import PIN
from verifier import WebServer, payment


class Journey:
    def start(self, name, browser):
        missing = [program for program in browser.PROGRAMS if not shutil.which(program)]
        if missing:
            print("Not tested: the device in %s, because %s is missing." % (name, " and ".join(missing)))
            self.skipTest(name + " is missing")
        self.server = WebServer()
        self.addCleanup(self.server.stop)
        self.server.add_account()
        self.browser = browser()
        self.addCleanup(self.browser.close)
        print("%s %s" % (name, self.browser.name))

    def until(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline, self.browser.text())
            time.sleep(0.05)

    def press(self, label):
        self.until(lambda: self.browser.press(label))

    def type(self, label, text):
        self.until(lambda: self.browser.type(label, text))

    def until_text(self, text):
        self.until(lambda: text in self.browser.text())

    def activate_and_approve(self):
        activation = self.server.activation()
        self.browser.go("%s/approve/#activation=%s" % (self.server.origin, activation["id"]))
        self.type("Activation code", activation["code"])
        self.press("Next")
        self.type("New PIN", PIN)
        self.type("New PIN, again", PIN)
        self.press("Next")
        self.until_text("This browser is set up.")
        # The keys and counters are stored. WebKit may keep the page that is left, which must block nothing.
        self.browser.go("about:blank")
        self.browser.go(self.server.origin + "/approve/")
        self.until_text("Nothing waits for your decision.")
        transaction = self.server.pay(payment("Apples"))
        self.press("Apples")
        self.until_text("DE89 3704 0044 0532 0130 00")
        self.type("PIN", "271906")
        self.press("Approve")
        self.until_text("The PIN is wrong. 4 attempts are left. Nothing was approved.")
        self.assertEqual(self.server.state(transaction), "pending")
        self.type("PIN", PIN)
        self.press("Approve")
        self.until_text("Approved: Apples")
        self.assertEqual(self.server.state(transaction), "approved")


class InFirefox(Journey, unittest.TestCase):
    def test_activates_and_approves(self):
        from firefox import Firefox
        self.start("Firefox", Firefox)
        self.activate_and_approve()


class InWebKit(Journey, unittest.TestCase):
    def test_activates_and_approves(self):
        from webkit import WebKit
        self.start("WebKitGTK", WebKit)
        self.activate_and_approve()
