"""Clients that keep connections of a server open for as long as it allows.

usage: slow_clients.py SETTINGS    (JSON, see below)

    listeners   list of {port, path, tls: true or false}
    authority   file with the CA of the servers
    certificate, key    of the clients, for mutual TLS
    kinds       silent: connects and sends nothing
                head: sends a byte of a request's head each second
                body: sends the head, and a byte of the body each second
                deaf: sends requests, and reads no response
    count       connections of each kind, for each listener
    returns     whether a connection that the server closed is opened again

It prints a line in JSON when all connections are open, and after each line of its input: the
connections that the server closed, by kind. It ends with its input.
"""
import asyncio
import json
import resource
import socket
import ssl
import sys

PAUSE = 1


class Clients:
    def __init__(self, settings: dict):
        self._settings = settings
        self.closed = dict.fromkeys(settings["kinds"], 0)
        self.opened = 0
        self._tls = ssl.create_default_context(cafile=settings["authority"])
        self._tls.load_cert_chain(settings["certificate"], settings["key"])

    async def run(self) -> None:
        tasks, total = [], 0
        for listener in self._settings["listeners"]:
            for kind in self._settings["kinds"]:
                for _ in range(self._settings["count"]):
                    tasks.append(asyncio.create_task(self._attack(listener, kind)))
                    total += 1
        while self.opened < total:
            await asyncio.sleep(0.05)
        self._report()
        lines = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        while await lines.readline():
            self._report()
        for task in tasks:
            task.cancel()

    def _report(self) -> None:
        print(json.dumps(self.closed), flush=True)

    async def _attack(self, listener: dict, kind: str) -> None:
        is_first = True
        while is_first or self._settings["returns"]:
            try:
                reader, writer = await self._connect(listener, kind)
            except OSError:
                # A server at its limit accepts no connection.
                self.opened += is_first
                is_first = False
                await asyncio.sleep(PAUSE)
                continue
            self.opened += is_first
            is_first = False
            try:
                await getattr(self, "_" + kind)(listener, reader, writer)
            except (OSError, asyncio.IncompleteReadError):
                pass
            self.closed[kind] += 1
            if not self._settings["returns"]:
                # The client's end of the connection stays open.
                await asyncio.Event().wait()
            writer.transport.abort()

    async def _connect(self, listener: dict, kind: str):
        end = socket.socket()
        if kind == "deaf":
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        end.setblocking(False)
        await asyncio.get_running_loop().sock_connect(end, ("127.0.0.1", listener["port"]))
        uses_tls = listener["tls"] and kind != "silent"
        return await asyncio.open_connection(
            sock=end, limit=4096, ssl=self._tls if uses_tls else None,
            server_hostname="localhost" if uses_tls else None)

    async def _silent(self, listener, reader, writer) -> None:
        await reader.read(1)

    async def _drip(self, reader, writer, text: bytes) -> None:
        """Returns when the server closes, or responds because the time is over."""
        end = asyncio.create_task(reader.read(1))
        for byte in text:
            writer.write(bytes([byte]))
            if (await asyncio.wait([end], timeout=PAUSE))[0]:
                return

    async def _head(self, listener, reader, writer) -> None:
        head = f"POST {listener['path']} HTTP/1.1\r\nHost: localhost\r\nX: "
        await self._drip(reader, writer, head.encode() + b"a" * 1000)

    async def _body(self, listener, reader, writer) -> None:
        writer.write(f"POST {listener['path']} HTTP/1.1\r\nHost: localhost\r\n"
                     "Content-Length: 1000\r\n\r\n".encode())
        await self._drip(reader, writer, b"a" * 1000)

    async def _deaf(self, listener, reader, writer) -> None:
        writer.transport.pause_reading()
        request = f"GET {listener['path']} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        while not writer.transport.is_closing():
            writer.write(request * 100)
            await writer.drain()
            await asyncio.sleep(0)


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(Clients(json.loads(sys.argv[1])).run())
