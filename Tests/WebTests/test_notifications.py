"""Notifications of a closed page: the subscription, the push, the notification and its click."""

import json
import time

from devtools import DevTools, targets
from person import PushedPerson
from test_navigation import HOLD, PRESS
from verifier import payment

NOTIFICATIONS = """
const done = arguments[arguments.length - 1];
navigator.serviceWorker.ready.then(async (registration) => done(
    (await registration.getNotifications()).map(({ title, body, lang, tag, data }) =>
        ({ title, body, lang, tag, data }))));
"""
RECORD = """
var calls = [];
WindowClient.prototype.focus = async function () { calls.push('focus ' + this.url); };
clients.openWindow = async (address) => { calls.push('open ' + address); };
"""
CHOSEN = """import(new URL('texts.js', document.querySelector('script').src))
    .then(({ chosenLanguage }) => chosenLanguage(%s))"""
LANGUAGES = "Object.defineProperty(navigator, 'languages', { configurable: true, get: () => %s })"
# The language of the notification for a push.
PUSHED = """
(async () => {
    const event = new PushEvent('push');
    const ended = [];
    event.waitUntil = (end) => ended.push(end);
    dispatchEvent(event);
    await Promise.all(ended);
    const [notification] = await registration.getNotifications();
    return notification.lang;
})()
"""
# The event is the browser's own, with the notification that is shown; `waitUntil` has its end.
CLICK = """
(async () => {
    calls = [];
    const [notification] = await registration.getNotifications();
    const event = new NotificationEvent('notificationclick', { notification });
    const ended = [];
    event.waitUntil = (end) => ended.push(end);
    dispatchEvent(event);
    await Promise.all(ended);
    return calls;
})()
"""


# The number of settings for push that reached the verifier from this document.
SET = """performance.getEntriesByType('resource')
    .filter(({ name, responseEnd }) => name.endsWith('/push') && responseEnd > 0).length"""
UNREADABLE = """
PushManager.prototype.getSubscription = async () => { throw new DOMException('', 'AbortError'); };
"""
KEPT = """{
    const { getSubscription } = PushManager.prototype;
    const unsubscribe = async () => { throw new DOMException('', 'AbortError'); };
    PushManager.prototype.getSubscription = async function () {
        const subscription = await getSubscription.call(this);
        return subscription && { ...subscription, unsubscribe };
    };
}"""
# The settings of all accounts are a day older.
AGE = """
const done = arguments[arguments.length - 1];
const request = indexedDB.open('countersign');
request.onsuccess = () => {
    const transaction = request.result.transaction('accounts', 'readwrite');
    const accounts = transaction.objectStore('accounts');
    accounts.getAll().onsuccess = ({ target }) => {
        for (const record of target.result) {
            record.confirmedPush.moment -= 24 * 60 * 60 * 1000;
            accounts.put(record);
        }
    };
    transaction.oncomplete = () => { request.result.close(); done(); };
};
"""


class Notifications(PushedPerson):
    def setUp(self):
        super().setUp()
        self.push.status = 201
        self.push.messages.clear()
        self.activate()
        self.press("Settings")
        self.until_heading("Settings")

    def turn_on(self):
        self.press("Notify me when this page is closed")
        self.until_text("This browser notifies you of requests.")

    def show_settings_again(self, reload=False):
        if reload:
            self.open()
        else:
            self.press("Back")
        self.until_heading("Requests")
        self.press("Settings")
        self.until_heading("Settings")

    def until_set(self, count):
        self.until(lambda _: self.value(SET) == count)

    def is_on(self):
        return "This browser notifies you of requests." in self.text

    def set_subscription(self, change):
        """The subscription of the browser changes without the page."""
        self.driver.execute_script(
            "const value = JSON.parse(localStorage.getItem('subscription'));"
            "localStorage.setItem('subscription', JSON.stringify({ ...value, ...arguments[0] }));",
            change)

    def test_a_payment_reaches_the_push_service(self):
        self.assertFalse(self.is_on())
        self.turn_on()
        self.show_settings_again(reload=True)
        self.assertTrue(self.is_on())
        self.server.pay(payment("Apples"))
        path, fields, body = self.push.message(1)
        self.assertEqual(path, "/subscription/1")
        self.assertEqual(fields["Content-Encoding"], "aes128gcm")
        self.assertNotIn(b"Apples", body)
        self.press("No longer notify me")
        self.until(lambda _: not self.is_on())
        self.show_settings_again(reload=True)
        self.assertFalse(self.is_on())

    def test_a_subscription_that_the_browser_ended_is_off_and_can_be_turned_on(self):
        self.turn_on()
        self.driver.execute_script("localStorage.clear()")
        self.show_settings_again()
        self.assertFalse(self.is_on())
        self.turn_on()
        self.server.pay(payment("Apples"))
        self.push.message(1)

    def test_a_subscription_for_another_key_of_the_verifier_is_off_and_is_replaced(self):
        self.turn_on()
        self.set_subscription({"key": "BAAA"})
        self.show_settings_again()
        self.assertFalse(self.is_on())
        self.turn_on()
        self.show_settings_again(reload=True)
        self.assertTrue(self.is_on())

    def test_a_subscription_that_the_verifier_refuses_is_off(self):
        self.turn_on()
        # A push service that the configuration of the verifier does not name.
        self.set_subscription({"endpoint": "https://push.example/1", "key": "BAAA"})
        self.show_settings_again()
        self.driver.execute_script(
            "const subscribe = PushManager.prototype.subscribe;"
            "PushManager.prototype.subscribe = async function (...options) {"
            "    await subscribe.apply(this, options);"
            "    const value = JSON.parse(localStorage.getItem('subscription'));"
            "    value.endpoint = 'https://push.example/1';"
            "    localStorage.setItem('subscription', JSON.stringify(value));"
            "    return subscribe.apply(this, options);"
            "};")
        self.press("Notify me when this page is closed")
        self.until_error("The bank does not use the push service of this browser.")
        self.show_settings_again(reload=True)
        self.assertFalse(self.is_on())
        # With a subscription that the verifier accepts, it works again.
        self.turn_on()

    def test_an_expired_subscription_is_forgotten_and_can_be_made_again(self):
        self.turn_on()
        self.push.status = 410
        self.server.pay(payment("Apples"))
        self.push.message(1)
        self.driver.execute_script("localStorage.clear()")
        self.show_settings_again()
        self.assertFalse(self.is_on())
        self.push.status = 201
        self.turn_on()
        self.server.pay(payment("Pears"))
        self.push.message(2)

    def test_a_subscription_that_the_verifier_lost_is_sent_again_after_a_day(self):
        [device] = self.server.call("/devices")["devices"]

        def changes():
            lines = self.server.command("audit", "export").splitlines()
            return [line for line in lines if "device.notifications-changed" in line and device["id"] in line]

        self.turn_on()
        self.push.status = 410
        self.server.pay(payment("Apples"))
        self.push.message(1)
        # On, and off by the verifier.
        self.until(lambda _: len(changes()) == 2)
        self.push.status = 201
        self.show_settings_again(reload=True)
        self.assertTrue(self.is_on())
        self.assertEqual(self.value(SET), 0)
        self.driver.execute_async_script(AGE)
        self.open()
        self.until_set(1)
        self.server.pay(payment("Pears"))
        self.push.message(2)

    def test_an_account_that_failed_is_set_when_the_page_is_opened_again(self):
        first = self.server.account
        self.server.add_account()
        self.activate_further()
        self.press("Settings")
        self.fail_first_account()
        self.press("Notify me when this page is closed")
        self.until_text("This browser notifies you of requests.")
        self.open()
        self.until_set(1)
        self.server.account = first
        self.server.pay(payment("Apples"))
        self.push.message(1)

    def test_a_browser_that_does_not_end_its_subscription_is_on_until_it_does(self):
        self.turn_on()
        self.driver.execute_script(KEPT)
        self.press("No longer notify me")
        self.until_error(self.words["codes"]["notificationsFailed"])
        self.assertTrue(self.is_on())
        self.assertEqual(self.value(SET), 1)
        self.show_settings_again(reload=True)
        self.press("No longer notify me")
        self.until(lambda _: not self.is_on())
        self.show_settings_again(reload=True)
        self.assertFalse(self.is_on())
        self.assertEqual(self.value(SET), 0)

    def test_a_subscription_that_cannot_be_read_hides_no_screen(self):
        self.turn_on()
        self.add_script(UNREADABLE)
        self.show_settings_again(reload=True)
        self.assertFalse(self.is_on())
        self.server.add_account()
        self.activate_further()
        self.until_text(self.words["setUpDone"])

    def test_a_person_or_a_browser_that_refuses(self):
        for failure, text in (
            ("NotAllowedError", self.words["codes"]["notificationsDenied"]),
            ("AbortError", self.words["codes"]["notificationsFailed"]),
        ):
            self.driver.execute_script("localStorage.setItem('failure', arguments[0])", failure)
            self.press("Notify me when this page is closed")
            self.until_error(text)
        self.driver.execute_script("localStorage.clear()")
        self.permit("denied")
        self.addCleanup(self.permit, "granted")
        self.press("Notify me when this page is closed")
        self.until_error("The browser does not allow notifications of this page.")

    def test_a_further_account_is_notified_too(self):
        self.turn_on()
        self.server.add_account()
        self.activate_further()
        self.until_set(1)
        self.server.pay(payment("Apples"))
        self.push.message(1)

    def until_unsubscribed(self):
        self.until(lambda _: self.value("localStorage.getItem('subscription') === null"))

    def test_no_subscription_is_left_after_the_last_account(self):
        self.turn_on()
        first = self.server.account
        self.server.add_account()
        self.activate_further()
        for account, heading in (
            (first, self.words["requestsTitle"]), (self.server.account, self.words["setUpTitle"]),
        ):
            self.assertIsNotNone(self.value("localStorage.getItem('subscription')"))
            if account != first:
                # The verifier would go on to send.
                self.command("Network.enable")
                self.addCleanup(self.command, "Network.disable")
                self.command("Network.setBlockedURLs", urls=["*/deletion"])
            self.press("Settings")
            self.press("Remove this device: " + account.replace("/", " "))
            self.press("Remove this device")
            self.until_heading(heading)
        self.until_unsubscribed()

    def test_a_revoked_device_is_not_notified(self):
        [device] = self.server.call("/devices")["devices"]
        self.server.command("revoke", self.server.account, device["id"], "--yes")
        self.press("Notify me when this page is closed")
        self.until_error(self.words["codes"]["deviceRevoked"])
        self.assertFalse(self.is_on())
        self.until_unsubscribed()

    def test_a_revoked_account_does_not_stop_the_others(self):
        revoked = self.server.account
        [device] = self.server.call("/devices")["devices"]
        self.server.add_account()
        self.activate_further()
        self.server.command("revoke", revoked, device["id"], "--yes")
        self.show_settings_again(reload=True)
        self.turn_on()
        self.server.pay(payment("Apples"))
        self.push.message(1)

    def fail_first_account(self):
        """The settings of the first account do not reach the verifier, nor does their retry."""
        self.driver.execute_script("""
            window.realFetch ??= window.fetch;
            window.pushes = 0;
            window.fetch = async (address, ...others) => {
                const isPush = String(address).endsWith('/push');
                if (isPush) window.pushes += 1;
                if (isPush && window.pushes <= 2) throw new TypeError('no network');
                return realFetch(address, ...others);
            };
        """)

    def test_an_account_that_fails_does_not_stop_the_others(self):
        first = self.server.account.replace("/", " ")
        self.server.add_account()
        self.activate_further()
        self.press("Settings")
        self.fail_first_account()
        self.press("Notify me when this page is closed")
        self.until_text("This browser notifies you of requests.")
        self.until_text(first + ": " + self.words["unknownResult"]["network"])
        self.server.pay(payment("Apples"))
        self.push.message(1)
        self.fail_first_account()
        self.press("No longer notify me")
        self.until(lambda _: not self.is_on())
        self.until_text(first + ": " + self.words["unknownResult"]["network"])
        self.assertEqual(self.driver.execute_script("return window.pushes"), 3)
        self.assertIsNone(self.driver.execute_script("return localStorage.getItem('subscription')"))

    def test_a_browser_that_cannot_load_the_worker_keeps_the_screen(self):
        self.driver.execute_script("""
            navigator.serviceWorker.register = async () => { throw new TypeError('no script'); };
        """)
        self.press("Notify me when this page is closed")
        self.until_error(self.words["codes"]["serverUnavailable"])
        self.assertEqual(self.heading, "Settings")
        self.assertFalse(self.is_on())

    def test_a_late_response_does_not_replace_the_screen_that_was_opened_meanwhile(self):
        self.driver.execute_script(HOLD, "/push")
        self.driver.execute_script(PRESS, "Notify me when this page is closed")
        self.until(lambda driver: driver.execute_script("return window.held") == 1)
        self.press("Back")
        self.until_heading("Requests")
        self.driver.execute_script("window.release()")
        self.until(lambda driver: driver.execute_script(
            "return !window.pressed.hasAttribute('aria-disabled')"))
        self.assertEqual(self.heading, "Requests")

    # The service worker.

    def connect(self, kind, target=None):
        connection = DevTools(self.driver, kind, target)
        self.addCleanup(connection.close)
        return connection

    def connect_worker(self):
        """The worker of this test: those of earlier tests may not have ended yet."""
        def active(driver):
            found = [self.connect("service_worker", one["id"]) for one in targets(driver, "service_worker")]
            return [one for one in found if one.value("Boolean(registration.active)")]

        return self.until(active)[0]

    def deliver(self, data):
        """A push that the browser's own push service would deliver."""
        page = self.connect("page")
        page.command("ServiceWorker.enable")
        found = page.event(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: [one for one in event["registrations"] if not one["isDeleted"]])
        page.event(
            "ServiceWorker.workerVersionUpdated",
            lambda event: [one for one in event["versions"] if one["status"] == "activated"])
        [registration] = [one for one in found["registrations"] if not one["isDeleted"]]
        sent = []

        def is_shown(driver):
            # The browser drops a push that comes before it has stored the new worker.
            if not sent or time.monotonic() > sent[-1] + 2:
                page.command(
                    "ServiceWorker.deliverPushMessage", origin=self.server.origin,
                    registrationId=registration["registrationId"], data=data)
                sent.append(time.monotonic())
            return driver.execute_async_script(NOTIFICATIONS)

        return self.until(is_shown)

    def test_a_push_shows_a_notification_that_names_nothing(self):
        self.turn_on()
        content = json.dumps({"sa_transaction_id": "1", "account_id": "4711", "account_type": "main"})
        for data in (content, "", "x" * 3000):
            # One notification, however many pushes came before.
            self.assertEqual(self.deliver(data), [{
                "title": "A request waits", "body": "Open it to read and decide.", "lang": "en",
                "tag": "request", "data": None}])

    def test_a_notification_has_the_language_of_the_page(self):
        self.turn_on()
        self.deliver("")
        worker = self.connect_worker()
        for languages, expected in (
            (["fr", "de-CH", "en"], "de"), (["fr", "en", "de"], "en"), (["fr"], "en"), (["DE"], "de"),
        ):
            chosen = self.value(CHOSEN % json.dumps(languages))
            self.assertEqual(chosen, expected)
            worker.value(LANGUAGES % json.dumps(languages))
            self.assertEqual(worker.value(PUSHED), expected)

    def test_a_click_opens_the_page_or_focuses_it(self):
        """Only a real click may open a window, so the calls of the browser are recorded."""
        self.turn_on()
        self.deliver("")
        worker = self.connect_worker()
        worker.value(RECORD)
        [call] = worker.value(CLICK)
        self.assertTrue(call.startswith("focus " + self.server.origin + "/approve/"), call)
        self.until(lambda driver: not driver.execute_async_script(NOTIFICATIONS))
        self.deliver("")
        self.driver.get("about:blank")
        self.assertEqual(worker.value(CLICK), ["open /approve/"])
