"""The DevTools protocol of Chromium."""

import json
import urllib.request

import websocket


class DevTools:
    """A connection of its own to a page or worker, which also receives events."""

    def __init__(self, driver, kind):
        address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen("http://%s/json/list" % address, timeout=30) as response:
            targets = json.load(response)
        target = next(one for one in targets if one["type"] == kind)
        self.socket = websocket.create_connection(
            target["webSocketDebuggerUrl"], suppress_origin=True, timeout=30)
        self.count = 0

    def command(self, method, **values):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": values}))
        answer = self.receive(lambda message: message.get("id") == self.count)
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer["result"]

    def event(self, method, condition):
        """The first such event that the condition accepts."""
        message = self.receive(
            lambda one: one.get("method") == method and condition(one["params"]))
        return message["params"]

    def receive(self, condition):
        while True:
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

    def close(self):
        self.socket.close()
