"""WebKitGTK, the engine that is nearest to Safari, on a screen of its own."""

import glob
import os
import shutil
import subprocess

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service


class WebKit:
    PROGRAMS = ("WebKitWebDriver", "Xvfb")

    def __init__(self):
        reading, writing = os.pipe()
        self.screen = subprocess.Popen(
            [shutil.which("Xvfb"), "-displayfd", str(writing), "-nolisten", "tcp",
             "-screen", "0", "1024x768x24"],
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number:
            display = ":" + number.readline().strip()
        options = Options()
        options.binary_location = glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")[-1]
        options.add_argument("--automation")
        environment = dict(os.environ, DISPLAY=display, GDK_BACKEND="x11")
        service = Service(shutil.which("WebKitWebDriver"), env=environment)
        self.driver = webdriver.WebKitGTK(options, service)
        self.name = self.driver.capabilities["browserVersion"]

    def go(self, address):
        self.driver.get(address)

    def text(self):
        return self.driver.execute_script("return document.body.innerText")

    def press(self, label):
        def press_now():
            for button in self.driver.find_elements(By.CSS_SELECTOR, "button"):
                if button.text.split("\n")[0] == label:
                    button.click()
                    return True
            return False

        return unless_replaced(press_now)

    def type(self, label, text):
        def type_now():
            for made in self.driver.find_elements(By.CSS_SELECTOR, "label"):
                if made.text == label:
                    field = self.driver.find_element(By.ID, made.get_attribute("for"))
                    field.click()
                    field.send_keys(text)
                    return True
            return False

        return unless_replaced(type_now)

    def close(self):
        self.driver.quit()
        self.screen.terminate()
        self.screen.wait(30)


def unless_replaced(action):
    """False if the page replaced an element meanwhile."""
    try:
        return action()
    except StaleElementReferenceException:
        return False
