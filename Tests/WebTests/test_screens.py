"""The page as a person uses it, served by a real verifier."""

import pathlib
import re
import unittest

from person import NEXT_PIN, PIN, Person, with_real_cost
from verifier import payment

# No change of the PIN reaches the verifier after the first one of a page.
CUT_SECOND_CHANGE = """
const send = fetch;
let isChanged = false;
window.fetch = async (request, ...options) => {
    const { pathname } = new URL(request.url ?? request, location);
    const isChange = pathname.endsWith('/rekey');
    if (isChange && isChanged) throw new TypeError('no network');
    isChanged ||= isChange;
    return send(request, ...options);
};
"""


class ScreenTests(Person):
    @with_real_cost
    def test_activates_approves_and_rejects(self):
        self.activate()
        self.assertIn("This browser is set up.", self.text)
        self.assertNotIn("#", self.driver.current_url)
        first = self.server.pay(payment("Apples", reference="order-1"))
        self.open_request("Apples")
        payee = f"{self.words['payee']}\nGrocer\n{self.words['payeeAccount']}\nDE89 3704 0044 0532 0130 00"
        for part in ("47.11 EUR", payee, "order-1", first["id"]):
            self.assertIn(part, self.text)
        deadline = self.driver.execute_script("""
            return [...document.querySelectorAll('dt')].find((term) => term.textContent === arguments[0])
                .nextElementSibling.textContent""", self.words["deadline"])
        self.assertRegex(deadline, r"\d{1,2}:\d{2}:\d{2}")
        self.type("PIN", "271906")
        self.press("Approve")
        self.until_error("The PIN is wrong. 4 attempts are left. Nothing was approved.")
        self.assertEqual(self.state(first), "pending")
        self.type("PIN", PIN)
        self.press("Approve")
        self.until_heading("Approved: Apples")
        self.assertEqual(self.state(first), "approved")
        self.press("To the requests")
        self.until_heading("Requests")
        second = self.server.pay(payment("Pears"))
        self.open_request("Pears")
        self.press("Reject")
        self.press("That was not me")
        self.until_heading("Rejected: Pears")
        self.assertIn("Call your bank now", self.text)
        self.assertEqual(self.state(second), "rejected")

    @with_real_cost
    def test_survives_a_reload_and_changes_the_pin(self):
        self.activate()
        self.driver.refresh()
        self.until_heading("Requests")
        self.press("Settings")
        self.press("Change the PIN")
        for label, pin in (("Old PIN", PIN), ("New PIN", "123456"), ("New PIN, again", "123456")):
            self.type(label, pin)
        self.press("Change the PIN")
        self.until_error("This PIN is easy to guess.")
        for label, pin in (("New PIN", "836194"), ("New PIN, again", "836194")):
            self.type(label, pin)
        self.press("Change the PIN")
        self.until_text("The PIN was changed.")
        self.until_heading("Settings")
        transaction = self.server.pay(payment("Apples"))
        self.press("Back")
        self.open_request("Apples")
        self.type("PIN", "836194")
        self.press("Approve")
        self.until_heading("Approved: Apples")
        self.assertEqual(self.state(transaction), "approved")

    def activate_linked(self):
        """Two linked accounts with one code; returns the second one as the page names it."""
        second = self.server.account
        self.server.add_account()
        self.server.command("account", "link", self.server.account, second)
        self.activate()
        return second.replace("/", " ")

    def open_pin_change(self):
        self.open()
        self.until_heading("Requests")
        self.press("Settings")
        self.press("Change the PIN")
        self.until_heading("Change the PIN")

    def change_pin(self, old, new):
        for label, pin in (("Old PIN", old), ("New PIN", new), ("New PIN, again", new)):
            self.type(label, pin)
        self.press("Change the PIN")

    def test_names_the_accounts_that_a_change_of_the_pin_left(self):
        second = self.activate_linked()
        # A page that is opened again lets one change through.
        self.add_script(CUT_SECOND_CHANGE)
        self.open_pin_change()
        self.change_pin(PIN, NEXT_PIN)
        left = "Not yet changed: the PIN of %s. Type the same PINs again to continue." % second
        self.until_error(left)
        self.open_pin_change()
        self.until_error("The last change of the PIN is not finished for %s." % second)
        self.change_pin(PIN, NEXT_PIN)
        self.until_text("The PIN was changed.")
        self.until_heading("Settings")
        self.press("Change the PIN")
        self.until_heading("Change the PIN")
        self.assertNotIn("is not finished", self.text)

    def test_a_new_pin_has_a_length_that_all_accounts_allow(self):
        self.server.set_policy("bank", {"pin": {"minimumDigits": 6, "maximumDigits": 10}})
        self.addCleanup(self.server.set_policy, "bank", {})
        self.activate("27190538")
        self.server.add_enterprise("other", {"pin": {"minimumDigits": 8, "maximumDigits": 12}})
        self.server.add_account("other")
        self.activate_further("27190538")
        self.open_pin_change()
        self.until_text("Choose a PIN of 8 to 10 digits.")

    def test_a_new_pin_follows_the_policy_that_the_bank_has_now(self):
        self.activate()
        self.addCleanup(self.server.set_policy, "bank", {})
        self.server.set_policy("bank", {"pin": {"minimumDigits": 8, "maximumDigits": 12}})
        self.command("Network.enable")
        self.addCleanup(self.command, "Network.disable")
        for blocked, rule in ((["*/device/v1/status"], "6 to 12"), ([], "8 to 12")):
            self.command("Network.setBlockedURLs", urls=blocked)
            self.press("Settings")
            self.press("Change the PIN")
            self.until_text("Choose a PIN of %s digits." % rule)
            self.press("Back")
            self.until_heading("Settings")
            self.press("Back")
            self.until_heading("Requests")

    def test_a_page_that_the_browser_keeps_has_no_pin(self):
        self.activate()
        self.server.pay(payment("Apples"))
        self.open_request("Apples")
        self.type("PIN", PIN)
        value = "document.querySelector('input').value"
        self.assertEqual(self.value(value), PIN)
        self.value("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
        self.assertEqual(self.value(value), "")

    def test_a_link_in_an_open_page(self):
        self.activate()
        self.driver.execute_script("location.hash = 'activation=01ABCDEFGH'")
        self.until_heading("Approve requests of your bank here")
        field = self.find("input")[0]
        self.assertEqual(field.get_attribute("value"), "01ABCDEFGH")

    def test_many_visits_keep_one_connection(self):
        """A browser keeps a page that was left. Its event stream must not stay open."""
        self.activate()
        for _ in range(6):
            self.leave()
            self.open()
            self.until_heading("Requests")
        self.server.pay(payment("Apples"))
        self.until_text("Apples")
        self.driver.back()
        self.driver.forward()
        self.until_text("Apples")
        self.server.pay(payment("Pears"))
        self.until_text("Pears")
        self.assertNotIn("rateLimited", self.server.log.read_text())

    def test_shows_a_sentence_for_hostile_links(self):
        for fragment in (
            "activation=", "activation=%3Cscript%3E", "activation=1&activation=2", "login=1",
            "x" * 5000, "activation=%E2%80%AE", "login=aGk&return=javascript%3Aalert(1)",
            "login=aGk&return=https%3A%2F%2Fbank.example%2Fin%3Flogin%3D1",
            "login=aGk&return=https%3A%2F%2Fbank.example%40evil.example%2Fin",
            "login=aGk&return=https%3A%2F%2F%40evil.example%2Fin", "login=aGk&return=https%3A%2F%2F%2Fin",
            "login=%s&return=https%%3A%%2F%%2Fbank.example%%2Fin" % ("A" * 4100),
        ):
            self.open("#" + fragment)
            self.until_error("The link is damaged or incomplete.")

    def test_says_what_to_do_with_wrong_input(self):
        activation = self.server.activation()
        self.open()
        self.type("Activation id", "no")
        self.press("Next")
        self.until_error("This is not an activation id.")
        self.type("Activation id", activation["id"])
        self.type("Activation code", "11111-11111-11111-11111")
        self.press("Next")
        self.until_error("The activation code has a typing error.")
        self.type("Activation code", activation["code"])
        self.press("Next")
        self.until_heading("Choose a PIN")
        self.type("New PIN", "271905")
        self.type("New PIN, again", "271906")
        self.press("Next")
        self.until_error("The two PINs differ.")

    # Every screen.

    def test_reports_no_breach_of_the_content_security_policy(self):
        self.driver.get_log("browser")
        self.activate()
        self.server.pay(payment("Apples"))
        self.open_request("Apples")
        self.type("PIN", PIN)
        self.press("Approve")
        self.until_heading("Approved: Apples")
        reports = [entry for entry in self.driver.get_log("browser")
                   if entry["source"] == "security" or "Refused" in entry["message"]]
        self.assertEqual(reports, [])



class TextTests(unittest.TestCase):
    """Both languages have the same texts, with the same values."""

    def test_languages_have_equal_names(self):
        source = (pathlib.Path(__file__).parent / "../../Sources/Web/page/texts.js").read_text()
        english, german = source.split("const german = ")

        def names(text):
            return re.findall(r"^( +['\w ]+): (\(.*?\) =>)?", text, re.MULTILINE)

        self.assertEqual(names(english.split("const english = ")[1]),
                         names(german.split("export const languages")[0]))


if __name__ == "__main__":
    unittest.main()
