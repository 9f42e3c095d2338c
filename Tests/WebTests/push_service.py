"""A push service of the tests (RFC 8030), and the subscription of a browser there."""

import datetime
import http.server
import ipaddress
import ssl
import tempfile
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

# The page sees this in place of the browser's own: a browser of the tests reaches no push service.
# Its state survives a reload, as a subscription does.
PUSH_MANAGER = """
const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
const base64url = (buffer) => base64(buffer)
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const stored = () => JSON.parse(localStorage.getItem('subscription'));
const shown = ({ key, ...value }) => ({
    options: { userVisibleOnly: true, applicationServerKey: bytes(key).buffer },
    toJSON: () => ({ expirationTime: null, ...value }),
    unsubscribe: async () => { localStorage.removeItem('subscription'); return true; },
});
PushManager.prototype.getSubscription = async () => stored() && shown(stored());
PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    const failure = localStorage.getItem('failure');
    if (failure) throw new DOMException('', failure);
    const key = base64(applicationServerKey);
    if (!userVisibleOnly) throw new DOMException('', 'NotAllowedError');
    if (stored() && stored().key !== key) throw new DOMException('', 'InvalidStateError');
    const pair = await crypto.subtle.generateKey(
        { name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
    const p256dh = base64url(await crypto.subtle.exportKey('raw', pair.publicKey));
    const auth = base64url(crypto.getRandomValues(new Uint8Array(16)));
    localStorage.setItem('subscription', JSON.stringify(
        stored() ?? { key, endpoint: '%s', keys: { p256dh, auth } }));
    return shown(stored());
};
"""


class PushService(http.server.ThreadingHTTPServer):
    """Keeps each message, and returns `status` for it."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.status = 201
        self.messages = []
        self.arrived = threading.Condition()
        self.host = "localhost:%d" % self.server_address[1]
        self.endpoint = "https://%s/subscription/1" % self.host
        self.certificate = tempfile.NamedTemporaryFile(suffix=".pem")
        self.socket = context(self.certificate).wrap_socket(self.socket, server_side=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()
        self.certificate.close()

    def message(self, number):
        """The message with this number, when it has arrived."""
        with self.arrived:
            if not self.arrived.wait_for(lambda: len(self.messages) >= number, timeout=30):
                raise AssertionError("no message %d arrived" % number)
            return self.messages[number - 1]

    def handle_error(self, request, client_address):
        """A verifier may end a connection at any time."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.arrived:
            self.server.messages.append((self.path, dict(self.headers), body))
            self.server.arrived.notify_all()
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def context(certificate_file):
    """A key and a certificate of its own for localhost; the certificate is in the file too."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256()))
    certificate_file.write(certificate.public_bytes(serialization.Encoding.PEM))
    certificate_file.flush()
    result = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile() as both:
        both.write(certificate.public_bytes(serialization.Encoding.PEM))
        both.write(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        both.flush()
        result.load_cert_chain(both.name)
    return result
