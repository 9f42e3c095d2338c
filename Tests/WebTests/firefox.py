"""A real Firefox, driven by WebDriver BiDi over its own WebSocket: Debian has no geckodriver."""

import json
import re
import shutil
import subprocess
import tempfile

import websocket

BUTTON = """(label) => [...document.querySelectorAll('button')]
    .find((one) => one.innerText.split('\\n')[0] === label) ?? null"""
FIELD = """(label) => [...document.querySelectorAll('label')]
    .find((one) => one.innerText === label)?.control ?? null"""
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


class Firefox:
    PROGRAMS = ("firefox-esr",)

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="web-tests-firefox-")
        self.process = subprocess.Popen(
            [shutil.which("firefox-esr"), "--headless", "--no-remote", "--profile", self.profile,
             "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        address = next(filter(None, map(LISTENING.search, self.process.stderr)))[1]
        self.socket = websocket.create_connection(
            address + "/session", suppress_origin=True, timeout=60)
        self.count = 0
        self.name = self.command("session.new", capabilities={})["capabilities"]["browserVersion"]
        self.context = self.command("browsingContext.getTree")["contexts"][0]["context"]

    def command(self, method, **values):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": values}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                if answer["type"] != "success":
                    raise AssertionError(answer)
                return answer["result"]

    def call(self, function, *values):
        """The remote value of a function of the page."""
        result = self.command(
            "script.callFunction", functionDeclaration=function, awaitPromise=True,
            target={"context": self.context},
            arguments=[{"type": "string", "value": value} for value in values])
        if result["type"] != "success":
            raise AssertionError(result)
        return result["result"]

    def go(self, address):
        self.command("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def text(self):
        return self.call("() => document.body.innerText")["value"]

    def click(self, function, label):
        """Clicks as a mouse does; false if there is no such element now."""
        found = self.call(function, label)
        if found["type"] != "node":
            return False
        origin = {"type": "element", "element": {"sharedId": found["sharedId"]}}
        self.call("(label) => (%s)(label).scrollIntoView({ block: 'center' })" % function, label)
        self.act("pointer", [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])
        return True

    def act(self, kind, actions):
        source = {"type": kind, "id": kind, "actions": actions}
        self.command("input.performActions", context=self.context, actions=[source])

    def press(self, label):
        return self.click(BUTTON, label)

    def type(self, label, text):
        if not self.click(FIELD, label):
            return False
        self.act("key", [{"type": kind, "value": character}
                         for character in text for kind in ("keyDown", "keyUp")])
        return True

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(30)
        self.process.stderr.close()
        shutil.rmtree(self.profile, ignore_errors=True)
