"""The way from one screen to the next, also if a response comes late."""

import unittest
import urllib.parse

from devtools import DevTools
from person import PIN, Person
from verifier import payment

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
# Counts the hints of requests that the event streams bring.
COUNT_HINTS = """
const { read } = ReadableStreamDefaultReader.prototype;
window.hints = 0;
ReadableStreamDefaultReader.prototype.read = async function () {
    const piece = await read.call(this);
    const text = new TextDecoder().decode(piece.value ?? new Uint8Array());
    window.hints += text.split('sa_transaction_id').length - 1;
    return piece;
};
"""
# Shows the requests of a device that only has the events of the test.
LISTEN = """
import(new URL('page.js', document.querySelector('script').src)).then(({ Page }) => {
    const done = (value) => ({ code: 'done', value });
    window.devices = ['first'];
    window.listened = [];
    const device = {
        accounts: async () => done(devices.map((device) => ({ device }))),
        pending: async () => done({ transactions: [], failures: [] }),
        events: async (listener) => {
            window.hint = listener;
            window.listened.push([...devices]);
            return done({ devices: [...devices], stop() {}, ended: new Promise(() => {}) });
        },
    };
    return new Page(device, {}).showRequests();
})
"""
PRESS = """
window.pressed = [...document.querySelectorAll('button')]
    .find((button) => button.textContent === arguments[0]);
window.pressed.click();
"""


class Navigation(Person):
    @property
    def account_name(self):
        return self.server.account.replace("/", " ")

    def test_logs_in_at_a_page_that_the_policy_allows_only(self):
        link = self.server.origin + "/approve/#login=aGk&return=https%3A%2F%2F"
        self.driver.get(link + "bank.example%2Fin")
        self.until_text("This browser has no such account.")
        self.leave()
        self.activate()
        # Each link is opened in the same tab, where only the fragment changes.
        self.driver.get(link + "evil.example%2F")
        self.until_text("does not allow logins for evil.example")
        self.driver.get(link + "bank.example%2Fin")
        self.until_heading("Log in to bank")
        self.assertIn("bank.example", self.text)
        self.assertIn(self.account_name, self.text)
        self.assertNotIn("#", self.driver.current_url)
        self.press("Back")
        self.until_text("Nothing waits")
        self.server.pay(payment("Apples"))
        self.until_text("Apples")

    def test_a_login_needs_the_policy_that_the_bank_has_now(self):
        self.activate()
        self.addCleanup(self.server.set_policy, "bank", {})
        self.server.set_policy("bank", {"returnAddresses": ["https://new.example"]})
        self.open("#login=aGk&return=https%3A%2F%2Fbank.example%2Fin")
        self.until_text(self.words["loginRefused"][0].replace("\u0001", "bank.example"))
        self.open("#login=aGk&return=https%3A%2F%2Fnew.example%2Fin")
        self.until_heading("Log in to bank")
        self.command("Network.enable")
        self.addCleanup(self.command, "Network.disable")
        self.command("Network.setBlockedURLs", urls=["*/device/v1/status"])
        self.open("#login=aGk&return=https%3A%2F%2Fnew.example%2Fin")
        self.until_error(self.account_name + ": " + self.words["unknownResult"]["network"])
        self.command("Network.setBlockedURLs", urls=[])
        self.press("Try again")
        self.until_heading("Log in to bank")

    def test_a_login_that_is_started_again_does_not_replace_the_screen_that_was_opened_meanwhile(self):
        self.activate()
        self.command("Network.enable")
        self.addCleanup(self.command, "Network.disable")
        self.command("Network.setBlockedURLs", urls=["*/device/v1/status"])
        self.open("#login=aGk&return=https%3A%2F%2Fbank.example%2Fin")
        self.until_heading("Log in")
        self.command("Network.setBlockedURLs", urls=[])
        self.press_and_hold("Try again", "/status")
        self.press("Back")
        self.until_heading("Requests")
        self.release()
        self.assertEqual(self.heading, "Requests")

    def test_a_login_keeps_the_query_of_the_bank(self):
        self.activate()
        for query, expected in (
            ("", "?login="), ("?", "?login="), ("?a%20b=c%2Fd&flag&x=1", "?a%20b=c%2Fd&flag&x=1&login="),
            ("/@x?a=b@c", "/@x?a=b@c&login="),
        ):
            with self.subTest(query):
                address = urllib.parse.quote("https://bank.example/in%s#part" % query, safe="")
                self.open("#login=aGk&return=" + address)
                self.until_heading("Log in to bank")
                bank = DevTools(self.driver, "page", self.browser.tab)
                self.addCleanup(bank.close)
                bank.command("Fetch.enable", patterns=[{"urlPattern": "https://bank.example/*"}])
                self.type("PIN", PIN)
                self.press("Log in")
                paused = bank.event("Fetch.requestPaused", lambda _: True)
                before, _, login = paused["request"]["url"].partition("login=")
                self.assertEqual(before + "login=", "https://bank.example/in" + expected)
                self.assertRegex(login, "^[0-9a-f]{32}$")
                self.assertEqual(paused["request"]["urlFragment"], "#part")
                bank.command("Fetch.failRequest", requestId=paused["requestId"], errorReason="Aborted")
                bank.command("Fetch.disable")

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

    def hold(self, path):
        self.driver.execute_script(HOLD, path)

    def until_held(self, count):
        self.until(lambda driver: driver.execute_script("return window.held") == count)

    def test_a_late_answer_does_not_replace_the_request_that_was_opened_meanwhile(self):
        self.activate()
        self.server.pay(payment("Apples"))
        for label, path in (("Look again", "/transactions"), ("Changes of your accounts", "/changes")):
            self.until_text("Apples")
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

    def press_and_hold(self, label, path):
        """Presses the button, whose response is held."""
        self.hold(path)
        self.driver.execute_script(PRESS, label)
        self.until_held(1)

    def release(self):
        """Until the action of the button ends."""
        self.driver.execute_script("window.release()")
        self.until(lambda driver: driver.execute_script(
            "return !window.pressed.hasAttribute('aria-disabled')"))

    def test_a_late_removal_does_not_replace_the_screen_that_was_opened_meanwhile(self):
        self.activate()
        self.press("Settings")
        self.press("Remove this device: " + self.account_name)
        self.until_heading("Remove this device?")
        self.press_and_hold("Remove this device", "/deletion")
        self.press("Back")
        self.until_heading("Settings")
        self.release()
        self.until_text("The device was removed.")
        self.assertEqual(self.heading, "Settings")
        self.press("Back")
        self.until_heading(self.words["setUpTitle"])

    def test_an_action_that_takes_long_shows_that_it_runs(self):
        self.activate()
        self.press_and_hold("Look again", "/transactions")
        self.until_page("return document.querySelector('[role=status].hint')?.textContent === values[0];",
                        "Please wait …")
        self.release()
        self.until_text("Nothing waits")
        self.assertNotIn("Please wait", self.text)

    def remove_records_and_press(self, label):
        """The accounts are removed, as on another page, before the page looks again by itself."""
        self.driver.execute_async_script("""
            const [label, done] = arguments;
            const button = [...document.querySelectorAll('button')].find(
                (one) => one.innerText.split('\\n')[0] === label);
            const request = indexedDB.open('countersign');
            request.onsuccess = () => {
                const transaction = request.result.transaction('accounts', 'readwrite');
                transaction.objectStore('accounts').clear();
                transaction.oncomplete = () => { request.result.close(); button.click(); done(); };
            };
        """, label)

    def test_a_page_whose_accounts_were_removed_elsewhere_sets_up_again(self):
        for label in ("Look again", "Settings"):
            self.activate()
            self.remove_records_and_press(label)
            if label == "Settings":
                self.until_heading("Settings")
                self.press("Back")
            self.until_heading(self.words["setUpTitle"])

    def test_a_request_with_the_title_of_a_screen_is_another_screen(self):
        self.activate()
        self.server.pay(payment("Requests"))
        self.until_text("47.11 EUR")
        self.assertIn("This browser is set up.", self.text)
        self.press("Requests")
        self.until_text("Decide before")
        self.assertNotIn("This browser is set up.", self.text)

    def test_a_storage_that_cannot_be_read_is_not_an_empty_one(self):
        fail = """
            IDBObjectStore.prototype.getAll = () => { throw new DOMException('', 'UnknownError'); };
        """
        self.activate()
        self.until_text("Nothing waits")
        # In one step: the page may look again by itself at any time.
        self.driver.execute_script(fail + PRESS, "Settings")
        self.until_error("The browser cannot store anything now.")
        self.add_script(fail)
        self.open()
        self.until_error("The browser cannot store anything now.")
        self.assertNotIn(self.words["setUpTitle"], self.text)

    def test_the_list_is_fetched_once_at_a_time_and_shows_the_last_of_several_hints(self):
        self.activate()
        self.until_text("Nothing waits")
        self.hold("/transactions")
        self.driver.execute_script(COUNT_HINTS)
        self.server.pay(payment("Apples"))
        self.until_held(1)
        for number, title in enumerate(("Pears", "Plums"), 1):
            self.server.pay(payment(title))
            self.until(lambda driver: driver.execute_script("return window.hints") >= number)
        self.assertEqual(self.driver.execute_script("return window.held"), 1)
        self.driver.execute_script("window.release()")
        for title in ("Apples", "Pears", "Plums"):
            self.until_text(title)
        self.assertEqual(self.driver.execute_script("return window.held"), 2)

    def test_the_list_names_the_reason_why_no_hints_arrive(self):
        self.open()
        self.until_heading(self.words["setUpTitle"])
        self.value(LISTEN)
        for code, text in (
            ("rateLimited", "limited"), ("credentialLocked", "connected"), ("unknownResult", "disconnected"),
            ("deviceRevoked", "connected"), ("done", "disconnected"), ("serverUnavailable", "disconnected"),
        ):
            with self.subTest(code):
                self.driver.execute_script(
                    "hint({ kind: 'disconnected', code: arguments[0], device: 'first' })", code)
                self.until_text(self.words[text])
        self.driver.execute_script("hint({ kind: 'removed', device: 'first' })")
        self.until_text(self.words["connected"])

    def test_the_page_listens_for_the_accounts_that_it_has_now(self):
        self.open()
        self.until_heading(self.words["setUpTitle"])
        self.value(LISTEN)
        self.driver.execute_script("hint({ kind: 'disconnected', code: 'done', device: 'first' })")
        self.until_text(self.words["disconnected"])
        for devices in (["first", "second"], ["second"]):
            self.driver.execute_script("devices = arguments[0]", devices)
            self.press("Look again")
            self.until(lambda driver: driver.execute_script("return listened.at(-1)") == devices)
            self.until_text(self.words["connected"])
        self.press("Look again")
        self.until_text(self.words["nothingWaits"])
        self.assertEqual(self.driver.execute_script("return listened.length"), 3)

    def test_an_account_of_another_page_has_hints_here(self):
        self.activate()
        self.server.add_account()
        self.in_another_page(lambda: self.activate_further())
        self.press("Look again")
        self.until_text("Nothing waits")
        self.server.pay(payment("Apples"))
        self.until_text("Apples")


if __name__ == "__main__":
    unittest.main()
