"""Changes of the accounts by the bank and other devices."""

import unittest

from person import Person
from world import World

# Whether the page has the responses to this number of requests for changes.
ANSWERED = """
return performance.getEntriesByType('resource')
    .filter(({ name, responseEnd }) => name.endsWith('/changes') && responseEnd > 0).length >= arguments[0];
"""


class Warnings(Person):
    """SEC-120: the page warns of changes that it did not show before, until it shows them."""

    def test_a_change_is_announced_above_each_screen_until_it_is_shown(self):
        self.activate()
        self.until_text(self.words["nothingWaits"])
        self.assertNotIn(self.words["newChanges"], self.text)
        for screen in ("Settings", "Requests"):
            self.server.activation()
            self.until_text(self.words["newChanges"])
            if screen == "Settings":
                self.press(screen)
            self.until_heading(screen)
            self.assertIn(self.words["newChanges"], self.text)
            self.press(self.words["showChanges"])
            self.until_heading(self.words["changes"])
            self.until_text("The bank issued an activation code for")
            self.until_text(self.words["changesAdvice"])
            self.until_gone()
            self.press("Back")
            self.until_heading("Requests")

    def test_a_page_that_is_opened_again_warns_only_of_what_it_did_not_show(self):
        self.activate()
        self.server.activation()
        self.until_text(self.words["newChanges"])
        self.open()
        self.until_text(self.words["newChanges"])
        self.press("Changes of your accounts")
        self.until_heading(self.words["changes"])
        self.until_gone()
        self.open()
        self.until(lambda driver: driver.execute_script(ANSWERED, 1))
        self.until_text(self.words["nothingWaits"])
        self.assertNotIn(self.words["newChanges"], self.text)

    def test_a_removed_account_needs_no_warning(self):
        self.activate()
        self.server.activation()
        self.until_text(self.words["newChanges"])
        self.press("Settings")
        self.press("Remove this device: " + self.server.account.replace("/", " "))
        self.press("Remove this device")
        self.until_heading(self.words["setUpTitle"])
        self.assertNotIn(self.words["newChanges"], self.text)

    def test_a_revoked_device_keeps_no_warning(self):
        self.activate()
        first = self.server.account
        [device] = self.server.call("/devices")["devices"]
        self.server.add_account()
        self.activate_further()
        self.server.command("revoke", first, device["id"], "--yes")
        self.server.activation()
        self.until_text(self.words["newChanges"])
        self.press(self.words["showChanges"])
        self.until_heading(self.words["changes"])
        self.until_gone()

    def test_a_page_that_a_link_opened_warns(self):
        self.activate()
        self.server.activation()
        self.until_text(self.words["newChanges"])
        self.open("#login=aGk&return=https%3A%2F%2Fbank.example%2Fin")
        self.until_text(self.words["newChanges"])

    def until_gone(self):
        self.until_page("return !document.body.innerText.includes(values[0]);", self.words["newChanges"])


class NewChanges(World):
    def expect_new(self, expected):
        self.assertEqual(self.expect("done", self.device("hasNewChanges"))["value"], expected)

    def test_a_list_that_fails_hides_no_change_of_another_account(self):
        self.activate()
        first = self.device("accounts")["value"][0]["device"]
        self.verifier.add_account()
        self.activate()
        self.expect_new(False)
        self.verifier.activation()
        self.pages.rule = lambda call: (
            None if call.route == "account/changes" and first in call.fields["Signature-Input"]
            else call.forward())
        self.expect_new(True)

    def test_it_is_unknown_whether_a_list_that_fails_has_changes(self):
        self.activate()
        self.pages.rule = lambda call: (
            None if call.route == "account/changes" else call.forward())
        self.assertIsNone(self.expect("done", self.device("hasNewChanges")).get("value"))

    def test_a_change_is_new_until_it_is_noted(self):
        self.activate()
        self.verifier.activation()
        changes = self.expect("done", self.device("changes"))["value"]["changes"]
        self.expect_new(True)
        self.expect("done", self.device("noteSeenChanges", changes))
        self.expect_new(False)
        self.open()
        self.expect_new(False)
        # The list has only the last code of an account.
        self.verifier.activation()
        self.expect_new(True)


if __name__ == "__main__":
    unittest.main()
