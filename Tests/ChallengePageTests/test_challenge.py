"""A challenge from the checkout to its end, with and without scripts."""

import unittest

from servers import WAIT, decoded
from shopper import Shopper


class Challenges(Shopper):
    """The end of a challenge that all tests have."""

    def see_result(self, challenge):
        """The form of the last page arrived once, and the shop's redirect to another origin."""
        self.see_heading("/thanks")
        self.assertEqual(len(self.world.results), 1)
        fields, headers = self.world.results[0]
        self.assertEqual(sorted(fields), ["cres", "threeDSSessionData"])
        self.assertEqual(decoded(fields["cres"][0]), '{"messageType":"CRes"}')
        self.assertEqual(fields["threeDSSessionData"], [challenge.session_data])
        for name in ("Referer", "Cookie"):
            self.assertNotIn(name, headers)


class WithScripts(Challenges):
    def test_an_approval_ends_the_page_by_itself(self):
        challenge = self.world.challenge()
        # Every character that a form can carry comes back.
        challenge.session_data = "\"<&>'\r\n=+ %00 ÿ"
        self.pay(challenge)
        self.assertEqual(self.text("bdi"), "CoffeeHouse2 (Dæmø)")
        self.until(lambda: challenge.polls)
        start = self.text("time")
        self.until(lambda: self.text("time") != start)
        challenge.over.set()
        self.see_result(challenge)
        self.assertEqual(len(challenge.polls), 1)
        self.leave_frame()
        self.assertEqual(self.text("h1"), "Shop")

    def test_the_forms_send_what_the_person_presses(self):
        challenge = self.world.challenge()
        self.pay(challenge)
        self.press("I have approved")
        self.until(lambda: "no result yet" in self.text("[role=status]"))
        self.press("Ask my device again")
        self.until(lambda: "sent to your device again" in self.text("[role=status]"))
        self.press("Cancel the payment")
        self.see_result(challenge)
        self.assertEqual(challenge.actions, ["continue", "again", "cancel"])

    def test_an_expired_request_is_shown_and_can_be_repeated(self):
        challenge = self.world.challenge()
        challenge.states = ["pending", "expired"]
        # The same state as that of the page loads nothing.
        challenge.faults = [(200, b'{"state":"expired"}')] * 3
        self.pay(challenge)
        self.until(lambda: "has expired" in self.text("[role=status]"))
        self.until(lambda: len(challenge.polls) == 4)
        self.assertEqual(len(challenge.loads), 2)
        buttons = [button.text for button in self.driver.find_elements("css selector", "button")]
        self.assertEqual(buttons, ["Ask my device again", "Cancel the payment"])
        # The page gets its new state before the response to the form, and does not stop the form.
        challenge.states = ["pending"]
        challenge.is_slow = True
        self.press("Ask my device again")
        self.until(lambda: "sent to your device again" in self.text("[role=status]"))
        self.assertEqual(len(challenge.loads), 3)
        challenge.over.set()
        self.see_result(challenge)

    def test_a_page_that_is_left_ends_its_request(self):
        challenges = [self.world.challenge() for _ in range(8)]
        # A browser has six connections to a host, and keeps pages for the back button.
        for challenge in challenges:
            self.driver.get(self.world.address(challenge))
            self.until(lambda: challenge.polls)
        self.assertLess(challenges[-1].polls[0] - challenges[0].polls[0], WAIT - 5)

    def test_a_reload_and_the_back_button_repeat_no_form(self):
        challenge = self.world.challenge()
        self.pay(challenge, target="_self")
        self.driver.refresh()
        self.until(lambda: len(challenge.loads) == 2)
        self.press("I have approved")
        self.until(lambda: challenge.actions == ["continue"])
        self.driver.refresh()
        self.driver.back()
        self.see_heading("Approve on your device")
        challenge.over.set()
        self.see_result(challenge)
        self.driver.back()
        self.see_heading("Shop")
        self.assertEqual(self.world.requested, 1)
        self.assertEqual(challenge.actions, ["continue"])
        self.assertEqual(len(self.world.results), 1)

    def test_a_challenge_that_is_unknown_ends_in_words(self):
        challenge = self.world.challenge()
        challenge.faults = [(404,)]
        self.pay(challenge)
        self.world.challenges = {}
        self.see_heading("There is no request at this address")

    def test_the_device_opens_in_a_tab_of_its_own(self):
        challenge = self.world.challenge(device=self.world.other.origin + "/approve")
        self.pay(challenge)
        shop = self.driver.current_window_handle
        self.find("a").click()
        [tab] = self.until(lambda: set(self.driver.window_handles) - {shop})
        self.addCleanup(self.driver.switch_to.window, shop)
        self.leave_frame()
        self.driver.switch_to.window(tab)
        self.addCleanup(self.driver.close)
        self.see_heading("/approve")
        self.assertEqual(
            self.driver.execute_script("return [window.opener, document.referrer]"), [None, ""])


class WithoutScripts(Challenges):
    has_scripts = False

    def test_the_page_loads_itself_again_and_its_buttons_work(self):
        challenge = self.world.challenge()
        self.pay(challenge)
        self.press("I have approved")
        self.until(lambda: "no result yet" in self.text("[role=status]"))
        loads = len(challenge.loads)
        challenge.over.set()
        self.see_heading("Back to the shop")
        self.assertEqual(len(challenge.loads), loads + 1)
        self.assertEqual(self.world.results, [])
        self.press("Continue")
        self.see_result(challenge)
        self.assertEqual((challenge.polls, challenge.actions), ([], ["continue"]))


if __name__ == "__main__":
    unittest.main()
