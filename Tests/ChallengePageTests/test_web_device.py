"""The approval in the browser of the shop: the challenge page links to the web device."""

import unittest

from axe import AXE, RUN_AXE
from browser import Browser
from buyer import PAID
from issuer import CardVerifier, Issuer
from person import PIN, TABLE, Person, with_real_cost
from selenium.webdriver.common.by import By

# Of a frame in a shop that restricts it. The last two let the link open the web device.
RIGHTS = (
    "allow-forms allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox")


class CardParts:
    """A verifier that serves the page, an ACS that links to it, and a browser."""

    push = None

    def __init__(self):
        self.server = CardVerifier()
        # The verifier has no TLS here, so only a sandbox can link to it.
        self.issuer = Issuer(self.server, sandbox=True, webDevice=self.server.origin + "/approve/")
        self.browser = Browser(arguments=[self.issuer.browser_argument])
        self.browser.page.load(self.server.origin + "/approve/")
        self.tables = self.browser.page.value(TABLE)

    def close(self):
        self.browser.close()
        self.issuer.close()
        self.server.stop()


@unittest.skipUnless(
    (CardVerifier.FILES / "index.html").is_file(), "the page for browsers is not built")
class WebDevice(Person):
    @classmethod
    def own_parts(cls):
        parts = CardParts()
        cls.issuer, cls.peer = parts.issuer, parts.issuer.peer
        return parts

    @with_real_cost
    def test_opens_in_a_tab_of_its_own(self):
        card = self.issuer.add_card()
        self.activate()
        shop = self.browser.tab
        self.open_challenge(card)
        self.driver.execute_script(AXE)
        self.assertEqual(self.driver.execute_async_script(RUN_AXE)["found"], [])
        self.driver.find_element(By.LINK_TEXT, "Approve on this device").click()
        [tab] = self.until(lambda driver: set(driver.window_handles) - {shop})
        self.use_tab(tab)
        self.until_heading(self.words["requestsTitle"])
        self.assertEqual(self.page.value("[window.opener, document.referrer]"), [None, ""])
        self.open_request("Card payment")
        # The shop's clock depends on the date of the test.
        for part in ("47.11 EUR", "CoffeeHouse2 (Dæmø)", "Card", card[-4:], "At the shop's clock"):
            self.assertIn(part, self.text)
        self.type(self.words["pin"], PIN)
        self.press(self.words["approve"])
        self.until_heading("Approved: Card payment")
        self.browser.close_tab()
        self.use_tab(shop)
        self.until_in_frame(lambda driver: driver.find_element(By.TAG_NAME, "h1").text == PAID)
        transaction = self.peer.run("shop")["transactions"][-1]
        [post] = self.peer.run("shop", transaction=transaction)["posts"]
        self.assertEqual(post["cres"]["transStatus"], "Y")

    def open_challenge(self, card):
        address = self.peer.run(
            "offer", card=card, automatic=False, end="other", frame="03", rights=RIGHTS)["address"]
        self.page.load(address)
        self.press("Pay with your card")
        self.press("Continue")
        self.until_in_frame(
            lambda driver: driver.find_elements(By.CSS_SELECTOR, "[role=status]"))

    def until_in_frame(self, condition):
        """The driver can fall back to the shop when the frame moves to another site."""
        def is_met(driver):
            driver.switch_to.default_content()
            driver.switch_to.frame("challenge")
            return condition(driver)

        return self.until(is_met)

    def use_tab(self, tab):
        self.browser.show_tab(tab)
        self.page = self.browser.page


if __name__ == "__main__":
    unittest.main()
