"""Every page: axe-core finds nothing, and it fits into the windows that a shop can choose."""

import unittest

from axe import AXE, RUN_AXE
from shopper import Shopper
from written import pages

# Elements that reach over the side of the window, and a number in several lines.
CUT = """
const width = document.documentElement.clientWidth;
const found = document.documentElement.scrollWidth > width ? ['the page scrolls to the side'] : [];
for (const one of document.querySelectorAll('body *')) {
    const { left, right } = one.getBoundingClientRect();
    if (left < 0 || right > width) found.push(one.outerHTML);
}
const range = document.createRange();
for (const one of document.querySelectorAll('.number')) {
    range.selectNodeContents(one);
    if (range.getClientRects().length > 1) found.push('a number in several lines');
}
return found;
"""
# challengeWindowSize 01 to 05.
WINDOWS = [(250, 400), (390, 400), (500, 600), (600, 400), (1280, 800)]
LONGEST = {
    "amount": 999999999999999, "number": "123456", "isMuted": True, "note": "notAskedAgain",
    "device": "https://bank.example/approve/",
}
# Each as long as the verifier permits: a word without a break, quotes, and right to left.
NAMES = ["W" * 70, '"' * 70, "ש" * 70, "咖" * 70]


class Looks(Shopper):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.command, "Emulation.clearDeviceMetricsOverride")
        self.addCleanup(self.command, "Emulation.setEmulatedMedia", features=[])

    def addresses(self, language):
        """The address of each page; the last page stays, since the shop's response is empty."""
        challenges = [
            self.world.challenge(language=language, shop=name, **LONGEST) for name in NAMES]
        challenges += [self.world.challenge(language=language, amount=None) for _ in range(2)]
        challenges[-1].path = "/silent"
        challenges[-1].over.set()
        notices = pages(
            {"kind": kind, "language": language, "handle": "aGFuZGxlLW9mLTE2LWJ5dA"}
            for kind in ("malformed", "unknown", "unavailable"))
        return [self.world.address(one) for one in challenges] + [
            self.world.serve(notice) for notice in notices]

    def axe(self, scheme):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        result = self.driver.execute_async_script(RUN_AXE)
        self.assertGreater(result["passes"], 5, result)
        return result["found"]

    def resize(self, width, height, zoom):
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width // zoom, height=height // zoom,
            deviceScaleFactor=zoom, mobile=False)

    def look(self, language):
        for address in self.addresses(language):
            self.driver.get(address)
            # By the DevTools protocol, so that the page keeps its Content-Security-Policy.
            self.command("Runtime.evaluate", expression=AXE)
            for scheme in ("light", "dark"):
                self.assertEqual(self.axe(scheme), [], address)
            for width, height in WINDOWS:
                for zoom in (1, 2):
                    self.resize(width, height, zoom)
                    self.assertEqual(self.driver.execute_script(CUT), [], (address, width, zoom))

    def test_in_english(self):
        self.look("en")

    def test_in_german(self):
        self.look("de")

    def test_the_focus_is_visible(self):
        self.driver.get(self.addresses("en")[0])
        for _ in range(4):
            self.driver.switch_to.active_element.send_keys("\ue004")
            style = self.driver.execute_script("""
                const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
                return [document.activeElement.localName, outlineStyle, outlineWidth];""")
            self.assertIn(style[0], ("a", "button"))
            self.assertEqual(style[1:], ["solid", "3px"])

    def test_each_look_finds_a_fault(self):
        self.driver.get(self.addresses("en")[0])
        self.command("Runtime.evaluate", expression=AXE)
        self.resize(*WINDOWS[0], 1)
        self.assertEqual(self.driver.execute_script(CUT), [])
        self.driver.execute_script("document.querySelector('bdi').style.whiteSpace = 'nowrap'")
        self.driver.execute_script("document.querySelector('dt').style.color = '#999'")
        self.driver.execute_script("document.body.style.overflowWrap = 'normal'")
        self.driver.execute_script("document.querySelector('.number').style = 'white-space: pre-line'")
        self.driver.execute_script("document.querySelector('.number').prepend('1\\n')")
        found = self.driver.execute_script(CUT)
        self.assertIn("the page scrolls to the side", found)
        self.assertIn("a number in several lines", found)
        self.assertNotEqual(self.axe("light"), [])


if __name__ == "__main__":
    unittest.main()
