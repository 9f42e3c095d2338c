"""A person at the page that a real verifier serves: reads the screen, types and presses."""

import unittest

from browser import Browser
from parts import shared
from push_service import PUSH_MANAGER, PushService
from selenium.common.exceptions import (
    JavascriptException, StaleElementReferenceException, TimeoutException)
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from verifier import WebServer

PIN, NEXT_PIN, WRONG_PIN = "271905", "836194", "271906"
# The lock of the device, as a virtual authenticator.
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasUserVerification": True, "hasResidentKey": True,
    "isUserVerified": True, "hasPrf": True, "automaticPresenceSimulation": True,
}
# The page looks itself, after each change of it: questions from outside cost more than the page.
UNTIL = """
const done = arguments[arguments.length - 1];
const values = arguments;
const look = () => {
    const found = (() => { %s })();
    if (!found) return;
    observer.disconnect();
    done(found);
};
const observer = new MutationObserver(look);
observer.observe(
    document, { subtree: true, childList: true, attributes: true, characterData: true });
look();
"""
BUTTON = """return [...document.querySelectorAll('button')].find(
    (one) => one.checkVisibility() && one.innerText.split('\\n')[0] === values[0]);"""
FIELD = """return [...document.querySelectorAll('label')].find(
    (one) => one.checkVisibility() && one.innerText === values[0])?.control;"""
ERROR = """return [...document.querySelectorAll('.error')].some(
    (one) => one.checkVisibility() && one.innerText.includes(values[0]));"""
HEADING = "return document.querySelector('h1')?.textContent === values[0];"
TEXT = "return document.body.innerText.includes(values[0]);"
ACTIVE = "const active = document.activeElement; "
# A function of the table gets these values, so that its fixed parts can be found.
TABLE = """
const done = arguments[arguments.length - 1];
const shown = (value) => typeof value === 'function'
    ? [['\\u0001', '\\u0002'], ['\\u0001', '\\u0001'], [1, 2]].map((given) => value(...given))
    : typeof value === 'object' ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, shown(member)]))
    : value;
const script = new URL(document.querySelector('script').src);
import(new URL('texts.js', script)).then(({ languages }) => done(shown(languages)));
"""


class Parts:
    """A browser, and a verifier that serves the page."""

    def __init__(self, browser=None, push=None):
        self.push = push
        self.server = WebServer(push)
        self.browser = browser or Browser()
        self.browser.driver.get(self.server.origin + "/approve/")
        self.tables = self.browser.driver.execute_async_script(TABLE)

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

    def setUp(self):
        self.words = self.tables["en"]
        self.server.add_account()
        self.clear()
        self.command("Emulation.clearDeviceMetricsOverride")
        self.driver.set_window_size(360, 800)

    def leave(self):
        """Shows a page of the verifier that has no script. Pages of other origins start a process."""
        self.driver.get(self.server.origin + "/approve/none")

    def clear(self):
        """Removes what the browser stored."""
        # No page may write afterwards.
        self.leave()
        self.command("Storage.clearDataForOrigin", origin=self.server.origin, storageTypes="all")

    def command(self, name, **values):
        """A command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, values)

    def speak(self, language):
        """The page sees another language of the browser, and this table is used."""
        self.words = self.tables[language]
        agent = self.driver.execute_script("return navigator.userAgent")
        self.command("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language)

    # The eyes and hands of a person.

    def until(self, condition):
        # The page may replace an element while it is read.
        ignored = [StaleElementReferenceException]
        wait = WebDriverWait(self.driver, 30, poll_frequency=0.05, ignored_exceptions=ignored)
        try:
            return wait.until(condition)
        except TimeoutException:
            raise AssertionError("the page shows:\n" + self.text) from None

    def until_page(self, condition, *values):
        """The value of this JavaScript function body, as soon as it is not false."""
        while True:
            try:
                return self.driver.execute_async_script(UNTIL % condition, *values)
            except TimeoutException:
                raise AssertionError("the page shows:\n" + self.text) from None
            except JavascriptException as error:
                # Another page was loaded.
                if "unloaded" not in error.msg:
                    raise

    def find(self, selector):
        return self.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector))

    @property
    def heading(self):
        return self.driver.execute_script("return document.querySelector('h1')?.textContent")

    @property
    def text(self):
        return self.driver.execute_script("return document.body.innerText")

    def open(self, fragment=""):
        """Loads the page, also if only the fragment differs."""
        self.leave()
        self.driver.get(self.server.origin + "/approve/" + fragment)

    def until_heading(self, text):
        self.until_page(HEADING, text)

    def until_text(self, text):
        self.until_page(TEXT, text)

    def press(self, label):
        def pressed(_):
            self.until_page(BUTTON, label).click()
            return True

        self.until(pressed)

    def type(self, label, text):
        field = self.until_page(FIELD, label)
        field.clear()
        field.send_keys(text)

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
        cls.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": PUSH_MANAGER % cls.push.endpoint})

    @classmethod
    def permit(cls, setting):
        cls.driver.execute_cdp_cmd("Browser.setPermission", {
            "origin": cls.server.origin, "permission": {"name": "notifications"},
            "setting": setting})
