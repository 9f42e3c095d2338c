"""Every screen of the page: axe-core finds nothing, all is in one language, and it fits when zoomed."""

import importlib.util
import pathlib
import re

from person import AUTHENTICATOR, NEXT_PIN, PIN, WRONG_PIN, PushedPerson
from verifier import payment

AXE = pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin).with_name("axe.min.js")
RUN_AXE = """
const done = arguments[arguments.length - 1];
const options = {
    resultTypes: ['violations', 'incomplete'], preload: false, iframes: false,
    rules: { 'target-size': { enabled: true } },
};
axe.run(document, options).then(
    ({ violations, incomplete, passes }) => done({ passes: passes.length, found: [
        ...violations, ...incomplete.filter(({ id }) => id === 'color-contrast'),
    ].map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`) }),
    (error) => done({ passes: 0, found: [String(error)] }));
"""
# Elements that reach over the side of the window, and texts that are cut at the side of an element.
CUT = """
const width = document.documentElement.clientWidth;
const found = document.documentElement.scrollWidth > width ? ['the page scrolls to the side'] : [];
for (const one of document.querySelectorAll('body *')) {
    const { left, right } = one.getBoundingClientRect();
    const hides = getComputedStyle(one).overflowX !== 'visible';
    if (left < 0 || right > width) found.push(`beyond the window: ${one.outerHTML}`);
    if (hides && one.scrollWidth > one.clientWidth && one.localName !== 'input') {
        found.push(`cut: ${one.outerHTML}`);
    }
}
return found;
"""
# All texts, also for assistive programs only.
TEXTS = """
const names = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const found = [document.title];
while (walker.nextNode()) {
    if (walker.currentNode.parentElement.localName !== 'noscript') {
        found.push(walker.currentNode.textContent);
    }
}
for (const one of document.querySelectorAll('*')) {
    found.push(...names.map((name) => one.getAttribute(name)).filter(Boolean));
}
return found;
"""
# The rules of axe-core depend on the language or on the scheme, never on both.
SCHEMES = {"en": "light", "de": "dark"}
# 1280 pixels at 200 % and at 400 %.
ZOOMS = ((640, 2), (320, 4))
LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenkasse"


class EveryScreen(PushedPerson):
    def setUp(self):
        super().setUp()
        self.seen = set()
        self.executed = set()
        self.defined = set()
        self.command("Network.enable")
        self.addCleanup(self.command, "Network.disable")
        self.command("Profiler.enable")
        self.command("Profiler.startPreciseCoverage", callCount=True, detailed=False)
        self.addCleanup(self.command, "Profiler.disable")
        self.addCleanup(self.command, "Emulation.setEmulatedMedia", features=[])
        self.addCleanup(self.speak, "en")

    # One screen.

    def look(self, name):
        """Looks at the screen that is shown, in every way."""
        self.assertNotIn(name, self.seen)
        self.seen.add(name)
        with self.subTest(name):
            self.assertEqual(self.axe(SCHEMES[self.language]), [])
            self.assertEqual(self.cut(), [])
            self.assertEqual(self.texts_of_another_language(), [])
            self.assertEqual(
                self.driver.execute_script("return document.documentElement.lang"), self.language)
        self.count_functions()

    def axe(self, scheme):
        scheme = [{"name": "prefers-color-scheme", "value": scheme}]
        self.command("Emulation.setEmulatedMedia", features=scheme)
        if not self.driver.execute_script("return 'axe' in window"):
            # By the DevTools protocol, so that the page keeps its Content-Security-Policy.
            self.command("Runtime.evaluate", expression=AXE.read_text())
        result = self.driver.execute_async_script(RUN_AXE)
        self.assertGreater(result["passes"], 0, result)
        return result["found"]

    def cut(self):
        found = []
        for width, scale in ZOOMS:
            self.command("Emulation.setDeviceMetricsOverride", width=width, height=2 * width,
                         deviceScaleFactor=scale, mobile=False)
            found += self.driver.execute_script(CUT)
        self.command("Emulation.clearDeviceMetricsOverride")
        return found

    def texts_of_another_language(self):
        shown = self.driver.execute_script(TEXTS)
        return [text for text in shown for pattern in self.foreign if pattern.search(text)]

    def count_functions(self):
        """Notes which functions of the screens were called. A new page forgets its counts."""
        for script in self.command("Profiler.takePreciseCoverage")["result"]:
            if "/screens/" not in script["url"]:
                continue
            file = script["url"].rpartition("/")[2]
            for function in script["functions"]:
                name = (file, function["functionName"])
                self.defined.add(name)
                if function["ranges"][0]["count"] or not name[1]:
                    self.executed.add(name)

    # All screens.

    def see_all(self, language):
        self.choose(language)
        words = self.words
        self.see_activation(words)
        self.see_requests(words)
        self.see_decisions(words)
        self.see_settings(words)
        self.see_logins_and_removal(words)
        self.see_faults(words)
        self.assertEqual(self.defined - self.executed, set(), "functions of screens that never ran")
        self.assertGreater(len(self.defined), 20)

    def choose(self, language):
        other = "de" if language == "en" else "en"
        own = set(strings(self.tables[language]))
        self.language = language
        self.foreign = [pattern(text) for text in strings(self.tables[other]) if text not in own]
        self.speak(language)

    def open(self, fragment=""):
        self.count_functions()
        super().open(fragment)

    def see_activation(self, words):
        self.open()
        self.until_heading(words["setUpTitle"])
        self.look("set up")
        self.open("#activation=")
        self.until_error(words["linkDamaged"])
        self.look("damaged link")
        for field, text, code in (
            ("activationID", "no", "activationIDMistyped"),
            ("activationID", self.server.activation()["id"], None),
            ("activationCode", "11111", "activationCodeMistyped"),
            ("activationCode", self.server.activation()["code"], "activationCodeInvalid"),
            ("deviceName", "\u202e", "deviceNameInvalid"),
        ):
            self.type(words[field], text)
            if code:
                self.press(words["next"])
                self.until_error(words["codes"][code])
        self.look("mistyped activation")
        self.count_functions()
        self.command("WebAuthn.enable")
        self.command("WebAuthn.addVirtualAuthenticator", options={**AUTHENTICATOR, "isUserVerified": False})
        self.open_new_activation()
        self.until_heading(words["choosePINTitle"])
        self.look("choose a PIN")
        for pin, again, text in (
            (PIN, WRONG_PIN, words["pinsDiffer"]), ("123456", "123456", words["pinTooSimple"]),
        ):
            self.type(words["newPIN"], pin)
            self.type(words["newPINAgain"], again)
            self.press(words["next"])
            self.until_error(text)
        self.look("refused PIN")
        self.type(words["newPIN"], PIN)
        self.type(words["newPINAgain"], PIN)
        self.press(words["next"])
        self.until_error(words["lockUnusable"])
        self.look("a lock that does not confirm")
        self.find("input[type=checkbox]")[0].click()
        self.press(words["next"])
        self.until_text(words["setUpDone"])
        self.command("WebAuthn.disable")
        self.look("no requests")

    def see_requests(self, words):
        self.server.set_policy("bank", {"numberMatchingDigits": 2})
        self.addCleanup(self.server.set_policy, "bank", {})
        self.long = self.server.pay(payment(
            "Bücher " + LONG, 2999, reference="4711-2026-11", returnURL="https://bank.example/fertig",
            authentication=["consent", "userPIN"],
            payees=[{"name": "A" * 70, "account": "DE89370400440532013000"}], fields=[
                {"label": "IBAN " + LONG[:30], "value": "שלום 12 " + LONG},
                {"label": "Filiale", "value": "Köln"},
            ]))
        self.other = self.server.pay(payment("Äpfel"))
        self.until_text("Bücher")
        self.until_text("Äpfel")
        self.look("requests")
        self.open_request("Bücher " + LONG)
        self.look("request")
        self.type(words["number"], "1")
        self.type(words["pin"], PIN)
        self.press(words["approve"])
        self.until_error(words["codes"]["numberMistyped"])
        self.type(words["number"], "%02d" % ((int(self.long["number"]) + 1) % 100))
        self.type(words["pin"], PIN)
        self.press(words["approve"])
        self.until_error(words["wrongPINOrNumber"])
        self.look("refused approval")

    def see_decisions(self, words):
        self.type(words["number"], self.long["number"])
        self.press(words["approveWithoutPIN"])
        self.until(lambda _: self.server.state(self.long) == "approved")
        self.until_text("https://bank.example")
        self.look("approved")
        self.press(words["goToRequests"])
        self.see_withdrawals(words)
        self.open_request("Äpfel")
        self.press(words["reject"])
        self.until_heading(words["rejectTitle"])
        self.look("reasons")
        self.press(words["back"])
        self.until_heading("Äpfel")
        self.press(words["reject"])
        self.press(words["notMe"])
        self.until_text(words["callBank"])
        self.look("rejected")
        # From now on the verifier sends no hints for some time.
        self.press(words["goToRequests"])

    def see_withdrawals(self, words):
        """The bank withdraws one request before an approval, and one before a rejection."""
        def withdraw(transaction):
            self.server.command("transaction", "withdraw", self.server.account, transaction["id"])

        first = self.server.pay(payment("Birnen"))
        self.open_request("Birnen")
        withdraw(first)
        self.type(words["number"], first["number"])
        self.type(words["pin"], PIN)
        self.press(words["approve"])
        self.until_heading(words["alreadyDecided"]["withdrawn"])
        self.look("withdrawn")
        self.press(words["goToRequests"])
        second = self.server.pay(payment("Kirschen"))
        self.open_request("Kirschen")
        self.press(words["reject"])
        withdraw(second)
        self.press(words["unspecified"])
        self.until_heading(words["alreadyDecided"]["withdrawn"])
        self.press(words["goToRequests"])

    def see_settings(self, words):
        self.press(words["settings"])
        self.until_heading(words["settings"])
        self.look("settings")
        self.press(words["notify"])
        self.until_text(words["notifying"])
        self.look("notifications")
        self.press(words["changePIN"])
        self.until_text(words["oldPIN"])
        self.look("change the PIN")
        for old, new, again, error in (
            (PIN, "111111", "222222", words["pinsDiffer"]),
            (PIN, "12", "12", words["pinLength"][2].replace("1", "6").replace("2", "12")),
            (WRONG_PIN, NEXT_PIN, NEXT_PIN, words["wrongPIN"]),
        ):
            self.type(words["oldPIN"], old)
            self.type(words["newPIN"], new)
            self.type(words["newPINAgain"], again)
            self.press(words["changePIN"])
            self.until_error(error)
        self.look("refused change of the PIN")
        self.type(words["oldPIN"], PIN)
        self.press(words["changePIN"])
        self.until_text(words["pinChanged"])
        self.until_heading(words["settings"])
        self.press(words["back"])
        self.until_heading(words["requestsTitle"])
        self.press(words["changes"])
        self.until_heading(words["changes"])
        self.look("changes")
        self.press(words["back"])
        # The bank issues another code.
        self.server.activation()
        self.until_text(words["newChanges"])
        self.until_heading(words["requestsTitle"])
        self.look("new changes")
        self.press(words["showChanges"])
        self.until_heading(words["changes"])
        self.press(words["back"])

    def see_logins_and_removal(self, words):
        self.open("#login=aGk&return=https%3A%2F%2Fevil.example%2F")
        self.until_text("evil.example")
        self.look("refused login")
        self.command("Network.setBlockedURLs", urls=["*/device/v1/status"])
        self.open("#login=aGk&return=https%3A%2F%2Fbank.example%2Fin")
        self.until_error(words["unknownResult"]["network"])
        self.look("a login that did not start")
        self.command("Network.setBlockedURLs", urls=[])
        self.press(words["tryAgain"])
        self.until_text("bank.example")
        self.open("#login=aGk&return=https%3A%2F%2Fbank.example%2Fin")
        self.until_text("bank.example")
        self.look("login")
        self.type(words["pin"], WRONG_PIN)
        self.press(words["logIn"])
        self.until_error(words["wrongPIN"])
        self.press(words["back"])
        self.until_heading(words["requestsTitle"])
        self.see_second_account(words)
        self.press(words["settings"])
        self.until_heading(words["settings"])
        self.press("%s: bank main %s" % (words["remove"], self.server.account.rsplit("/", 1)[1]))
        self.until_heading(words["removeTitle"])
        self.look("remove")
        self.press(words["remove"])
        self.until_text(words["removed"])
        self.look("removed")

    def see_second_account(self, words):
        """A second account, removed without a network: the verifier still counts the device."""
        first = self.server.account
        self.server.add_account()
        second = self.server.account
        self.see_activation_of_further_account(words, "type the PIN")
        self.until_text(words["setUpDone"])
        self.press(words["settings"])
        self.press("%s: bank main %s" % (words["remove"], second.rsplit("/", 1)[1]))
        self.command("Network.setBlockedURLs", urls=["*/device/v1/*"])
        self.press(words["remove"])
        self.until_text(words["removedHereOnly"])
        self.command("Network.setBlockedURLs", urls=[])
        self.look("removed here only")
        self.server.set_policy("bank", {"devicesPerAccount": 1})
        self.server.add_account()
        for other in (first, second):
            self.server.command("account", "link", self.server.account, other)
        self.see_activation_of_further_account(words)
        self.until_text("bank main %s " % second.rsplit("/", 1)[1])
        self.look("no room for a device")
        self.server.account = first
        self.open()
        self.until_heading(words["requestsTitle"])

    def see_activation_of_further_account(self, words, name=None):
        self.open_new_activation()
        self.until_heading(words["typePINTitle"])
        if name:
            self.look(name)
        self.type(words["pin"], NEXT_PIN)
        self.press(words["next"])

    def see_faults(self, words):
        """No network, and a browser that refuses storage."""
        self.clear()
        self.server.add_account()
        self.activate()
        self.addCleanup(self.command, "Network.setBlockedURLs", urls=[])
        self.see_unfinished_activation(words)
        self.command("Network.setBlockedURLs", urls=["*/device/v1/*"])
        self.press(words["refresh"])
        self.until_error(words["unknownResult"]["network"])
        self.look("no network")
        self.command("Network.setBlockedURLs", urls=["*/approve/verifier.json"])
        self.open()
        self.until_error(words["unexpected"])
        self.look("a page that does not start")
        self.command("Network.setBlockedURLs", urls=[])
        self.add_script(
            "indexedDB.open = () => { throw new DOMException('', 'SecurityError'); };")
        self.open()
        self.until_error(words["storage"]["refused"])
        self.look("refused storage")

    def see_unfinished_activation(self, words):
        """A further account whose commit is lost, and so is the request for its result."""
        first = self.server.account
        self.server.add_account()
        self.open_new_activation()
        self.until_heading(words["typePINTitle"])
        self.command("Network.setBlockedURLs", urls=["*/activation/commit", "*/device/v1/status"])
        for error in (words["unknownResult"]["network"], words["activationUnfinished"]):
            self.type(words["pin"], PIN)
            self.press(words["next"])
            self.until_error(error)
        self.look("unfinished activation")
        self.command("Network.setBlockedURLs", urls=[])
        self.press(words["back"])
        self.until_heading(words["setUpTitle"])
        self.press(words["settings"])
        self.until_heading(words["settings"])
        self.look("settings with an unfinished activation")
        name = self.server.account.replace("/", " ")
        self.press("%s: %s" % (words["removeUnfinished"], name))
        self.press(words["remove"])
        self.until_text(words["removed"])
        self.until_heading(words["requestsTitle"])
        self.server.account = first

    def test_a_fault_is_found(self):
        """Each way to look at a screen finds what it is for."""
        self.choose("de")
        self.open()
        self.until_heading(self.words["setUpTitle"])
        self.assertEqual(self.axe("light"), [])
        for fault, look in (
            ("main.append(Object.assign(new Image(), { src: 'icon.svg' }))", lambda: self.axe("light")),
            ("document.querySelector('label').removeAttribute('for')", lambda: self.axe("dark")),
            ("document.querySelector('.hint').style.color = '#888'",
             lambda: self.axe("light")),
            ("document.querySelector('.hint').style.color = '#666'",
             lambda: self.axe("dark")),
            ("document.querySelector('h1').style.whiteSpace = 'nowrap'", self.cut),
            ("main.append(Object.assign(document.createElement('p'), { textContent: 'Look again' }))",
             self.texts_of_another_language),
            ("main.append(Object.assign(document.createElement('p'), { title:"
             " 'Approved: Bücher' }))", self.texts_of_another_language),
        ):
            with self.subTest(fault):
                self.open()
                self.until_heading(self.words["setUpTitle"])
                self.driver.execute_script("const main = document.querySelector('main'); " + fault)
                self.assertNotEqual(look(), [])

    def test_in_english(self):
        self.see_all("en")

    def test_in_german(self):
        self.see_all("de")


def strings(table):
    """All texts of a table; several for a function."""
    if isinstance(table, str):
        return [table]
    parts = table.values() if isinstance(table, dict) else table
    return [text for part in parts for text in strings(part)]


def pattern(text):
    """Finds a text of the table as a whole, with any values in it."""
    parts = re.split("[\x01\x02]|\\b[12]\\b", text)
    return re.compile("^\\s*" + ".+".join(map(re.escape, parts)) + "\\s*$", re.DOTALL)
