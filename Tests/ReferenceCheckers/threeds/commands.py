"""The line protocol: one command in JSON a line, one result in JSON a line."""
import json
import pathlib
import sys
import traceback

from cryptography import x509

from threeds import authentication, browser, challenge, directory, results, shop, transport
from threeds.world import BadCommand, World

RESULTS = "/3ds/results"
HIDDEN = "[card number]"


class Peer:
    """Runs commands; `start` comes first, and `stop` last."""

    def __init__(self):
        self._world: World | None = None
        self._commands = {
            "areq": authentication.authenticate, "creq": challenge.challenge,
            "erro": challenge.report, "browser": browser.browse, "method": browser.method,
            "offer": browser.offer,
            "results": results.report, "directory": self._directory, "shop": self._shop,
        }

    def run(self, command: dict) -> dict:
        """The result; a command that cannot run has a `failure` instead of `problems`."""
        name = command.get("command")
        try:
            if name == "start":
                return self._start(command)
            if name == "stop":
                return self._stop()
            if name not in self._commands:
                raise BadCommand(f"unknown command {name}")
            if not self._world:
                raise BadCommand("the peer has not started")
            return self._commands[name](self._world, command)
        except KeyError as failure:
            traceback.print_exc(file=sys.stderr)
            return {"failure": f"the command lacks {failure}"}
        except (BadCommand, transport.Unreachable, OSError, ValueError) as failure:
            return {"failure": f"{type(failure).__name__}: {failure}"}

    def line(self, text: str) -> str:
        """The result of a line, without card numbers."""
        try:
            command = json.loads(text)
        except ValueError:
            return json.dumps({"failure": "the command is not JSON"})
        result = json.dumps(self.run(command), ensure_ascii=False)
        if self._world:
            for card in self._world.cards:
                result = result.replace(card, HIDDEN)
        return result

    def _start(self, command: dict) -> dict:
        if self._world:
            raise BadCommand("the peer has started already")
        acs, client, listener = command["acs"], command["client"], command["directory"]
        shop_members = command.get("shop", {})
        shop_context = transport.server_context(
            shop_members["certificate"], shop_members["key"]) if "key" in shop_members else None
        root = x509.load_pem_x509_certificate(pathlib.Path(command["root"]).read_bytes())
        challenges = acs["challenges"].rstrip("/")
        self._world = World(
            directories=acs["directories"], challenges=challenges,
            method=acs.get("method", challenges + "/3ds/method"),
            client=transport.Client(acs["ca"], client["certificate"], client["key"]),
            browser=transport.Client(acs["ca"]), root=root,
            directory=directory.Directory(
                listener["certificate"], listener["key"], listener["clientAuthorities"],
                listener.get("port", 0)),
            shop=shop.Shop(shop_members.get("port", 0), shop_context),
            eci=command.get("eci", "05"), results_path=RESULTS,
        )
        return self._addresses()

    def _addresses(self) -> dict:
        world = self._world
        return {"directory": {"port": world.directory.port,
                              "results": f"https://127.0.0.1:{world.directory.port}{RESULTS}"},
                "shop": {"port": world.shop.port, "notificationURL": world.shop.url(shop.NOTIFICATION),
                         "methodURL": world.shop.url(shop.METHOD)},
                "problems": []}

    def _stop(self) -> dict:
        if self._world:
            self._world.directory.stop()
            self._world.shop.stop()
            self._world = None
        return {"problems": []}

    def _directory(self, world: World, command: dict) -> dict:
        if "certificate" in command:
            world.directory.show(command["certificate"], command["key"])
        world.directory.set_mode(command.get("mode", "ok"))
        return {"port": world.directory.port, "problems": []}

    def _shop(self, world: World, command: dict) -> dict:
        """With a transaction, only its posts, which are judged."""
        if "transaction" in command:
            return browser.posted(world, world.transaction(command["transaction"]))
        posts = [{"path": post.path, "fields": dict(post.fields)} for post in list(world.shop.posts)]
        return {"posts": posts, "transactions": list(world.transactions), "problems": []}


def serve() -> None:
    """Reads commands from standard input until `stop` or its end."""
    peer = Peer()
    for text in sys.stdin:
        if text.strip():
            print(peer.line(text), flush=True)
    peer.run({"command": "stop"})
