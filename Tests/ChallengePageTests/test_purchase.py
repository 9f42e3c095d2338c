"""Purchases at the running ACS: a verifier, a device, and a shop whose page has the challenge."""

import base64
import json
import re
import time
import unittest
import uuid

from axe import AXE, RUN_AXE
from buyer import REQUEST, Buyer
from selenium.webdriver.common.by import By

PAGE = r"GET /3ds/page/[\w-]{22}(\?.*)?"
STATE = r"GET /3ds/page/.*/state\?wait=25&state=\w+"
SIZES = {"01": (250, 400), "02": (390, 400), "03": (500, 600), "04": (600, 400), "05": (1280, 800)}
# The page needs no scrolling to the side.
FITS = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
# As a shop begins the 3DS Method before its AReq.
METHOD = """
    const frame = document.createElement("iframe"), form = document.createElement("form");
    const field = document.createElement("input");
    frame.hidden = true;
    frame.name = form.target = "method";
    form.method = "post";
    form.action = arguments[0];
    field.name = "threeDSMethodData";
    field.value = arguments[1];
    form.append(field);
    document.body.append(frame, form);
    form.submit();
"""


class WithScripts(Buyer):
    def test_an_approval_ends_the_page_in_each_window_size(self):
        for size, (width, height) in SIZES.items():
            with self.subTest(size):
                self.watch.forget()
                begin = time.monotonic()
                self.pay(size)
                self.assertEqual(
                    self.driver.execute_script("return [innerWidth, innerHeight]"), [width, height])
                self.assertTrue(self.driver.execute_script(FITS))
                # The bank named no web device.
                self.assertEqual(self.driver.find_elements(By.TAG_NAME, "a"), [])
                self.until(lambda: self.count(STATE) >= 1)
                self.approve()
                rreq, _ = self.see_end("Y")
                self.assertEqual(rreq["authenticationMethod"], "09")
                # The page was one request, and its end another one. A wait begins every 25 seconds.
                waits = 1 + int((time.monotonic() - begin) / 25)
                self.assertEqual(self.count(PAGE), 2)
                self.assertLessEqual(self.count(STATE), waits)
                self.leave_frame()
                self.see_heading("Approve the payment at your bank")

    def test_the_method_is_complete_in_a_hidden_frame(self):
        self.offer()
        self.driver.get(self.address)
        shop = self.driver.execute_script("return location.origin")
        data = json.dumps({
            "threeDSServerTransID": str(uuid.uuid4()), "threeDSMethodNotificationURL": shop + "/method"})
        encoded = base64.urlsafe_b64encode(data.encode()).decode().rstrip("=")
        self.driver.execute_script(METHOD, self.issuer.origin + "/3ds/method", encoded)
        self.until(lambda: ("POST", shop + "/method") in self.watch.requests)
        self.assertEqual(self.acs_requests(), ["POST /3ds/method"])

    def test_a_rejection_ends_the_page(self):
        self.pay()
        self.bank.device.run("reject", self.waiting()["id"])
        rreq, _ = self.see_end("N")
        self.assertNotEqual(rreq["transStatusReason"], "11")

    def test_the_buttons_of_the_page(self):
        self.pay()
        self.press("I have approved")
        self.until(lambda: "no result yet" in self.text("[role=status]"))
        self.press("Ask my device again")
        status = "no result yet"
        self.until(lambda: status not in self.text("[role=status]"))
        # It is too early, or an earlier test muted the person.
        self.assertRegex(self.text("[role=status]"), "half a minute|cannot be sent again")
        self.press("Cancel the payment")
        rreq, _ = self.see_end("N")
        self.assertEqual(rreq["challengeCancel"], "01")
        self.assertEqual(self.bank.device.pending(), [])

    def test_a_reload_and_the_back_button_repeat_nothing(self):
        requested = len(self.bank.log(REQUEST))
        self.pay(frame=None)
        self.driver.refresh()
        self.see_heading("Approve on your device")
        self.driver.back()
        self.see_heading("Approve the payment at your bank")
        self.driver.forward()
        self.see_heading("Approve on your device")
        self.press("I have approved")
        self.until(lambda: "no result yet" in self.text("[role=status]"))
        self.driver.refresh()
        self.until(lambda: "no result yet" in self.text("[role=status]"))
        self.driver.back()
        self.until(lambda: "Waiting" in self.text("[role=status]"))
        self.approve()
        self.see_end("Y")
        self.driver.refresh()
        self.see_end("Y")
        self.driver.back()
        self.see_heading("Approve the payment at your bank")
        self.assertEqual(self.count("POST /3ds/browser"), 1)
        self.assertEqual(self.count("POST /3ds/page/.*"), 1)
        self.assertEqual(len(self.bank.log(REQUEST)), requested + 1)
        self.see_result("Y")

    def test_a_second_form_of_the_shop_leads_to_the_same_page(self):
        requested = len(self.bank.log(REQUEST))
        self.pay(frame=None)
        page = self.driver.current_url
        self.driver.back()
        self.press("Continue")
        self.see_heading("Approve on your device")
        self.assertEqual(self.driver.current_url, page)
        self.approve()
        self.see_end("Y")
        self.assertEqual(len(self.bank.log(REQUEST)), requested + 1)

    def test_a_frame_can_be_loaded_again_and_goes_back(self):
        self.pay()
        self.driver.execute_script("location.reload()")
        self.until(lambda: self.count(PAGE) == 2)
        self.see_heading("Approve on your device")
        self.press("I have approved")
        self.until(lambda: "no result yet" in self.text("[role=status]"))
        self.driver.execute_script("history.back()")
        self.until(lambda: "Waiting" in self.text("[role=status]"))
        self.approve()
        self.see_end("Y")
        self.assertEqual(self.count("POST /3ds/browser"), 1)

    def test_a_person_who_did_not_buy(self):
        self.pay()
        self.bank.device.run("reject", self.waiting()["id"], "--not-me")
        rreq, _ = self.see_end("N")
        self.assertEqual(rreq["transStatusReason"], "11")


class Looks(Buyer):
    """axe-core finds nothing on the pages of the running ACS."""

    def see_no_barrier(self):
        self.driver.execute_script(AXE)
        result = self.driver.execute_async_script(RUN_AXE)
        self.assertGreater(result["passes"], 5, result)
        self.assertEqual(result["found"], [])

    def test_of_every_state(self):
        self.pay()
        self.see_no_barrier()
        for button in ("I have approved", "Ask my device again"):
            status = self.text("[role=status]")
            self.press(button)
            self.until(lambda: self.text("[role=status]") != status)
            self.see_no_barrier()

    def test_of_the_last_page(self):
        self.pay(end="stay")
        self.approve()
        self.see_heading("Back to the shop")
        self.until(lambda: self.peer.run("shop", transaction=self.transaction)["posts"])
        self.see_no_barrier()
        self.see_result("Y")

    def test_of_the_number_that_the_person_types(self):
        self.bank.verifier.set_policy("bank", {"numberMatchingDigits": 2})
        self.addCleanup(self.bank.verifier.set_policy, "bank", {})
        self.pay()
        self.assertRegex(self.text(".number"), "^[0-9]{2}$")
        self.see_no_barrier()
        self.press("Cancel the payment")
        self.see_end("N")

    def test_of_the_pages_of_words(self):
        self.permitted |= {400, 404}
        self.order()
        self.driver.execute_script("document.querySelector('[name=creq]').value = '!'")
        self.press("Continue")
        self.see_heading("The request cannot be read")
        self.see_no_barrier()
        self.driver.get(self.issuer.origin + "/3ds/page/" + "A" * 22)
        self.see_heading("There is no request at this address")
        self.see_no_barrier()
        self.watch.settle()
        statuses = [text for text, _ in self.watch.reports]
        self.assertEqual([re.search("status of [0-9]+", text)[0] for text in statuses],
                         ["status of 400", "status of 404"])
        self.watch.reports = []

    def test_the_watch_finds_a_breach(self):
        self.pay()
        self.driver.execute_script("document.body.innerHTML += '<img src=/x><b style=color:red>'")
        self.driver.execute_script("navigator.sendBeacon('/y')")
        self.until(lambda: self.count("POST /y"))
        reports = json.dumps(self.watch.reports)
        for directive in ("img-src", "style-src-attr"):
            self.assertIn(json.dumps("policy violation")[1:-1], reports)
            self.assertIn(directive, reports)
        with self.assertRaises(AssertionError):
            self.see_no_breach()
        self.watch.forget()
        self.permitted.add(404)


class WithoutScripts(Buyer):
    has_scripts = False

    def test_an_approval_ends_the_page_that_loads_itself_again(self):
        for size in ("01", "05"):
            with self.subTest(size):
                self.watch.forget()
                self.pay(size)
                self.approve()
                self.see_heading("Back to the shop")
                self.press("Continue")
                self.see_end("Y")
                self.assertEqual(self.count(STATE), 0)

    def test_the_buttons_of_the_page(self):
        requested = len(self.bank.log(REQUEST))
        self.pay(frame=None)
        self.driver.refresh()
        self.press("I have approved")
        self.until(lambda: "no result yet" in self.text("[role=status]"))
        self.driver.refresh()
        self.driver.back()
        self.see_heading("Approve on your device")
        self.press("Cancel the payment")
        self.see_heading("Back to the shop")
        self.driver.refresh()
        self.press("Continue")
        rreq, _ = self.see_end("N")
        self.assertEqual(rreq["challengeCancel"], "01")
        self.driver.refresh()
        self.driver.back()
        self.see_heading("Back to the shop")
        self.see_result("N")
        self.assertEqual(self.count("POST /3ds/browser"), 1)
        self.assertEqual(len(self.bank.log(REQUEST)), requested + 1)


if __name__ == "__main__":
    unittest.main()
