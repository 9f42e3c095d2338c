"""The shop's listener on 127.0.0.1: it keeps every form that a browser posts to notificationURL.

For a person with a browser it also has a page, whose button starts a challenge.
"""
import dataclasses
import html
import threading
import urllib.parse
from collections.abc import Callable

from threeds import jose, transport

NOTIFICATION, METHOD, PAYMENT = "/notify", "/method", "/pay"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<style>body { font: 1.2em sans-serif; margin: 3em }</style>
<h1>%s</h1>%s</html>
"""


@dataclasses.dataclass
class Post:
    path: str
    fields: list[tuple[str, str]]

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

    def markup(self, button: str) -> str:
        controls = "".join(
            f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
            for name, value in self.fields)
        return (f'<form method="post" action="{html.escape(self.action)}">{controls}'
                f"<button>{html.escape(button)}</button></form>")


class Shop:
    def __init__(self, port: int = 0):
        shop = self

        class Notifications(transport.Handler):
            def do_POST(self):
                shop._posted(self)

            def do_GET(self):
                shop._shown(self)

        self._lock = threading.Lock()
        self.posts: list[Post] = []
        self._price = ""
        self._order: Callable[[], Form | None] | None = None
        self._server = transport.Server(Notifications, port)
        self.port = self._server.port

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def stop(self) -> None:
        self._server.stop()

    def offer(self, price: str, order: Callable[[], Form | None]) -> str:
        """The address of a page whose button orders; the order has no form if it ends at once."""
        self._price, self._order = price, order
        return self.url(PAYMENT)

    def _shown(self, request: transport.Handler) -> None:
        if not self._order or request.path != PAYMENT:
            return request.reply(404)
        _reply(request, self._price, Form(PAYMENT, []).markup("Pay with your card"))

    def _ordered(self, request: transport.Handler) -> None:
        form = self._order()
        if not form:
            return _reply(request, "Your order is not paid")
        script = "<script>document.forms[0].submit()</script>"
        _reply(request, "Approve the payment at your bank", form.markup("Continue") + script)

    def _posted(self, request: transport.Handler) -> None:
        try:
            text = request.body().decode("ascii")
            fields = urllib.parse.parse_qsl(text, keep_blank_values=True, strict_parsing=True)
        except ValueError:
            return request.reply(400)
        if self._order and request.path == PAYMENT:
            return self._ordered(request)
        post = Post(request.path, fields)
        with self._lock:
            self.posts.append(post)
        _reply(request, "Thank you for your order" if post.is_paid else "Your order is not paid")


def _reply(request: transport.Handler, header: str, content: str = "") -> None:
    page = PAGE % (html.escape(header), content)
    request.reply(200, page.encode(), {"Content-Type": "text/html; charset=utf-8"})
