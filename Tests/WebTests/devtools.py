"""The DevTools protocol of Chromium: one message in place of many of a driver."""

import json
import time
import urllib.request

import websocket

# In seconds, for one message.
TIMEOUT = 120
NAVIGATED = "Inspected target navigated or closed"


class DocumentLeft(Exception):
    """The page loaded another document before it had the result."""


def targets(driver, kind):
    """The pages or the workers of the browser."""
    address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    with urllib.request.urlopen("http://%s/json/list" % address, timeout=30) as response:
        return [one for one in json.load(response) if one["type"] == kind]


class DevTools:
    """A connection of its own to a page or worker, which also receives events."""

    def __init__(self, driver, kind, target=None):
        """Connects to this target, or to the first one of its kind."""
        found = next(one for one in targets(driver, kind) if target in (None, one["id"]))
        self.socket = websocket.create_connection(
            found["webSocketDebuggerUrl"], suppress_origin=True, timeout=TIMEOUT)
        self.count = 0

    def send(self, method, **values):
        """Sends a command; returns the number of its response."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": values}))
        return self.count

    def answer(self, number):
        answer = self.receive(lambda message: message.get("id") == number)
        if "error" in answer:
            failure = DocumentLeft if answer["error"]["message"] == NAVIGATED else AssertionError
            raise failure(answer["error"])
        return answer["result"]

    def command(self, method, **values):
        return self.answer(self.send(method, **values))

    def event(self, method, condition):
        """The first such event that the condition accepts."""
        message = self.receive(
            lambda one: one.get("method") == method and condition(one["params"]))
        return message["params"]

    def receive(self, condition):
        """The first such message; other messages do not extend the timeout."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
            message = json.loads(self.socket.recv())
            if condition(message):
                return message

    def value(self, expression):
        """The value of an expression, which may be a promise."""
        result = self.command(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise AssertionError(result["exceptionDetails"])
        return result["result"].get("value")

    def report_loads(self):
        """From now on, `load` works."""
        self.command("Page.enable")
        self.command("Page.setLifecycleEventsEnabled", enabled=True)

    def load(self, address):
        """Loads another document, with all that it needs."""
        document = self.command("Page.navigate", url=address)
        if "errorText" in document:
            raise AssertionError(address + ": " + document["errorText"])
        self.event("Page.lifecycleEvent", lambda event: (
            (event["name"], event["loaderId"]) == ("load", document["loaderId"])))

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            last = self.send(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.answer(last)

    def type(self, text):
        """Presses a key for each character."""
        last = None
        for character in text:
            self.send("Input.dispatchKeyEvent", type="keyDown", key=character, text=character)
            last = self.send("Input.dispatchKeyEvent", type="keyUp", key=character)
        self.answer(last)

    def close(self):
        self.socket.close()
