"""A server whose requests define its behavior.

It prints its port, then one line per event, and stops at the end of its standard input. Without a
certificate it uses plain HTTP, and can also be a proxy. As a relay it prints each request as a
line of JSON, and responds with the next line of its input, which is base64.
"""

import argparse
import base64
import itertools
import json
import os
import queue
import socket
import ssl
import struct
import sys
import threading
import warnings

# Tests also offer old versions of TLS.
warnings.simplefilter("ignore", DeprecationWarning)

parser = argparse.ArgumentParser()
parser.add_argument("--certificate", help="PEM file of a certificate and its key")
parser.add_argument("--client-authorities", help="demand a certificate that one of these issued")
parser.add_argument("--versions", nargs=2, default=["TLSv1_2", "TLSv1_3"])
parser.add_argument("--ciphers", help="those up to TLS 1.2")
parser.add_argument("--handshake-seconds", type=float, default=0, help="the pause before TLS")
parser.add_argument("--refuse-tunnels", action="store_true")
parser.add_argument("--relay", action="store_true")
options = parser.parse_args()

said = threading.Lock()
connections = itertools.count(1)
latest_connection = 0
gathering = threading.Barrier(100)
relaying = threading.Lock()
responses = queue.Queue()


def say(line):
    with said:
        print(line, flush=True)


def secured(connection):
    if not options.certificate:
        return connection
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion[options.versions[0]]
    context.maximum_version = ssl.TLSVersion[options.versions[1]]
    if options.ciphers:
        context.set_ciphers(options.ciphers)
    context.load_cert_chain(options.certificate)
    if options.client_authorities:
        context.load_verify_locations(options.client_authorities)
        context.verify_mode = ssl.CERT_REQUIRED
    return context.wrap_socket(connection, server_side=True)


def respond(connection, body):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


def await_end(connection):
    """Reads until the client disconnects."""
    try:
        while connection.recv(65536):
            pass
    except OSError:
        pass


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(connection.detach())


def play(connection, script, ending):
    """Sends the script, and repeats the text after a | until the client disconnects."""
    if ending == "fill":
        return fill(connection, script)
    script, _, piece = script.partition(b"|")
    if ending == "drip":
        pause = threading.Event()
        for byte in itertools.chain(script, itertools.cycle(piece)):
            connection.sendall(bytes([byte]))
            pause.wait(0.005)
    connection.sendall(script)
    pause = threading.Event()
    while piece:
        if ending == "trickle":
            pause.wait(4)
        connection.sendall(piece)
    if ending == "hang":
        await_end(connection)


def fill(connection, script):
    """Sends the script, and reports when the client takes nothing for five seconds."""
    connection.settimeout(5)
    sent = 0
    while sent < len(script):
        try:
            sent += connection.send(script[sent : sent + 65536])
        except TimeoutError:
            say("full")


def relay(connection, method, target, fields, body):
    request = {"method": method, "target": target, "fields": fields}
    with relaying:
        say("relay " + json.dumps(request | {"body": base64.b64encode(body).decode()}))
        whole = base64.b64decode(responses.get())
        connection.sendall(whole)
        return b"\r\nConnection: close\r\n" in whole[:200]


def tunnel(connection, target):
    host, port = target.rsplit(":", 1)
    with socket.create_connection((host, int(port))) as server:
        thread = threading.Thread(target=pump, args=(server, connection), daemon=True)
        connection.sendall(b"HTTP/1.1 200 Connected\r\nX-Proxy: 1\r\n\r\n")
        thread.start()
        pump(connection, server)
        thread.join()


def pump(source, sink):
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(connection):
    """Serves one connection until a request ends it."""
    for index in itertools.count():
        stream = connection.makefile("rb")
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = stream.readline()
            if not line:
                return
            head += line
        head = head[:-2]
        method, target, _ = head.split(b"\r\n", 1)[0].decode().split(" ")
        lines = [line.split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line]
        lines = [(name.decode(), value.decode()) for name, value in lines]
        fields = {name.lower(): value for name, value in lines}
        if method == "CONNECT":
            say(f"connect {target} {sorted(fields)}")
            if options.refuse_tunnels:
                return connection.sendall(b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
            return tunnel(connection, target)
        if target == "/reset":
            return reset(connection)
        body = stream.read(int(fields.get("content-length", 0)))
        if options.relay:
            if relay(connection, method, target, lines, body):
                return
            continue
        say(f"request {target}")
        if target == "/play":
            play(connection, body, fields.get("then"))
            if fields.get("then") != "keep":
                return
        elif target == "/gather":
            gathering.wait()
            respond(connection, b"")
        elif target == "/connections":
            respond(connection, b"%d" % latest_connection)
        elif target == "/stale" and index > 0:
            return
        elif target == "/vanish" and index > 0:
            return listener.shutdown(socket.SHUT_RDWR)
        elif target == "/last":
            return connection.sendall(
                b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            )
        else:
            respond(connection, head + b"\r\n" + body)


def accept(connection):
    global latest_connection
    try:
        threading.Event().wait(options.handshake_seconds)
        with secured(connection) as connection:
            with said:
                latest_connection = next(connections)
            serve(connection)
    except (OSError, ssl.SSLError) as error:
        say(f"failed {error}")
    say("ended")


def listen(listener):
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=accept, args=(connection,), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0), backlog=256)
threading.Thread(target=listen, args=(listener,), daemon=True).start()
say(listener.getsockname()[1])
for line in sys.stdin:
    responses.put(line)
os._exit(0)
