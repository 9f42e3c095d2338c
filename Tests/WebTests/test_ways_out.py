"""The ways out of a lock, a revocation, a forgotten PIN and a lost response, as the screens name them."""

import datetime
import signal
import time
import unittest

from person import AUTHENTICATOR, NEXT_PIN, PIN, WRONG_PIN, Person
from test_navigation import HOLD, PRESS
from verifier import payment

# Keeps long timers for the test, instead of waiting.
KEEP_TIMERS = """{
    const { setTimeout } = window;
    window.kept = [];
    window.setTimeout = (action, pause, ...values) => {
        if (pause >= 10000) kept.push({ action, pause });
        return setTimeout(action, pause, ...values);
    };
}"""
# An 8-digit PIN, and the number of requests that check a PIN.
LONG_PIN = "27190538"
PIN_CHECKS = """performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('/pin-check')).length"""
# Whether the files of Argon2id are here.
LOADED = """
const names = performance.getEntriesByType('resource')
    .filter(({ responseEnd }) => responseEnd > 0).map(({ name }) => name.split('/').pop());
return ['argon2-simd.wasm', 'argon2-worker.js'].every((name) => names.includes(name));
"""
# The number of bytes of a key that the page derives from a PIN.
DERIVED = """import(new URL('argon2.js', document.querySelector('script').src))
    .then(({ argon2id }) => argon2id(
        new Uint8Array(6), new Uint8Array(16), { passes: 3, memoryKiB: 65_536, lanes: 4 }))
    .then(({ length }) => length)"""


class WaysOut(Person):
    @property
    def account_number(self):
        return self.server.account.rsplit("/", 1)[1]

    def lose_responses(self, *routes):
        """The requests arrive, but their responses are lost."""
        self.driver.execute_script("""
            const [routes] = arguments;
            window.realFetch ??= window.fetch;
            window.fetch = async (address, ...options) => {
                const response = await realFetch(address, ...options);
                if (routes.some((route) => String(address).endsWith(route))) throw new TypeError('cut');
                return response;
            };
        """, routes)

    def withdraw(self, transaction):
        self.server.command("transaction", "withdraw", self.server.account, transaction["id"])

    def test_who_did_not_start_a_request_is_advised_to_call_the_bank_in_any_case(self):
        self.activate()
        muted = self.words["muted"]
        for title, prepare, outcome in (
            ("Apples", self.withdraw, self.words["alreadyDecided"]["withdrawn"]),
            ("Pears", lambda _: self.lose_responses("/decision"), self.words["alreadyDecided"]["rejected"]),
            ("Plums", lambda _: self.lose_responses("/decision", "/transaction"),
             self.words["unknownResult"]["network"]),
        ):
            with self.subTest(title):
                transaction = self.server.pay(payment(title))
                self.press("Look again")
                self.open_request(title)
                self.press("Reject")
                self.until_heading(self.words["rejectTitle"])
                prepare(transaction)
                self.press("That was not me")
                self.until_text(outcome)
                self.until_error(self.words["callBank"])
                self.assertNotIn(muted, self.text)
                self.open()

    def test_the_way_back_to_the_bank_stays_after_a_lost_response(self):
        self.activate()
        for title, state in (("Apples", "approved"), ("Pears", "rejected")):
            self.server.pay(payment(title, returnURL="https://bank.example/done"))
            self.open_request(title)
            self.lose_responses("/decision")
            if state == "approved":
                self.type("PIN", PIN)
                self.press("Approve")
            else:
                self.press("Reject")
                self.press("The details are wrong")
            self.until_heading(self.words["alreadyDecided"][state])
            [link] = self.find("a")
            self.assertEqual(link.get_attribute("href"), "https://bank.example/done")
            self.press("To the requests")

    def test_who_goes_back_during_a_rejection_is_advised_to_call_the_bank(self):
        self.activate()
        self.server.pay(payment("Apples"))
        self.open_request("Apples")
        self.press("Reject")
        self.until_heading(self.words["rejectTitle"])
        self.driver.execute_script(HOLD, "/decision")
        self.driver.execute_script(PRESS, "That was not me")
        self.until(lambda driver: driver.execute_script("return window.held") == 1)
        self.press("Back")
        self.until_heading("Apples")
        self.driver.execute_script("window.release()")
        self.until_text("Rejected: Apples %s %s" % (self.words["callBank"], self.words["muted"]))
        self.assertEqual(self.heading, "Apples")

    def remove_device(self):
        self.press("Settings")
        self.press("Remove this device: bank main " + self.account_number)
        self.press("Remove this device")
        self.until_text("The device was removed.")

    def test_after_a_permanent_lock(self):
        self.server.set_policy("bank", {"lock": {"failuresInWindow": 5}})
        self.addCleanup(self.server.set_policy, "bank", {})
        self.activate()
        self.server.pay(payment("Apples"))
        self.open_request("Apples")
        for _ in range(4):
            self.type("PIN", WRONG_PIN)
            self.press("Approve")
            self.until_error("The PIN is wrong.")
        self.type("PIN", WRONG_PIN)
        self.press("Approve")
        self.until_error("remove this device in the settings before you use it")
        self.open_new_activation()
        self.until_error("To set it up again, remove this device in the settings first.")
        self.press("Back")
        self.until_heading("Requests")
        # Nothing else can check the PIN.
        locked = self.server.account
        self.server.add_account()
        self.open_new_activation()
        self.until_heading("Type your PIN")
        self.type("PIN", PIN)
        self.press("Next")
        self.until_error(locked.replace("/", " ") + ": The PIN is locked permanently.")
        for heading in (self.words["setUpTitle"], "Requests"):
            self.press("Back")
            self.until_heading(heading)
        self.server.account = locked
        self.remove_device()
        self.activate(NEXT_PIN)

    def test_after_five_wrong_numbers_without_a_pin(self):
        self.server.set_policy("bank", {"numberMatchingDigits": 2})
        self.addCleanup(self.server.set_policy, "bank", {})
        self.activate()
        def pay(title):
            return self.server.pay(payment(title, 2999, authentication=["consent", "userPIN"]))

        transaction = pay("Apples")
        self.open_request("Apples")
        for error in (
            "The number is wrong. 4 attempts", "3 attempts", "2 attempts",
            "Another wrong number locks", "Approving without a PIN is locked until",
        ):
            self.type(self.words["number"], "%02d" % ((int(transaction["number"]) + 1) % 100))
            self.press("Approve without PIN")
            self.until_error(error)
            self.assertNotIn("PIN is wrong", self.text)
            self.assertNotIn("The PIN is locked", self.text)
        self.until_error("; use the PIN.")
        self.press("Reject")
        self.press("The details are wrong")
        self.until_heading("Rejected: Apples")
        self.press("To the requests")
        transaction = pay("Pears")
        self.open_request("Pears")
        self.type(self.words["number"], transaction["number"])
        self.type("PIN", PIN)
        self.press("Approve")
        self.until_heading("Approved: Pears")

    def test_after_an_activation_whose_result_is_unknown(self):
        self.open_new_activation()
        self.until_heading("Choose a PIN")
        self.lose_responses("/commit", "/status", "/deletion")
        for error in ("Check the network", "remove it in the settings"):
            self.type("New PIN", PIN)
            self.type("New PIN, again", PIN)
            self.press("Next")
            self.until_error(error)
        self.press("Back")
        self.press("Settings")
        self.press("Remove the unfinished activation: bank main " + self.account_number)
        self.press("Remove this device")
        self.until_text("The device was removed here")
        self.until_heading(self.words["setUpTitle"])
        self.activate()
        self.press("Settings")
        self.until_heading("Settings")
        self.assertNotIn("unfinished", self.text)

    def test_a_page_that_another_page_overtakes_requires_the_existing_pin(self):
        self.open_new_activation()
        self.until_heading("Choose a PIN")
        self.server.add_account()
        self.in_another_page(lambda: self.activate(NEXT_PIN))
        for label in ("New PIN", "New PIN, again"):
            self.type(label, PIN)
        self.press("Next")
        self.until_heading("Type your PIN")
        self.until_text(self.words["codes"]["pinSetMeanwhile"])
        self.type("PIN", NEXT_PIN)
        self.press("Next")
        self.until_text("This browser is set up.")

    def test_after_a_revocation_the_new_pin_is_typed_twice(self):
        self.activate()
        [device] = self.server.call("/devices")["devices"]
        self.server.command("revoke", self.server.account, device["id"], "--yes")
        self.press("Look again")
        self.until_error("Remove it in the settings, and ask for a new activation.")
        self.activate(NEXT_PIN)
        transaction = self.server.pay(payment("Apples"))
        self.open_request("Apples")
        self.type("PIN", NEXT_PIN)
        self.press("Approve")
        self.until_heading("Approved: Apples")
        self.assertEqual(self.state(transaction), "approved")

    def test_another_account_by_a_typed_code(self):
        self.activate()
        self.server.add_account()
        activation = self.server.activation()
        self.press("Settings")
        self.press("Set up another account")
        self.until_heading(self.words["setUpTitle"])
        self.press("Back")
        self.until_heading("Requests")
        self.press("Settings")
        self.press("Set up another account")
        self.type("Activation id", activation["id"])
        self.type("Activation code", activation["code"])
        self.press("Next")
        self.until_heading("Type your PIN")
        self.assertIn("If you forgot it, remove every account of this page in the settings", self.text)
        self.type("PIN", PIN)
        self.press("Back")
        self.until_heading(self.words["setUpTitle"])
        self.press("Next")
        self.until_heading("Type your PIN")
        self.type("PIN", PIN)
        self.press("Next")
        self.until_text("This browser is set up.")
        # By a hint: the page now listens for this account, too.
        self.server.pay(payment("Apples"))
        self.until_text("Apples")

    def change_pin(self):
        for label, pin in (("Old PIN", PIN), ("New PIN", NEXT_PIN), ("New PIN, again", NEXT_PIN)):
            self.type(label, pin)
        self.press("Change the PIN")

    def test_a_lost_response_to_a_change_of_the_pin_costs_no_attempt(self):
        self.activate()
        self.press("Settings")
        self.press("Change the PIN")
        self.until_heading("Change the PIN")
        self.lose_responses("/rekey", "/status")
        self.change_pin()
        self.until_error("It is unknown which PIN is valid. Check the network and the old PIN.")
        self.lose_responses()
        self.press("Change the PIN")
        self.until_text("The PIN is changed already")
        self.until_heading("Settings")
        self.press("Back")
        self.server.pay(payment("Apples"))
        self.open_request("Apples")
        self.type("PIN", WRONG_PIN)
        self.press("Approve")
        self.until_error("4 attempts are left.")

    def test_a_foreign_response_to_a_change_of_the_pin_has_one_advice(self):
        self.activate()
        self.press("Settings")
        self.press("Change the PIN")
        self.until_heading("Change the PIN")
        self.driver.execute_script("""
            window.fetch = async () =>
                new Response('{}', { headers: { 'Content-Type': 'application/json' } });
        """)
        self.change_pin()
        self.until_error("Do not continue in this network.")
        self.assertNotIn("same PINs", self.text)

    def add_second_account(self):
        """Another account with the PIN of the first one; returns the name of the first one."""
        first = self.server.account
        self.server.add_account()
        self.open_new_activation()
        self.until_heading("Type your PIN")
        self.assertEqual(self.driver.find_elements("css selector", "input[type=checkbox]"), [])
        self.type("PIN", PIN)
        self.press("Next")
        self.until_text("This browser is set up.")
        return first

    def test_a_change_of_the_pin_names_the_account_that_stops_it(self):
        self.activate()
        [device] = self.server.call("/devices")["devices"]
        first = self.add_second_account()
        self.server.command("revoke", first, device["id"], "--yes")
        self.press("Settings")
        self.press("Change the PIN")
        self.until_heading("Change the PIN")
        self.change_pin()
        name = first.replace("/", " ")
        self.until_error(name + ": The bank no longer accepts this device.")

    def test_an_existing_pin_that_new_rules_do_not_allow_costs_no_attempt_and_has_a_way_out(self):
        self.activate()
        self.addCleanup(self.server.set_policy, "bank", {})
        self.server.set_policy("bank", {"pin": {"minimumDigits": 8, "maximumDigits": 12}})
        self.server.add_account()
        self.open_new_activation()
        self.until_heading("Type your PIN")
        self.type("PIN", PIN)
        self.press("Next")
        self.until_error("The bank requires a PIN of 8 to 12 digits that is not easy to guess. If yours is "
                         "another one, change it in the settings first. Then repeat the activation.")
        self.assertEqual(self.value(PIN_CHECKS), 0)
        for heading in (self.words["setUpTitle"], "Requests"):
            self.press("Back")
            self.until_heading(heading)
        self.press("Settings")
        self.press("Change the PIN")
        self.until_heading("Change the PIN")
        for label, pin in (("Old PIN", PIN), ("New PIN", LONG_PIN), ("New PIN, again", LONG_PIN)):
            self.type(label, pin)
        self.press("Change the PIN")
        self.until_text("The PIN was changed.")
        self.activate_further(LONG_PIN)

    def test_banks_without_a_common_length_of_the_pin(self):
        self.activate()
        self.server.add_enterprise("short", {"pin": {"minimumDigits": 6, "maximumDigits": 6}})
        self.server.add_account("short")
        self.activate_further()
        self.addCleanup(self.server.set_policy, "bank", {})
        self.server.set_policy("bank", {"pin": {"minimumDigits": 8, "maximumDigits": 12}})
        self.press("Settings")
        self.press("Change the PIN")
        self.until_error(self.words["noCommonPIN"])
        self.assertNotIn("Old PIN", self.text)
        self.press("Back")
        self.until_heading("Settings")

    def test_a_number_with_a_space_is_accepted(self):
        self.server.set_policy("bank", {"numberMatchingDigits": 6})
        self.addCleanup(self.server.set_policy, "bank", {})
        self.activate()
        number = self.server.pay(payment("Apples"))["number"]
        self.open_request("Apples")
        self.type(self.words["number"], "%s %s" % (number[:3], number[3:]))
        self.type("PIN", PIN)
        self.press("Approve")
        self.until_heading("Approved: Apples")

    def test_nothing_is_logged_in_after_back(self):
        self.activate()
        self.open("#login=aGk&return=https%3A%2F%2Fbank.example%2Fin")
        self.until_text("bank.example")
        self.driver.execute_script("""
            const { fetch } = window;
            const held = new Promise((resolve) => { window.release = resolve; });
            window.fetch = async (address, ...options) => {
                const response = await fetch(address, ...options);
                if (String(address).endsWith('/login')) await held;
                return response;
            };
        """)
        self.type("PIN", PIN)
        self.press("Log in")
        self.until(lambda _: "/device/v1/login" in self.server.log.read_text())
        self.press("Back")
        self.until_heading("Requests")
        # A login would leave the page before the second response.
        stays = self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            release();
            fetch('/approve/verifier.json').then(() => fetch('/approve/verifier.json'))
                .then(() => done(true));
        """)
        self.assertTrue(stays)
        self.assertIn(self.server.origin, self.driver.current_url)

    def test_the_page_ends_its_start_if_a_file_does_not_arrive(self):
        hasty = self.command("Page.addScriptToEvaluateOnNewDocument", source="""{
            const { timeout } = AbortSignal;
            AbortSignal.timeout = (pause) => timeout(pause / 30);
        }""")
        self.addCleanup(self.command, "Fetch.disable")
        for name in ("verifier.json", "reader.wasm"):
            with self.subTest(name):
                # Chromium holds the request, and nothing releases it.
                self.command("Fetch.enable", patterns=[{"urlPattern": "*/" + name}])
                self.open()
                self.until_error(self.words["unexpected"])
        self.command("Fetch.disable")
        self.command("Page.removeScriptToEvaluateOnNewDocument", **hasty)
        self.open()
        self.until_heading(self.words["setUpTitle"])

    def test_a_page_that_did_not_start_keeps_its_link(self):
        self.command("Network.enable")
        self.addCleanup(self.command, "Network.disable")
        self.command("Network.setBlockedURLs", urls=["*/approve/verifier.json"])
        self.open("#activation=01ABCDEFGH")
        self.until_error(self.words["unexpected"])
        self.command("Network.setBlockedURLs", urls=[])
        self.driver.refresh()
        self.until_heading(self.words["setUpTitle"])
        self.assertEqual(self.find("input")[0].get_attribute("value"), "01ABCDEFGH")
        self.assertNotIn("#", self.driver.current_url)

    def test_a_page_that_is_open_during_a_change_of_the_keys_sets_up_a_device(self):
        # The first response has a key that signs nothing.
        self.add_script("""{
            const { fetch } = window;
            let isFirst = true;
            window.fetch = async (address, ...options) => {
                const response = await fetch(address, ...options);
                if (!isFirst || !String(address).endsWith('/verifier.json')) return response;
                isFirst = false;
                const keys = await response.json();
                return Response.json({ ...keys, signingKey: keys.agreementKey });
            };
        }""")
        self.activate()

    def test_a_page_that_is_open_needs_no_more_files_for_its_first_pin(self):
        self.open()
        self.until_heading(self.words["setUpTitle"])
        self.until(lambda driver: driver.execute_script(LOADED))
        self.server.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.server.process.send_signal, signal.SIGCONT)
        self.assertEqual(self.value(DERIVED), 32)

    def test_files_that_did_not_arrive_are_loaded_again_for_the_first_pin(self):
        self.command("Network.enable")
        self.addCleanup(self.command, "Network.disable")
        self.command("Network.setBlockedURLs", urls=["*/argon2*.wasm", "*/argon2-worker.js"])
        self.open_new_activation()
        self.until_heading("Choose a PIN")
        self.command("Network.setBlockedURLs", urls=[])
        for label in ("New PIN", "New PIN, again"):
            self.type(label, PIN)
        self.press("Next")
        self.until_heading("Requests")

    def test_a_request_is_looked_at_again_after_its_deadline(self):
        self.look_again_after_a_deadline(KEEP_TIMERS)

    def test_a_deadline_uses_the_clock_of_the_verifier(self):
        self.look_again_after_a_deadline(KEEP_TIMERS + """{
            const { now } = Date;
            Date.now = () => now() + 600_000;
        }""")

    def look_again_after_a_deadline(self, source):
        self.add_script(source)
        self.activate()
        transaction = self.server.pay(payment("Apples"))
        self.until_text("Apples")
        deadline = datetime.datetime.fromisoformat(transaction["deadline"]).timestamp()
        left = (deadline - time.time()) * 1000
        timers = self.driver.execute_script("return kept.map(({ pause }) => pause)")
        # The page set its timer a little before, and other timers are much shorter.
        place = next((at for at, pause in enumerate(timers) if -1000 < pause - left < 60000), None)
        self.assertIsNotNone(place, (timers, left))
        # The verifier sends no hint for this.
        self.server.command("transaction", "withdraw", self.server.account, transaction["id"])
        self.assertIn("Apples", self.text)
        self.driver.execute_script("kept[arguments[0]].action()", place)
        self.until_text("Nothing waits for your decision.")

    def test_the_lock_of_the_device_where_the_browser_offers_it(self):
        self.command("WebAuthn.enable")
        self.addCleanup(self.command, "WebAuthn.disable")
        authenticator = self.command(
            "WebAuthn.addVirtualAuthenticator", options=AUTHENTICATOR)["authenticatorId"]
        self.activate()
        for title in ("Apples", "Pears"):
            self.server.pay(payment(title))
        self.open_request("Apples")
        self.type("PIN", PIN)
        self.press("Approve")
        self.until_heading("Approved: Apples")
        # Without a choice: the first account needs the lock, and so does the second one.
        self.add_second_account()
        self.command("WebAuthn.setUserVerified", authenticatorId=authenticator, isUserVerified=False)
        self.open_request("Pears")
        self.type("PIN", PIN)
        self.press("Approve")
        self.until_error("The lock of this device did not confirm.")

    def test_the_lock_of_the_device_can_be_declined(self):
        self.command("WebAuthn.enable")
        self.addCleanup(self.command, "WebAuthn.disable")
        self.command("WebAuthn.addVirtualAuthenticator", options={**AUTHENTICATOR, "isUserVerified": False})
        self.open_new_activation()
        self.until_heading("Choose a PIN")
        for label in ("New PIN", "New PIN, again"):
            self.type(label, PIN)
        self.press("Next")
        self.until_error("Try again, or go on without it.")
        self.find("input[type=checkbox]")[0].click()
        self.press("Next")
        self.until_heading("Requests")
        # Without a choice: the second account has no lock, as the first one.
        self.add_second_account()


if __name__ == "__main__":
    unittest.main()
