"""Runs a script in Chromium, with the built web device on the same origin.

The pages have the headers of the verifier, so the script runs under the same restrictions.
"""

import functools
import http.server
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading

from browser import BareBrowser

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = {".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html"}
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; "
    "worker-src 'self'; require-trusted-types-for 'script'; trusted-types countersign"
)
PAGE = b'<!doctype html><meta charset=utf-8><title>Test</title><script type=module src=/run.js></script>'
RUN = """
async function result() {
    try {
        const { test } = await import('/test.js');
        return { value: await test() };
    } catch (error) {
        return { error: String(error?.stack ?? error) };
    }
}
await fetch('/result', { method: 'POST', body: JSON.stringify(await result()) });
"""


@functools.cache
def built():
    """The folder of immutable files, from a fresh build, and its URL."""
    folder = ROOT / ".build/web-tested"
    subprocess.run([ROOT / "Packaging/web", "--only-build", folder], check=True)
    version = next(path.name for path in folder.iterdir() if path.is_dir())
    return folder, "/approve/" + version


def run(folder, script, data=b""):
    """Returns the result of the function `test` of a module, which may read `/data`."""
    server = Server(folder, script, data)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    profile = tempfile.mkdtemp(prefix="web-tests-")
    browser = BareBrowser(profile, "http://127.0.0.1:%d/" % server.server_port)
    try:
        if not server.finished.wait(timeout=300):
            raise AssertionError("the script returned nothing in 300 s")
    finally:
        browser.kill()
        browser.wait()
        server.shutdown()
        server.server_close()
        shutil.rmtree(profile, ignore_errors=True)
    result = json.loads(server.result)
    if "error" in result:
        raise AssertionError(result["error"])
    return result["value"]


class Server(http.server.ThreadingHTTPServer):
    def __init__(self, folder, script, data):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = pathlib.Path(folder)
        self.contents = {
            "/": (".html", PAGE), "/run.js": (".js", RUN.encode()),
            "/test.js": (".js", script.encode()), "/data": ("", data),
        }
        self.finished = threading.Event()
        self.result = b""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind, content = self.server.contents.get(self.path, (None, b""))
        if self.path.startswith("/approve/"):
            path = self.server.folder / self.path.removeprefix("/approve/")
            if path.is_file():
                kind, content = path.suffix, path.read_bytes()
        self.send_response(404 if kind is None else 200)
        self.send_header("content-type", TYPES.get(kind, "application/octet-stream"))
        self.send_header("content-length", str(len(content)))
        self.send_header("content-security-policy", POLICY)
        self.send_header("cross-origin-opener-policy", "same-origin")
        self.send_header("cross-origin-embedder-policy", "require-corp")
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self):
        self.server.result = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()
        self.server.finished.set()

    def log_message(self, *arguments):
        pass
