"""The shop's listener on 127.0.0.1: it keeps every form that a browser posts to notificationURL.

For a real browser it also has a page, whose button starts a challenge.
"""
import dataclasses
import html
import ssl
import threading
import time
import urllib.parse
from collections.abc import Callable

from threeds import jose, transport

NOTIFICATION, METHOD, PAYMENT = "/notify", "/method", "/pay"
# The pages at the other origin, after a payment and without one.
OTHER = {True: "/thanks", False: "/sorry"}
HEADINGS = {True: "Thank you for your order", False: "Your order is not paid"}
# challengeWindowSize: width and height.
WINDOWS = {
    "01": (250, 400), "02": (390, 400), "03": (500, 600), "04": (600, 400), "05": (1280, 800)}
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">
<style>body { font: 1.2em sans-serif; margin: 3em }</style>
<h1>%s</h1>%s</html>
"""


@dataclasses.dataclass
class Post:
    path: str
    fields: list[tuple[str, str]]
    # In seconds since 1970.
    moment: float

    def value(self, name: str) -> str | None:
        values = [value for key, value in self.fields if key == name]
        return values[0] if len(values) == 1 else None

    @property
    def is_paid(self) -> bool:
        try:
            return jose.read_json(jose.decode(self.value("cres") or "")).get("transStatus") == "Y"
        except jose.Malformed:
            return False


@dataclasses.dataclass
class Form:
    """A form that a browser posts to another address."""
    action: str
    fields: list[tuple[str, str]]

    def markup(self, button: str, target: str = "_self") -> str:
        controls = "".join(
            f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
            for name, value in self.fields)
        return (f'<form method="post" action="{html.escape(self.action)}" target="{target}">'
                f"{controls}<button>{html.escape(button)}</button></form>")


@dataclasses.dataclass(frozen=True)
class Checkout:
    """How the shop shows the challenge, and the end of it."""
    price: str = "Your order"
    # challengeWindowSize of a frame for the challenge, or None for the window of the shop.
    frame: str | None = None
    # A script presses the button that leads to the challenge.
    is_automatic: bool = True
    # After the challenge: None for a page, "other" for a page of another origin, or "stay".
    end: str | None = None
    # The attribute sandbox of the frame.
    rights: str | None = None

    def challenge(self, form: Form) -> str:
        if self.frame:
            width, height = WINDOWS[self.frame]
            sandbox = "" if self.rights is None else f' sandbox="{self.rights}"'
            frame = (f'<iframe name="challenge" title="Your bank" width="{width}" height="{height}"'
                     f'{sandbox} style="border: 0"></iframe>')
            return form.markup("Continue", "challenge") + frame
        return form.markup("Continue")


class Shop:
    def __init__(self, port: int = 0, context: ssl.SSLContext | None = None):
        shop = self

        class Notifications(transport.Handler):
            def do_POST(self):
                shop._posted(self)

            def do_GET(self):
                shop._shown(self)

        self._lock = threading.Lock()
        self.posts: list[Post] = []
        self._checkout = Checkout()
        self._order: Callable[[], Form | None] | None = None
        self._server = transport.Server(Notifications, port, context)
        self._scheme = "https" if context else "http"
        self.port = self._server.port

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"{self._scheme}://{host}:{self.port}{path}"

    def stop(self) -> None:
        self._server.stop()

    def offer(self, checkout: Checkout, order: Callable[[], Form | None]) -> str:
        """The address of a page whose button orders; the order has no form if it ends at once."""
        self._checkout, self._order = checkout, order
        return self.url(PAYMENT)

    def _shown(self, request: transport.Handler) -> None:
        for is_paid, path in OTHER.items():
            if request.path == path:
                return _reply(request, HEADINGS[is_paid])
        if not self._order or request.path != PAYMENT:
            return request.reply(404)
        _reply(request, self._checkout.price, Form(PAYMENT, []).markup("Pay with your card"))

    def _ordered(self, request: transport.Handler) -> None:
        form = self._order()
        if not form:
            return _reply(request, HEADINGS[False])
        content = self._checkout.challenge(form)
        if self._checkout.is_automatic:
            content += "<script>document.forms[0].submit()</script>"
        _reply(request, "Approve the payment at your bank", content)

    def _posted(self, request: transport.Handler) -> None:
        try:
            text = request.body().decode("ascii")
            fields = urllib.parse.parse_qsl(text, keep_blank_values=True, strict_parsing=True)
        except ValueError:
            return request.reply(400)
        if self._order and request.path == PAYMENT:
            return self._ordered(request)
        post = Post(request.path, fields, time.time())
        with self._lock:
            self.posts.append(post)
        self._end(request, post.is_paid)

    def _end(self, request: transport.Handler, is_paid: bool) -> None:
        if self._checkout.end == "stay":
            request.reply(204)
        elif self._checkout.end == "other":
            request.reply(303, headers={"Location": self.url(OTHER[is_paid], "localhost")})
        else:
            _reply(request, HEADINGS[is_paid])


def _reply(request: transport.Handler, header: str, content: str = "") -> None:
    page = PAGE % (html.escape(header), content)
    request.reply(200, page.encode(), {"Content-Type": "text/html; charset=utf-8"})
