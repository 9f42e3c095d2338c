"""A person who pays in Chromium at the running ACS, and approves on a device."""

import datetime
import json
import re
import urllib.parse

from browser import Browser
from device import Device
from issuer import CardVerifier, Issuer
from parts import shared
from shopper import Visitor, profile_without_scripts
from watch import Watch

PAID, UNPAID = "Thank you for your order", "Your order is not paid"
# The requests of a browser that a challenge needs.
NEEDED = re.compile(
    r"POST /3ds/(browser|method)|GET /3ds/page/[\w-]{22}(\?note=\w+)?"
    r"|GET /3ds/page/[\w-]{22}/state\?wait=25&state=\w+"
    r"|POST /3ds/page/[\w-]{22}/(continue|again|cancel)")
DECISION = '"route":"POST /device/v1/decision"'
REQUEST = '/accounts/{accountType}/{accountID}/transactions","outcome":"done","status":201'


class Bank:
    """The servers, a person with a device, and the number of their card."""

    members = {"consent": True}

    def __init__(self):
        self.verifier = CardVerifier()
        self.verifier.add_account()
        self.device = Device(self.verifier)
        self.issuer = Issuer(self.verifier, **self.members)
        self.card = self.issuer.add_card()

    def log(self, text):
        """The lines in the log of the verifier that have the text."""
        lines = self.verifier.log.read_text().splitlines()
        return [json.loads(line) for line in lines if text in line]

    def decision_time(self):
        """When the verifier had stored the last decision, in seconds since 1970."""
        return datetime.datetime.fromisoformat(self.log(DECISION)[-1]["time"]).timestamp()

    def close(self):
        self.issuer.close()
        self.device.close()
        self.verifier.stop()


class Window:
    """A browser that trusts the servers of the bank, and its watch."""

    def __init__(self, bank, profile=None):
        self.browser = Browser(profile, arguments=[bank.issuer.browser_argument])
        self.watch = Watch(self.browser.driver)

    def close(self):
        self.watch.close()
        self.browser.close()


class SharedWindow(Window):
    def __init__(self):
        super().__init__(shared(Bank))


class SharedWindowWithoutScripts(Window):
    def __init__(self):
        super().__init__(shared(Bank), profile_without_scripts())


class Buyer(Visitor):
    """Each test ends with no report of the browser, and with no request that has no reason."""

    has_scripts = True

    @classmethod
    def setUpClass(cls):
        window = shared(SharedWindow if cls.has_scripts else SharedWindowWithoutScripts)
        cls.use(shared(Bank), window)

    @classmethod
    def use(cls, bank, window):
        cls.bank, cls.issuer, cls.peer = bank, bank.issuer, bank.issuer.peer
        cls.window, cls.watch, cls.driver = window, window.watch, window.browser.driver

    def setUp(self):
        self.transaction = None
        self.leave()
        self.watch.forget()
        self.first_line = len(self.issuer.log.lines)
        # Statuses of the ACS's responses.
        self.permitted = {200, 303}
        self.addCleanup(self.see_no_breach)

    def leave(self):
        self.leave_frame()
        self.driver.get("about:blank")
        for one in self.bank.device.pending():
            self.bank.device.run("reject", one["id"])

    def see_no_breach(self):
        self.leave()
        self.watch.settle()
        self.assertEqual(self.watch.reports, [])
        self.assertEqual([one for one in self.acs_requests() if not NEEDED.fullmatch(one)], [])
        own = (self.issuer.origin, *self.shop_origins, "about:")
        self.assertEqual([one for one in self.watch.requests if not one[1].startswith(own)], [])
        # A browser also requests icons, which no page can see.
        lines = [line for _, line in self.issuer.log.lines[self.first_line:]]
        self.assertEqual([one for one in lines if one.get("status", 200) not in self.permitted], [])

    @property
    def shop_origins(self):
        port = urllib.parse.urlsplit(self.address).port
        return "https://127.0.0.1:%d" % port, "https://localhost:%d" % port

    def acs_requests(self):
        """The requests of the browser to the ACS so far."""
        return [method + " " + address.removeprefix(self.issuer.origin)
                for method, address in self.watch.requests if address.startswith(self.issuer.origin)]

    def count(self, pattern):
        self.watch.settle()
        return sum(bool(re.fullmatch(pattern, one)) for one in self.acs_requests())

    # The shop.

    def offer(self, **members):
        self.address = self.peer.run("offer", **{
            "card": self.bank.card, "automatic": False, "end": "other", **members})["address"]

    def order(self, **members):
        """Presses the button of the shop, which sends the AReq."""
        self.offer(**members)
        self.leave_frame()
        self.driver.get(self.address)
        self.press("Pay with your card")
        self.see_heading("Approve the payment at your bank")
        self.transaction = self.peer.run("shop")["transactions"][-1]

    def pay(self, frame="03", **members):
        """Goes from the shop to the challenge page, which is in a frame of a window size."""
        self.order(frame=frame, **members)
        self.press("Continue")
        self.is_in_frame = bool(frame)
        self.see_heading("Approve on your device")

    # The device.

    def waiting(self):
        [one] = self.bank.device.pending()
        return one

    def approve(self):
        self.bank.device.approve(self.waiting()["id"])

    def consent(self):
        self.bank.device.consent(self.waiting()["id"])

    # The end.

    def see_end(self, status, heading=None):
        """The page moved on by itself, and the shop got the result that the RReq has."""
        self.see_heading(heading or (PAID if status == "Y" else UNPAID))
        self.assertIn(self.driver.execute_script("return location.origin"), self.shop_origins[1])
        return self.see_result(status)

    def see_result(self, status):
        """The RReq and the only post to notificationURL, which the peer judged."""
        [post] = self.peer.run("shop", transaction=self.transaction)["posts"]
        self.assertEqual(post["path"], "/notify")
        self.assertEqual(post["names"], ["cres", "threeDSSessionData"])
        self.assertTrue(post["session"]["identical"])
        self.assertEqual(post["cres"]["transStatus"], status)
        results = self.peer.run("results", transaction=self.transaction)["results"]
        [result] = results[self.transaction]["results"]
        self.assertEqual(result["rreq"]["transStatus"], status)
        return result["rreq"], post
