"""A person in Chromium, and a shopper in front of the model of an ACS."""

import json
import pathlib
import tempfile
import unittest

from browser import Browser
from parts import shared
from selenium.common.exceptions import (
    NoSuchElementException, NoSuchFrameException, StaleElementReferenceException)
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from servers import World

LIMIT = 60
# A page that was left.
GONE = [NoSuchElementException, NoSuchFrameException, StaleElementReferenceException]


class Parts:
    def __init__(self, profile=None):
        self.world = World()
        self.browser = Browser(profile)

    def close(self):
        self.browser.close()
        self.world.close()


class PartsWithoutScripts(Parts):
    def __init__(self):
        super().__init__(profile_without_scripts())


def profile_without_scripts():
    """The setting of a person who permits no scripts, also in frames of other sites."""
    profile = tempfile.mkdtemp(prefix="web-tests-")
    folder = pathlib.Path(profile, "Default")
    folder.mkdir()
    settings = {"profile": {"default_content_setting_values": {"javascript": 2}}}
    (folder / "Preferences").write_text(json.dumps(settings))
    return profile


class Visitor(unittest.TestCase):
    """The eyes and hands of a person, in the page or in the frame of its challenge."""

    is_in_frame = False

    def command(self, name, **values):
        return self.driver.execute_cdp_cmd(name, values)

    def until(self, condition):
        wait = WebDriverWait(self.driver, LIMIT, 0.05, GONE)
        return wait.until(lambda _: self.use_frame() or condition())

    def use_frame(self):
        """The driver can fall back to the page when its frame moves to another site."""
        if self.is_in_frame:
            self.driver.switch_to.default_content()
            self.driver.switch_to.frame("challenge")

    def leave_frame(self):
        self.driver.switch_to.default_content()
        self.is_in_frame = False

    def see_heading(self, text):
        self.until(lambda: self.text("h1") == text)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).get_property("textContent")

    def press(self, label):
        """Waits for the button: the page before it may still be there."""
        self.until(lambda: self.is_pressed(label))

    def is_pressed(self, label):
        buttons = [
            one for one in self.driver.find_elements(By.TAG_NAME, "button") if one.text == label]
        for button in buttons:
            button.click()
        return len(buttons) == 1


class Shopper(Visitor):
    """Nothing on a page may break its policy, or send a request that has no reason."""

    has_scripts = True

    @classmethod
    def setUpClass(cls):
        parts = shared(Parts if cls.has_scripts else PartsWithoutScripts)
        cls.world, cls.driver = parts.world, parts.browser.driver

    def setUp(self):
        self.world.forget()
        self.leave_frame()
        self.addCleanup(self.see_no_breach)

    def see_no_breach(self):
        self.leave_frame()
        self.driver.get("about:blank")
        self.assertEqual(self.world.reports, [])
        self.assertEqual(self.world.unexpected, [])

    def pay(self, challenge, target="challenge"):
        """Goes from the checkout to the challenge page, which is in a frame."""
        self.driver.get("%s/shop?handle=%s&target=%s" % (
            self.world.shop.origin, challenge.handle, target))
        self.press("Pay")
        self.is_in_frame = target == "challenge"
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "[role=status]"))

