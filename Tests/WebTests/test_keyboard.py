"""The whole journey with the keyboard alone: the focus is visible, and sensible after each screen."""

from person import PIN, Person, with_real_cost
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from verifier import payment

# The control that has the focus: its name, and whether a person sees that it has the focus.
FOCUSED = """
const one = document.activeElement;
if (!one || one === document.body) return null;
const { outlineStyle, outlineWidth } = getComputedStyle(one);
const { top, bottom, left, right } = one.getBoundingClientRect();
const text = one.labels?.length ? one.labels[0].textContent : one.innerText;
return {
    kind: one.localName, name: text.split('\\n')[0],
    outline: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth),
    isInside: top >= -1 && left >= -1 && bottom <= innerHeight + 1 && right <= innerWidth + 1,
};
"""
# Collects the texts of elements that are added to the list of requests.
ADDED = """
window.added = [];
new MutationObserver((changes) => {
    for (const one of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        window.added.push(one.textContent);
    }
}).observe(document.querySelector('.waiting'), { childList: true, subtree: true });
"""


class Keyboard(Person):
    def keys(self, *keys):
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    @property
    def focused(self):
        found = self.driver.execute_script(FOCUSED)
        self.assertIsNotNone(found, "nothing has the focus")
        self.assertGreaterEqual(found["outline"], 2, found)
        # The browser scrolls to it.
        self.until(lambda driver: (driver.execute_script(FOCUSED) or {}).get("isInside"))
        return found

    def expect_focus(self, kind, name):
        """The screen has changed, and the focus is at its place."""
        def is_there(driver):
            found = driver.execute_script(FOCUSED) or {}
            return (found.get("kind"), found.get("name")) == (kind, name)

        self.until(is_there)
        self.assertEqual(self.focused["name"], name)

    def scroll_by_key(self):
        """A key scrolls for a moment, and would move what gets the focus meanwhile."""
        self.driver.execute_script(
            "addEventListener('scrollend', () => { window.hasScrolled = true; }, { once: true })")
        self.keys(Keys.ARROW_DOWN)
        self.until(lambda driver: driver.execute_script("return window.hasScrolled && scrollY > 0"))

    def tab_back(self):
        chain = ActionChains(self.driver, duration=0)
        chain.key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()

    def tab_to(self, name, tab=None):
        """The names that have the focus on the way, in the order of the screen."""
        passed = []
        while not passed or passed[-1] != name:
            self.assertLess(len(passed), 20, passed)
            (tab or (lambda: self.keys(Keys.TAB)))()
            passed.append(self.focused["name"])
        return passed

    def set_up(self):
        activation = self.server.activation()
        self.open()
        self.until_heading("Approve requests of your bank here")
        self.assertEqual(self.tab_to("Activation id"), ["Activation id"])
        self.keys(activation["id"], Keys.TAB, activation["code"])
        self.assertEqual(self.tab_to("Next"), ["Name of this device", "Next"])
        self.keys(Keys.SPACE)
        self.expect_focus("input", "New PIN")
        self.keys(PIN, Keys.TAB, PIN, Keys.ENTER)
        self.expect_focus("h1", "Requests")

    @with_real_cost
    def test_activates_approves_and_rejects(self):
        self.set_up()
        first, second = self.server.pay(payment("Apples")), self.server.pay(payment("Pears"))
        self.until_text("Pears")
        self.assertEqual(self.tab_to("Settings"), [
            "Apples", "Pears", "Look again", "Changes of your accounts", "Settings"])
        self.assertEqual(self.tab_to("Apples", self.tab_back)[-1], "Apples")
        self.keys(Keys.ENTER)
        self.expect_focus("h1", "Apples")
        # All of it can be read: the arrow keys scroll.
        self.driver.set_window_size(360, 400)
        self.scroll_by_key()
        self.assertEqual(self.tab_to("Approve"), ["PIN", "Approve"])
        self.assertEqual(self.tab_to("PIN", self.tab_back), ["PIN"])
        self.keys("271906", Keys.ENTER)
        self.until_error("The PIN is wrong.")
        self.expect_focus("input", "PIN")
        self.keys(PIN, Keys.ENTER)
        self.expect_focus("h1", "Approved: Apples")
        self.assertEqual(self.server.state(first), "approved")
        self.tab_to("To the requests")
        self.keys(Keys.SPACE)
        self.expect_focus("h1", "Requests")
        self.tab_to("Pears")
        self.keys(Keys.SPACE)
        self.expect_focus("h1", "Pears")
        self.assertEqual(self.tab_to("Reject"), ["PIN", "Approve", "Reject"])
        self.keys(Keys.ENTER)
        self.expect_focus("h1", "Why do you reject?")
        self.tab_to("The details are wrong")
        self.keys(Keys.ENTER)
        self.expect_focus("h1", "Rejected: Pears")
        self.assertEqual(self.server.state(second), "rejected")

    def test_the_settings(self):
        self.set_up()
        self.tab_to("Settings")
        self.keys(Keys.ENTER)
        self.expect_focus("h1", "Settings")
        self.tab_to("Change the PIN")
        self.keys(Keys.SPACE)
        self.expect_focus("input", "Old PIN")
        self.keys(PIN, Keys.TAB, "836194", Keys.TAB, "836194", Keys.ENTER)
        self.expect_focus("h1", "Settings")
        name = "Remove this device: bank main %s" % self.server.account.rsplit("/", 1)[1]
        self.tab_to(name)
        self.keys(Keys.ENTER)
        self.expect_focus("h1", "Remove this device?")
        self.tab_to("Back")
        self.keys(Keys.ENTER)
        self.expect_focus("h1", "Settings")

    def test_a_new_request_does_not_move_the_focus(self):
        self.set_up()
        self.server.pay(payment("Apples"))
        self.until_text("Apples")
        for place in ("Apples", "Look again"):
            self.tab_to(place)
            self.server.pay(payment("After " + place))
            self.until_text("After " + place)
            self.assertEqual(self.focused["name"], place)

    def test_a_new_request_is_read_alone(self):
        """Assistive programs read each element that is added to the list."""
        self.set_up()
        first = self.server.pay(payment("Apples"))
        self.until_text("Apples")
        self.driver.execute_script(ADDED)
        self.server.pay(payment("Pears"))
        self.until_text("Pears")
        self.press("Look again")
        self.server.command("transaction", "withdraw", self.server.account, first["id"])
        self.server.pay(payment("Plums"))
        self.until_text("Plums")
        self.assertNotIn("Apples", self.text)
        added = self.driver.execute_script("return window.added")
        self.assertEqual([text.split("47.11")[0] for text in added], ["Pears", "Plums"])
        self.open_request("Pears")

    def test_a_withdrawn_request_moves_the_focus_to_the_heading(self):
        self.set_up()
        transaction = self.server.pay(payment("Apples"))
        self.until_text("Apples")
        self.tab_to("Apples")
        self.server.command("transaction", "withdraw", self.server.account, transaction["id"])
        self.server.pay(payment("Pears"))
        self.expect_focus("h1", "Requests")
