"""A person at the page that a real verifier serves: reads the screen, types and presses."""

import json
import unittest

from browser import Browser
from devtools import DocumentLeft
from parts import shared
from push_service import PUSH_MANAGER, PushService
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from verifier import WebServer
from websocket import WebSocketTimeoutException

PIN, NEXT_PIN, WRONG_PIN = "271905", "836194", "271906"
# The lock of the device, as a virtual authenticator.
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasUserVerification": True, "hasResidentKey": True,
    "isUserVerified": True, "hasPrf": True, "automaticPresenceSimulation": True,
}
# Argon2id with less memory, so that tests are fast.
LESS_MEMORY = """{
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (request, ...others) {
        const { passes, memoryKiB, lanes } = request.cost;
        if (passes !== 3 || memoryKiB !== 65_536 || lanes !== 4) throw new Error('another cost');
        const less = { ...request, cost: { passes: 1, memoryKiB: 64, lanes } };
        return postMessage.call(this, less, ...others);
    };
}"""
# The page looks itself, after each change of it: questions from outside cost more than the page.
UNTIL = """new Promise((done, fail) => {
    const values = %s;
    const condition = () => { %s };
    const look = () => {
        try {
            const found = condition();
            if (!found) return;
            observer.disconnect();
            done(found);
        } catch (error) {
            fail(error);
        }
    };
    const observer = new MutationObserver(look);
    observer.observe(
        document, { subtree: true, childList: true, attributes: true, characterData: true });
    look();
})"""
# The middle of the button, when nothing covers it. The button notes that it was pressed.
BUTTON = """
    const button = [...document.querySelectorAll('button')].find(
        (one) => one.checkVisibility() && one.innerText.split('\\n')[0] === values[0]);
    if (!button) return false;
    button.scrollIntoView({ block: 'nearest' });
    const { x, y, width, height } = button.getBoundingClientRect();
    const middle = { x: x + width / 2, y: y + height / 2 };
    if (!button.contains(document.elementFromPoint(middle.x, middle.y))) return false;
    window.isPressed = false;
    button.addEventListener('click', () => { isPressed = true; }, { capture: true, once: true });
    return middle;"""
# The field has the focus afterwards, and its text is selected.
FIELD = """
    const field = [...document.querySelectorAll('label')].find(
        (one) => one.checkVisibility() && one.innerText === values[0])?.control;
    field?.focus();
    field?.select();
    return Boolean(field) && document.activeElement === field;"""
STARTED = """
    return document.querySelector('.error')
        || !['Countersign', undefined].includes(document.querySelector('h1')?.textContent);"""
ERROR = """return [...document.querySelectorAll('.error')].some(
    (one) => one.checkVisibility() && one.innerText.includes(values[0]));"""
HEADING = "return document.querySelector('h1')?.textContent === values[0];"
TEXT = "return document.body?.innerText.includes(values[0]);"
# A function of the table gets these values, so that its fixed parts can be found.
TABLE = """{
const shown = (value) => typeof value === 'function'
    ? [['\\u0001', '\\u0002'], ['\\u0001', '\\u0001'], [1, 2]].map((given) => value(...given))
    : typeof value === 'object' ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, shown(member)]))
    : value;
const script = new URL(document.querySelector('script').src);
import(new URL('texts.js', script)).then(({ languages }) => shown(languages));
}"""


def with_real_cost(test):
    """In this test the page derives keys as it does for a person."""
    test.has_real_cost = True
    return test


class Parts:
    """A browser, and a verifier that serves the page."""

    def __init__(self, browser=None, push=None):
        self.push = push
        self.server = WebServer(push)
        self.browser = browser or Browser()
        self.browser.page.load(self.server.origin + "/approve/")
        self.tables = self.browser.page.value(TABLE)
        # The database of a page that is left during its start cannot be removed.
        self.browser.page.value(UNTIL % ("[]", STARTED))

    def close(self):
        self.browser.close()
        self.server.stop()


class Person(unittest.TestCase):
    """An empty profile and a new account for each test."""

    @classmethod
    def own_parts(cls):
        """The parts of a class whose tests need others than the shared ones."""

    @classmethod
    def setUpClass(cls):
        parts = cls.own_parts()
        if parts:
            cls.addClassCleanup(parts.close)
        else:
            parts = shared(Parts)
        cls.push, cls.server, cls.tables = parts.push, parts.server, parts.tables
        cls.browser, cls.driver = parts.browser, parts.browser.driver
        cls.page = cls.browser.page

    def setUp(self):
        self.words = self.tables["en"]
        self.server.add_account()
        self.clear()
        self.command("Emulation.clearDeviceMetricsOverride")
        self.driver.set_window_size(360, 800)
        if not hasattr(getattr(self, self._testMethodName), "has_real_cost"):
            self.add_script(LESS_MEMORY)

    def leave(self):
        """Shows a page of the verifier that has no script. Pages of other origins start a process."""
        self.page.load(self.server.origin + "/approve/none")

    def clear(self):
        """Removes what the browser stored."""
        # No page may write afterwards.
        self.leave()
        self.command("Storage.clearDataForOrigin", origin=self.server.origin, storageTypes="all")

    def command(self, name, **values):
        """A command of the DevTools protocol."""
        return self.page.command(name, **values)

    def add_script(self, source):
        """Each document of this test runs it first."""
        added = self.command("Page.addScriptToEvaluateOnNewDocument", source=source)
        self.addCleanup(self.command, "Page.removeScriptToEvaluateOnNewDocument", **added)

    def speak(self, language):
        """The page sees another language of the browser, and this table is used."""
        self.words = self.tables[language]
        agent = self.page.value("navigator.userAgent")
        self.command("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language)

    # The eyes and hands of a person.

    def until(self, condition):
        # The page may replace an element while it is read.
        ignored = [StaleElementReferenceException]
        wait = WebDriverWait(self.driver, 60, poll_frequency=0.05, ignored_exceptions=ignored)
        try:
            return wait.until(condition)
        except TimeoutException:
            raise AssertionError("the page shows:\n" + self.text) from None

    def until_page(self, condition, *values):
        """The value of this JavaScript function body, as soon as it is not false."""
        try:
            return self.value(UNTIL % (json.dumps(values), condition))
        except WebSocketTimeoutException:
            raise AssertionError("the page shows:\n" + self.text) from None

    def value(self, expression):
        """The value of an expression in the document that stays."""
        while True:
            try:
                return self.page.value(expression)
            except DocumentLeft:
                continue

    def find(self, selector):
        return self.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector))

    @property
    def heading(self):
        return self.value("document.querySelector('h1')?.textContent")

    @property
    def text(self):
        return self.value("document.body?.innerText ?? ''")

    def open(self, fragment=""):
        """Loads the page, also if only the fragment differs."""
        self.page.value("history.replaceState(null, '', '/approve/none')")
        self.page.load(self.server.origin + "/approve/" + fragment)

    def in_another_page(self, use):
        """Calls `use` with the page in a tab of its own, and returns to this one."""
        first, page = self.browser.tab, self.page
        self.browser.open_tab()
        self.addCleanup(setattr, self, "page", page)
        self.page = self.browser.page
        self.command("Page.addScriptToEvaluateOnNewDocument", source=LESS_MEMORY)
        self.leave()
        use()
        self.browser.close_tab()
        self.browser.show_tab(first)
        self.page = page

    def until_heading(self, text):
        self.until_page(HEADING, text)

    def until_text(self, text):
        self.until_page(TEXT, text)

    def press(self, label):
        while True:
            self.page.click(**self.until_page(BUTTON, label))
            # The page may replace the button meanwhile. Another document has no note.
            if self.value("window.isPressed ?? true"):
                return

    def type(self, label, text):
        """Replaces the text of the field, key by key."""
        self.until_page(FIELD, label)
        self.page.type(text)

    def until_error(self, text):
        self.until_page(ERROR, text)

    # Parts of the journey, in the language of the test.

    def activate(self, pin=PIN):
        self.open_new_activation()
        self.until_heading(self.words["choosePINTitle"])
        self.type(self.words["newPIN"], pin)
        self.type(self.words["newPINAgain"], pin)
        self.press(self.words["next"])
        self.until_heading(self.words["requestsTitle"])

    def open_new_activation(self):
        """The link with id and code, until the next screen or an error."""
        activation = self.server.activation()
        self.open("#activation=%s&code=%s" % (activation["id"], activation["code"]))
        self.press(self.words["next"])

    def activate_further(self, pin=PIN):
        """The current account, on a device that has others with this PIN."""
        self.open_new_activation()
        self.until_heading(self.words["typePINTitle"])
        self.type(self.words["pin"], pin)
        self.press(self.words["next"])
        self.until_heading(self.words["requestsTitle"])

    def open_request(self, title):
        self.press(title)
        self.until_heading(title)

    def state(self, transaction):
        return self.server.state(transaction)


class PushedPerson(Person):
    """With a push service of the tests in place of the browser's own."""

    @classmethod
    def own_parts(cls):
        service = PushService()
        cls.addClassCleanup(service.close)
        return Parts(push=service)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.permit("granted")
        cls.page.command(
            "Page.addScriptToEvaluateOnNewDocument", source=PUSH_MANAGER % cls.push.endpoint)

    @classmethod
    def permit(cls, setting):
        cls.page.command(
            "Browser.setPermission", origin=cls.server.origin, setting=setting,
            permission={"name": "notifications"})
