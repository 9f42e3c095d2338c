"""Everything that a Chromium requests and reports, also in frames of other sites."""

import json
import threading
import urllib.request

import websocket

# Runs before the page in each document.
LISTEN = """addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('policy violation', violatedDirective, blockedURI));"""
TIMEOUT = 60


class Watch:
    """A connection of its own to a browser. Each page, frame and worker waits until it is watched."""

    def __init__(self, driver):
        address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen("http://%s/json/version" % address, timeout=30) as response:
            target = json.load(response)["webSocketDebuggerUrl"]
        self.socket = websocket.create_connection(target, suppress_origin=True, timeout=None)
        self.lock = threading.Lock()
        self.answered = threading.Condition()
        self.answers = {}
        self.count = 0
        self.forget()
        threading.Thread(target=self.read, daemon=True).start()
        self.wait(self.attach(None))

    def forget(self):
        # Each as method and address.
        self.requests = []
        # Violations of a policy, errors and warnings.
        self.reports = []

    def send(self, session, method, **values):
        """Sends a command; returns its number."""
        with self.lock:
            self.count += 1
            message = {"id": self.count, "method": method, "params": values}
            self.socket.send(json.dumps({**message, **({"sessionId": session} if session else {})}))
            return self.count

    def wait(self, number):
        with self.answered:
            if not self.answered.wait_for(lambda: number in self.answers, TIMEOUT):
                raise AssertionError("the browser does not respond")

    def attach(self, session):
        return self.send(
            session, "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)

    def settle(self):
        """Afterwards, everything that the browser reported before is known."""
        self.wait(self.send(None, "Browser.getVersion"))

    def read(self):
        while True:
            try:
                message = json.loads(self.socket.recv())
            except (OSError, ValueError, websocket.WebSocketException):
                return
            if "id" in message:
                with self.answered:
                    self.answers[message["id"]] = message
                    self.answered.notify_all()
            else:
                self.note(message["method"], message["params"])

    def note(self, method, event):
        if method == "Target.attachedToTarget":
            session = event["sessionId"]
            self.attach(session)
            for domain in ("Network", "Log", "Runtime", "Audits", "Page"):
                self.send(session, domain + ".enable")
            self.send(session, "Page.addScriptToEvaluateOnNewDocument", source=LISTEN)
            self.send(session, "Runtime.runIfWaitingForDebugger")
        elif method == "Network.requestWillBeSent":
            request = event["request"]
            self.requests.append((request["method"], request["url"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] in ("error", "warning"):
            self.reports.append((event["entry"]["text"], event["entry"].get("url")))
        elif method == "Runtime.exceptionThrown":
            self.reports.append((event["exceptionDetails"]["text"], None))
        elif method == "Runtime.consoleAPICalled":
            self.reports.append((json.dumps([one.get("value") for one in event["args"]]), None))
        elif method == "Audits.issueAdded" and "contentSecurityPolicy" in json.dumps(event):
            self.reports.append((json.dumps(event["issue"]), None))

    def close(self):
        self.socket.close()
