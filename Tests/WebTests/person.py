"""A person at the page that a real verifier serves: reads the screen, types and presses."""

import unittest

from browser import Browser
from push_service import PUSH_MANAGER, PushService
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from verifier import WebServer

PIN, NEXT_PIN, WRONG_PIN = "271905", "836194", "271906"
# The lock of the device, as a virtual authenticator.
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasUserVerification": True, "hasResidentKey": True,
    "isUserVerified": True, "hasPrf": True, "automaticPresenceSimulation": True,
}
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


class Person(unittest.TestCase):
    """One browser and one verifier for all tests; an empty profile and a new account for each."""

    @classmethod
    def push_service(cls):
        """The push service that the verifier uses; none by default."""

    @classmethod
    def made_browser(cls):
        return Browser()

    @classmethod
    def setUpClass(cls):
        cls.push = cls.push_service()
        cls.server = WebServer(cls.push)
        cls.addClassCleanup(cls.server.stop)
        cls.browser = cls.made_browser()
        cls.addClassCleanup(cls.browser.close)
        cls.driver = cls.browser.driver
        cls.driver.get(cls.server.origin + "/approve/")
        cls.tables = cls.driver.execute_async_script(TABLE)

    def setUp(self):
        self.words = self.tables["en"]
        self.server.add_account()
        self.clear()
        self.command("Emulation.clearDeviceMetricsOverride")
        self.driver.set_window_size(360, 800)

    def clear(self):
        """Removes what the browser stored."""
        # No page may write afterwards.
        self.driver.get("about:blank")
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
        self.driver.get("about:blank")
        self.driver.get(self.server.origin + "/approve/" + fragment)

    def until_heading(self, text):
        self.until(lambda _: self.heading == text)

    def until_text(self, text):
        self.until(lambda _: text in self.text)

    def press(self, label):
        def pressed(driver):
            for button in driver.find_elements(By.CSS_SELECTOR, "button"):
                if button.text.split("\n")[0] == label:
                    button.click()
                    return True
            return False

        self.until(pressed)

    def type(self, label, text):
        for made in self.find("label"):
            if made.text == label:
                field = self.driver.find_element(By.ID, made.get_attribute("for"))
                field.clear()
                return field.send_keys(text)
        raise AssertionError("no field %r in %r" % (label, self.text))

    def until_error(self, text):
        self.until(lambda driver: any(
            text in place.text for place in driver.find_elements(By.CSS_SELECTOR, ".error")))

    # Parts of the journey, in the language of the test.

    def activate(self, pin=PIN):
        activation = self.server.activation()
        self.open("#activation=" + activation["id"])
        self.type(self.words["activationCode"], activation["code"])
        self.press(self.words["next"])
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
    def push_service(cls):
        service = PushService()
        cls.addClassCleanup(service.close)
        return service

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
