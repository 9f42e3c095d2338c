"""The page as a person uses it, served by a real verifier."""

import pathlib
import re
import unittest

from browser import Browser
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from verifier import WebServer, payment

PIN = "271905"
# Holds the responses to the calls of a path until `release` is called.
HOLD = """
const [path] = arguments;
const { fetch } = window;
const released = new Promise((resolve) => { window.release = resolve; });
window.held = 0;
window.fetch = async (address, ...others) => {
    const response = await fetch(address, ...others);
    if (String(address).endsWith(path)) {
        window.held += 1;
        await released;
    }
    return response;
};
"""
PRESS = """
window.pressed = [...document.querySelectorAll('button')]
    .find((button) => button.textContent === arguments[0]);
window.pressed.click();
"""


class ScreenTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = WebServer()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def setUp(self):
        self.server.add_account()
        self.browser = Browser()
        self.addCleanup(self.browser.close)
        self.driver = self.browser.driver
        self.driver.set_window_size(360, 800)

    # The eyes and hands of a person.

    def until(self, condition):
        # The page may replace an element while it is read.
        ignored = [StaleElementReferenceException]
        return WebDriverWait(self.driver, 30, ignored_exceptions=ignored).until(condition)

    def find(self, selector):
        return self.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector))

    @property
    def heading(self):
        return self.driver.execute_script("return document.querySelector('h1')?.textContent")

    @property
    def text(self):
        return self.driver.execute_script("return document.body.innerText")

    def until_heading(self, text):
        self.until(lambda _: self.heading == text)

    def press(self, label):
        def pressed(driver):
            for button in driver.find_elements(By.CSS_SELECTOR, "button"):
                if button.text.split("\n")[0] == label:
                    button.click()
                    return True
            return False

        self.until(pressed)

    def type(self, label, text):
        def typed(driver):
            for made in driver.find_elements(By.CSS_SELECTOR, "label"):
                if made.text == label:
                    field = driver.find_element(By.ID, made.get_attribute("for"))
                    field.clear()
                    field.send_keys(text)
                    return True
            return False

        self.until(typed)

    def until_error(self, text):
        self.until(lambda driver: any(
            text in place.text for place in driver.find_elements(By.CSS_SELECTOR, ".error")))

    def activate(self):
        activation = self.server.activation()
        self.driver.get("%s/approve/#activation=%s" % (self.server.origin, activation["id"]))
        self.type("Activation code", activation["code"])
        self.press("Next")
        self.until_heading("Choose a PIN")
        self.type("New PIN", PIN)
        self.type("New PIN, again", PIN)
        self.press("Next")
        self.until_heading("Requests")

    def open_request(self, title):
        self.until(lambda driver: title in self.text)
        self.press(title)
        self.until_heading(title)

    @property
    def account_name(self):
        return self.server.account.replace("/", " ")

    def state(self, transaction):
        return self.server.call("/transactions/" + transaction["id"])["state"]

    # The journey.

    def test_activates_approves_and_rejects(self):
        self.activate()
        self.assertIn("This browser is set up.", self.text)
        self.assertNotIn("#", self.driver.current_url)
        first = self.server.pay(payment("Apples", reference="order-1"))
        self.open_request("Apples")
        for part in ("47.11 EUR", "Grocer", "DE89 3704 0044 0532 0130 00", "order-1", first["id"],
                     self.account_name):
            self.assertIn(part, self.text)
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
        self.until(lambda _: "The PIN was changed." in self.text)
        transaction = self.server.pay(payment("Apples"))
        self.press("Back")
        self.open_request("Apples")
        self.type("PIN", "836194")
        self.press("Approve")
        self.until_heading("Approved: Apples")
        self.assertEqual(self.state(transaction), "approved")

    def test_names_the_accounts_that_still_have_the_old_pin(self):
        first = self.server.account
        self.server.add_account()
        second = self.account_name
        self.server.command("account", "link", first, self.server.account)
        self.activate()
        self.press("Settings")
        self.press("Change the PIN")
        for label, pin in (("Old PIN", PIN), ("New PIN", "836194"), ("New PIN, again", "836194")):
            self.type(label, pin)
        # The second change does not arrive.
        self.driver.execute_script("""
            const { fetch } = window;
            let count = 0;
            window.fetch = (address, ...others) =>
                String(address).endsWith('/rekey') && (count += 1) > 1
                    ? Promise.reject(new TypeError()) : fetch(address, ...others);
        """)
        self.press("Change the PIN")
        self.until_error("Not yet changed: the PIN of bank main ")
        left = [name for name in (first.replace("/", " "), second) if name + "." in self.text]
        self.assertEqual(len(left), 1)

    def test_removes_the_device(self):
        self.activate()
        self.press("Settings")
        self.press("Remove this device: " + self.account_name)
        self.until_heading("Remove this device?")
        self.press("Remove this device")
        self.until_heading("Approve requests of your bank here")
        self.assertIn("The device was removed.", self.text)

    def test_logs_in_at_a_page_that_the_policy_allows_only(self):
        link = self.server.origin + "/approve/#login=aGk&return=https%3A%2F%2F"
        self.driver.get(link + "bank.example%2Fin")
        self.until(lambda _: "This browser has no such account." in self.text)
        self.driver.get("about:blank")
        self.activate()
        # Each link is opened in the same tab, where only the fragment changes.
        self.driver.get(link + "evil.example%2F")
        self.until(lambda _: "does not allow logins for evil.example" in self.text)
        self.driver.get(link + "bank.example%2Fin")
        self.until_heading("Log in to bank")
        self.assertIn("bank.example", self.text)
        self.assertIn(self.account_name, self.text)
        self.assertNotIn("#", self.driver.current_url)
        self.press("Back")
        self.until(lambda _: "Nothing waits" in self.text)
        self.server.pay(payment("Apples"))
        self.until(lambda _: "Apples" in self.text)

    def test_asks_for_the_account_of_a_login_if_several_fit(self):
        first = self.server.account
        self.server.add_account()
        self.server.command("account", "link", first, self.server.account)
        self.activate()
        self.driver.get(
            self.server.origin + "/approve/#login=aGk&return=https%3A%2F%2Fbank.example%2Fin")
        self.until_heading("Log in with which account?")
        self.press(self.account_name)
        self.until_heading("Log in to bank")
        self.assertIn(self.account_name, self.text)
        self.assertNotIn(first.replace("/", " "), self.text)

    def test_shows_a_sentence_for_hostile_links(self):
        for fragment in (
            "activation=", "activation=%3Cscript%3E", "activation=1&activation=2", "login=1",
            "x" * 5000, "activation=%E2%80%AE", "login=aGk&return=javascript%3Aalert(1)",
        ):
            self.driver.get("about:blank")
            self.driver.get(self.server.origin + "/approve/#" + fragment)
            self.until_error("The link is damaged or incomplete.")

    def test_says_what_to_do_with_wrong_input(self):
        activation = self.server.activation()
        self.driver.get(self.server.origin + "/approve/")
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
        # Password managers do not store such a field.
        for field in self.find("input[type=password]"):
            self.assertEqual(field.get_attribute("autocomplete"), "one-time-code")
        self.type("New PIN", "271905")
        self.type("New PIN, again", "271906")
        self.press("Next")
        self.until_error("The two PINs differ.")

    # Responses that come when the person is on another screen.

    def hold(self, path):
        self.driver.execute_script(HOLD, path)

    def until_held(self, count):
        self.until(lambda driver: driver.execute_script("return window.held") == count)

    def test_a_late_answer_does_not_replace_the_request_that_was_opened_meanwhile(self):
        self.activate()
        self.server.pay(payment("Apples"))
        for label, path in (("Look again", "/transactions"), ("Changes of your accounts", "/changes")):
            self.until(lambda _: "Apples" in self.text)
            self.hold(path)
            self.driver.execute_script(PRESS, label)
            self.until_held(1)
            self.open_request("Apples")
            self.driver.execute_script("window.release()")
            # The button is busy until its action ends.
            self.until(lambda driver: driver.execute_script(
                "return !window.pressed.hasAttribute('aria-disabled')"))
            self.assertEqual(self.heading, "Apples")
            self.driver.refresh()

    def test_the_list_shows_the_last_of_several_hints(self):
        self.activate()
        self.until(lambda _: "Nothing waits" in self.text)
        self.hold("/transactions")
        self.server.pay(payment("Apples"))
        self.until_held(1)
        self.server.pay(payment("Pears"))
        self.until_held(2)
        self.driver.execute_script("window.release()")
        self.until(lambda _: "Apples" in self.text and "Pears" in self.text)

    # Every screen.

    def test_reports_no_breach_of_the_content_security_policy(self):
        self.activate()
        self.server.pay(payment("Apples"))
        self.open_request("Apples")
        self.type("PIN", PIN)
        self.press("Approve")
        self.until_heading("Approved: Apples")
        reports = [entry for entry in self.driver.get_log("browser")
                   if entry["source"] == "security" or "Refused" in entry["message"]]
        self.assertEqual(reports, [])

    def test_fits_small_screens(self):
        self.driver.set_window_size(320, 640)
        self.activate()
        self.server.pay(payment("Apples", payees=[{
            "name": "A" * 70, "account": "DE89370400440532013000"}]))
        self.open_request("Apples")
        width = self.driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.assertEqual(width, 0)


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
