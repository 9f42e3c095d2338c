"""The pages of the small ACS: the challenge in a browser, and the 3DS Method."""
import html
import json
import secrets
import urllib.parse

from threeds import jose, transport


class Pages:
    """The part of the small ACS that responds to browsers."""

    def opened(self, handler: transport.Handler, fields: dict) -> None:
        try:
            message = jose.read_json(jose.decode(fields.get("creq", "")))
            challenge = self.challenges[message["acsTransID"]]
        except (jose.Malformed, KeyError):
            return handler.reply(400, b"<!doctype html><title>Unreadable</title><p>Unreadable",
                                 {"Content-Type": "text/html; charset=utf-8"})
        challenge.creq = challenge.creq or fields["creq"]
        if challenge.is_over or challenge.creq != fields["creq"]:
            erro = self._error(challenge.head(""), "305", "acsTransID", "CReq")
            return self._write_page(handler, self._form(challenge, erro), "https: http:")
        challenge.session = challenge.session or fields.get("threeDSSessionData")
        if self.fault == "page-post":
            return self._page(handler, challenge)
        handle = challenge.acs_id if self.fault == "page-address" else challenge.handle
        status = 302 if self.fault == "page-redirect" else 303
        handler.reply(status, b"", {"Location": f"/3ds/page/{handle}"})

    def got(self, handler: transport.Handler) -> None:
        path = urllib.parse.urlsplit(handler.path).path
        with self._lock:
            challenge = self._challenge_of(path)
            if not challenge:
                return handler.reply(404)
            if path.endswith("/state"):
                state = "over" if challenge.verdict else "pending"
                return handler.reply(200, json.dumps({"state": state}).encode(),
                                     {"Content-Type": "application/json"})
            self._page(handler, challenge)

    def _challenge_of(self, path: str):
        handle = path.split("/")[3] if path.startswith("/3ds/page/") else ""
        return next((one for one in self.challenges.values()
                     if handle in (one.handle, one.acs_id)), None)

    def pressed(self, handler: transport.Handler, path: str, fields: dict) -> None:
        challenge = self._challenge_of(path)
        if not challenge or fields.get("token") != challenge.token:
            return handler.reply(
                403, b"<!doctype html><title>No</title>", {"Content-Type": "text/html"})
        if path.endswith("/cancel") and not challenge.verdict:
            challenge.cancelled = True
            self.decide(challenge.acs_id, "N")
        handler.reply(303, b"", {"Location": f"/3ds/page/{challenge.handle}"})

    def _page(self, handler: transport.Handler, challenge) -> None:
        address, is_last = f"/3ds/page/{challenge.handle}", challenge.verdict is not None
        content = self._last_form(challenge) if is_last else "".join(
            f'<form method=post action="{address}/{name}"><input type=hidden name=token '
            f'value="{challenge.token}"><button>{name}</button></form>'
            for name in ("continue", "again", "cancel"))
        if self.fault == "page-card":
            content += challenge.request["acctNumber"]
        if self.fault == "page-handler":
            content += "<p onclick='pay()'>Text</p>"
        if self.fault == "page-image":
            content += "<img src='https://other.example/i.png' alt=''>"
        self._write_page(handler, content, "https: http:" if is_last else "'self'")

    def _write_page(self, handler: transport.Handler, content: str, action: str) -> None:
        nonce = secrets.token_urlsafe(12)
        if self.fault == "page-policy":
            action = "*"
        title = "" if self.fault == "page-title" else "Approve"
        refresh = "<noscript><meta http-equiv=refresh content=5></noscript>"
        if self.fault == "page-refresh":
            refresh = ""
        if self.fault == "page-scripted":
            refresh = "<meta http-equiv=refresh content=5>"
        text = (f"<!doctype html><html lang=en><title>{title}</title>"
                f'<style nonce="{nonce}">p{{}}</style>{refresh}<p>47.11 EUR</p>{content}</html>')
        headers = {
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
            "Content-Security-Policy": f"default-src 'none'; style-src 'nonce-{nonce}'; form-action "
            f"{action}; base-uri 'none'; frame-ancestors https:",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
        if self.fault == "page-cookie":
            headers["Set-Cookie"] = "a=b"
        if self.fault == "page-cache":
            del headers["Cache-Control"]
        handler.reply(200, text.encode(), headers)

    def _last_form(self, challenge) -> str:
        cres = challenge.head("CRes", without="dsTransID") | {"transStatus": challenge.verdict}
        if challenge.request["messageVersion"] != "2.3.1":
            cres["challengeCompletionInd"] = "Y"
        if self.fault == "page-verdict":
            cres["transStatus"] = "N" if challenge.verdict == "Y" else "Y"
        challenge.is_over = True
        return self._form(challenge, json.dumps(cres).encode())

    def _form(self, challenge, message: bytes) -> str:
        session = challenge.session or ""
        if self.fault == "page-session":
            session = session[:-1]
        address = challenge.request["notificationURL"]
        if self.fault == "page-notification":
            address += "2"
        button = "" if self.fault == "page-button" else "<button>Back to the shop</button>"
        return (f'<form method=post action="{html.escape(address)}">'
                f'<input type=hidden name=cres value="{jose.encode(message)}">'
                f'<input type=hidden name=threeDSSessionData value="{html.escape(session)}">'
                f"{button}</form>")

    def method(self, handler: transport.Handler, fields: dict) -> None:
        data = jose.read_json(jose.decode(fields["threeDSMethodData"]))
        returned = {"threeDSServerTransID": data["threeDSServerTransID"]}
        if self.fault == "method-data":
            returned["other"] = "x"
        address = html.escape(data["threeDSMethodNotificationURL"])
        value = jose.encode(json.dumps(returned).encode())
        self._write_page(handler, f'<form method=post action="{address}"><input type=hidden '
                         f'name=threeDSMethodData value="{value}"></form>', "https: http:")
