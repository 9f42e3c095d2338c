"""A real Chromium, with a profile of its own."""

import json
import os
import shutil
import signal
import subprocess
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from devtools import DevTools

CALL = "import(%s).then((module) => module[%s](...%s))"


def options_of(profile):
    """The options of every Chromium of these tests."""
    options = [
        "--headless=new", "--user-data-dir=" + profile, "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
        "--disable-gpu", "--disable-extensions", "--mute-audio",
        # Processes of pages that no test opens: they cost a third of a start.
        "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,"
        "PreloadTopChromeWebUI,SpareRendererForSitePerProcess",
    ]
    # Chromium's sandbox does not start as root.
    return options + (["--no-sandbox"] if os.geteuid() == 0 else [])


class BareBrowser:
    """Chromium without a driver, which starts in half the time."""

    def __init__(self, profile, address):
        self.process = subprocess.Popen(
            [shutil.which("chromium"), *options_of(profile), address], start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        """Kills all of its processes at once."""
        os.killpg(self.process.pid, signal.SIGKILL)

    def wait(self):
        return self.process.wait(30)


class Browser:
    def __init__(self, profile=None, refuses_storage=False, arguments=()):
        self.profile = profile or tempfile.mkdtemp(prefix="web-tests-")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for option in [*options_of(self.profile), *arguments]:
            options.add_argument(option)
        if refuses_storage:
            options.add_experimental_option(
                "prefs", {"profile.default_content_setting_values.cookies": 2})
        self.driver = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
        self.driver.set_script_timeout(120)
        self.tab = self.driver.current_window_handle
        self.connections = {}

    @property
    def process(self):
        """The browser's own process, which chromedriver started."""
        children = subprocess.run(
            ["pgrep", "-P", str(self.driver.service.process.pid)], capture_output=True, check=True)
        return int(children.stdout.split()[0])

    @property
    def processes(self):
        """All processes of the browser."""
        found = [self.process]
        for parent in found:
            children = subprocess.run(
                ["pgrep", "-P", str(parent)], capture_output=True, check=False)
            found += [int(child) for child in children.stdout.split()]
        return found

    @property
    def page(self):
        """The connection to the tab in use."""
        if self.tab not in self.connections:
            self.connections[self.tab] = DevTools(self.driver, "page", self.tab)
            self.connections[self.tab].report_loads()
        return self.connections[self.tab]

    def open_tab(self):
        """Opens a tab and uses it."""
        self.driver.switch_to.new_window("tab")
        self.tab = self.driver.current_window_handle

    def show_tab(self, tab):
        self.driver.switch_to.window(tab)
        self.tab = tab

    def close_tab(self):
        """Closes the tab in use; another one is to be shown next."""
        self.connections.pop(self.tab).close()
        self.driver.close()

    def open(self, pages):
        self.page.load(pages.origin + "/empty")

    def call(self, path, name, *values):
        """The value of a function of a module, which may be asynchronous."""
        return self.page.value(CALL % tuple(map(json.dumps, (path, name, values))))

    def close(self, keeps_profile=False):
        self.driver.quit()
        if not keeps_profile:
            shutil.rmtree(self.profile, ignore_errors=True)
