"""The shop's listener on 127.0.0.1: it keeps every form that a browser posts to notificationURL."""
import dataclasses
import threading
import urllib.parse

from threeds import transport

NOTIFICATION, METHOD = "/notify", "/method"


@dataclasses.dataclass
class Post:
    path: str
    fields: list[tuple[str, str]]

    def value(self, name: str) -> str | None:
        values = [value for key, value in self.fields if key == name]
        return values[0] if len(values) == 1 else None


class Shop:
    def __init__(self, port: int = 0):
        shop = self

        class Notifications(transport.Handler):
            def do_POST(self):
                shop._posted(self)

        self._lock = threading.Lock()
        self.posts: list[Post] = []
        self._server = transport.Server(Notifications, port)
        self.port = self._server.port

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def stop(self) -> None:
        self._server.stop()

    def _posted(self, request: transport.Handler) -> None:
        try:
            text = request.body().decode("ascii")
            fields = urllib.parse.parse_qsl(text, keep_blank_values=True, strict_parsing=True)
        except ValueError:
            return request.reply(400)
        with self._lock:
            self.posts.append(Post(request.path, fields))
        request.reply(200, b"<!doctype html><title>Shop</title>", {"Content-Type": "text/html"})
