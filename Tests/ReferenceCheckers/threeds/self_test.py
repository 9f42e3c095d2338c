"""Runs the peer against the small ACS: without faults it finds nothing, and it finds each fault."""
import json
import pathlib
import re
import tempfile
import threading
import time

from threeds import commands, elements, jose, pki, small_acs

CARD = "4000000000000010"
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
VECTORS = REPOSITORY / "Vectors/CardPayments/own-emv-channel.json"
TABLE = REPOSITORY / "docs/reference/threeds-elements.md"

# A fault of the small ACS, the flow that shows it, and a part of the problem that the peer reports.
FAULTS = [
    ("ares-id", "app", "dsTransID differs from the AReq"),
    ("ares-card", "app", "ARes has a card number"),
    ("ares-reason", "frictionless", "transStatusReason is missing"),
    ("areq-repeat", "app", "differs from the one to the same AReq"),
    ("areq-repeat", "at once", "two equal AReqs at once got different responses"),
    ("cres-repeat", "at once", "two equal CReqs at once got different responses"),
    ("erro-id", "refused", "threeDSServerTransID is missing"),
    ("ares-twice", "refused", "acsTransID is that of another AReq"),
    ("ares-eci", "frictionless", "eci does not agree with transStatus"),
    ("jws-root", "app", "the chain does not end at the root"),
    ("jws-time", "app", "not valid at this time"),
    ("jws-algorithm", "rsa", "the algorithm is not PS256 or ES256"),
    ("jws-header", "app", "the header has an excluded member"),
    ("jws-bytes", "app", "the signature is not valid"),
    ("jws-sdk-key", "app", "sdkEphemPubKey is not the SDK's"),
    ("creq-forged", "forged", "accepted a CReq with the mutation flip"),
    ("cres-repeat", "app", "acsCounterAtoS is not the next counter"),
    ("cres-repeat", "gcm", "A NONCE REPEATS"),
    ("cres-early", "app", "no RReq came before it"),
    ("rreq-missing", "app", "no RReq came before it"),
    ("cres-length", "app", "challengeInfoText has the wrong form"),
    ("cres-card", "app", "CRes has a card number"),
    ("cres-type", "app", "acsUiType is missing"),
    ("cres-verdict", "app", "transStatus does not agree with the RReq"),
    ("cres-final", "app", "whyInfoText is in a final CRes"),
    ("cres-counter", "app", "acsCounterAtoS is not the next counter"),
    ("cres-counter", "gcm", "the nonce is not that of the counter"),
    ("cres-kid", "app", "the header's kid is wrong"),
    ("cres-header", "app", "the header's cty is wrong"),
    ("cres-direction", "gcm", "cannot be decrypted"),
    ("cres-nonce", "gcm", "the nonce is not that of the counter"),
    ("cres-nonces", "gcm", "A NONCE REPEATS"),
    ("cres-vector", "app", "A NONCE REPEATS"),
    ("rreq-value", "app", "authenticationValue has the wrong form"),
    ("rreq-reason", "cancel", "transStatusReason is missing"),
    ("rreq-eci", "app", "eci is not that of an authentication"),
    ("rreq-id", "app", "threeDSServerTransID is not the transaction's"),
    ("ares-type", "app", "ARes: authenticationType is not 03"),
    ("ares-type", "decoupled", "ARes: authenticationType is not 04"),
    ("rreq-type", "app", "RReq: authenticationType is not 03"),
    ("rreq-type", "decoupled", "RReq: authenticationType is not 04"),
    ("rreq-unknown", "app", "belongs to no transaction"),
    ("rreq-card", "app", "RReq has a card number"),
    ("rreq-card", "app", "acctNumber does not belong"),
    ("rreq-erro", "app", "Erro: errorComponent is not A"),
    ("rreq-twice", "app", "sent again after its RRes"),
    ("rreq-changed", "browser", "a second one differs from the first"),
    ("page-post", "browser", "a POST got a page instead of 303"),
    ("page-address", "browser", "its address has an id"),
    ("page-card", "browser", "page has a card number"),
    ("page-handler", "browser", "a handler or a style"),
    ("page-image", "browser", "loads from another place"),
    ("page-policy", "browser", "form-action is not 'self'"),
    ("page-cookie", "browser", "sets a cookie"),
    ("page-refresh", "browser", "does not refresh itself without a script"),
    ("page-scripted", "browser", "the refresh is not inside noscript"),
    ("page-button", "browser", "the last form has no button"),
    ("page-title", "browser", "it has no title or language"),
    ("page-redirect", "browser", "a redirect is not 303"),
    ("page-cache", "browser", "the header cache-control is wrong"),
    ("page-verdict", "browser", "transStatus does not agree with the RReq"),
    ("page-session", "browser", "threeDSSessionData differs"),
    ("page-notification", "browser", "does not post to notificationURL"),
    ("method-data", "method", "not the threeDSServerTransID alone"),
]
# The code of the small ACS's Erro for each mutation.
MUTATIONS = {
    "counter": "302", "counter:255": "302", "again": "302", "kid": "301", "kid:none": "301",
    "cipher": "302", "key": "302", "header:zip=\"DEF\"": "302", "header:alg=\"A128KW\"": "302",
    "cut:1": "302", "parts": "302", "flip:-1": "302", "flip:-30": "302", "plain": "101",
}
# How the small ACS sees each mode of the directory.
MODES = {
    "ok": "RRes 01", "slow:5": "timeout", "erro:404": "Erro 404", "status:02": "RRes 02",
    "garbage": "malformed", "lacking": "RRes None", "wrongid": "another id", "refuse": "HTTP 503", "down": "unreachable",
}


class Bench:
    """A peer and a small ACS, connected. Each command goes through the line protocol."""

    def __init__(self, folder: pathlib.Path, signing: str = "signing"):
        self.acs = small_acs.SmallACS(folder, signing)
        self.peer = commands.Peer()
        self.problems: list[str] = []
        path = {name: str(folder / name) for name in (
            "ca.pem", "ds-client.pem", "ds-client.key", "ds-server.pem", "ds-server.key")}
        started = self.run(
            "start", root=path["ca.pem"],
            acs={"directories": self.acs.directories, "challenges": self.acs.origin,
                 "ca": path["ca.pem"]},
            client={"certificate": path["ds-client.pem"], "key": path["ds-client.key"]},
            directory={"certificate": path["ds-server.pem"], "key": path["ds-server.key"],
                       "clientAuthorities": path["ca.pem"]})
        self.acs.results = started["directory"]["results"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run("stop")
        self.acs.stop()

    def run(self, name: str, **members) -> dict:
        line = self.peer.line(json.dumps({"command": name, **members}))
        result = json.loads(line)
        if "failure" in result:
            raise AssertionError(f"{name} failed: {result['failure']}")
        if CARD in line:
            raise AssertionError(f"{name} printed a card number")
        self.problems += result["problems"]
        return result

    def areq(self, **members) -> dict:
        return self.run("areq", **{"card": CARD, **members})

    def decide(self, areq: dict, status: str = "Y") -> None:
        self.acs.decide(areq["ares"]["acsTransID"], status)


class Stopped(Exception):
    """A fault was found, and the flow cannot go on."""


def expect(found, wanted) -> None:
    if found != wanted:
        raise Stopped(f"{found!r} instead of {wanted!r}")


def app(bench: Bench, version: str = "2.2.0", cipher: str = jose.CBC) -> None:
    """A challenge that ends by an approval, with everything sent twice."""
    areq = bench.areq(version=version)
    expect(areq["kind"], "ARes")
    handle = areq["transaction"]
    again = bench.areq(repeat=handle)
    expect(again.get("identical"), True)
    for action, counter in (("show", "000"), ("continue", "001"), ("resend", "002")):
        shown = bench.run("creq", transaction=handle, action=action, cipher=cipher)
        expect((shown["kind"], shown.get("counter")), ("CRes", counter))
        repeated = bench.run("creq", transaction=handle, mutate="repeat")
        expect((repeated["kind"], repeated["identical"]), ("CRes", True))
    bench.decide(areq)
    final = bench.run("creq", transaction=handle, action="continue")
    expect(final["cres"].get("transStatus"), "Y")
    late = bench.run("creq", transaction=handle)
    expect((late["kind"], late["erro"]["errorCode"]), ("Erro", "305"))
    bench.run("results")
    expect(bench.run("results", transaction=handle)["count"], 1)


def cancel(bench: Bench) -> None:
    handle = bench.areq()["transaction"]
    bench.run("creq", transaction=handle)
    bench.run("creq", transaction=handle, action="cancel")
    [one] = bench.run("results", transaction=handle, wait=5)["results"][handle]["results"]
    expect((one["rreq"].get("transStatusReason"), one["client"]), ("01", "acs-client.example"))


def frictionless(bench: Bench) -> None:
    areq = bench.areq(card=small_acs.FRICTIONLESS)
    expect(areq["ares"]["transStatus"], "N")


def decoupled(bench: Bench) -> None:
    wish = {"threeDSRequestorDecReqInd": "Y", "threeDSRequestorDecMaxTime": "00010"}
    for channel in ("app", "browser", "3ri"):
        areq = bench.areq(channel=channel, overrides=wish)
        expect(areq["ares"]["transStatus"], "D")
        bench.decide(areq)
        expect(bench.run("results", transaction=areq["transaction"])["count"], 1)


def refused(bench: Bench) -> None:
    """AReqs that get an Erro, and one that gets no response."""
    for members, code in (({"overrides": {"acctNumber": None}}, "201"), ({"body": "{"}, "101"),
                          ({"repeated": ["acctNumber"]}, "204"),
                          ({"overrides": {"messageVersion": "1.0.0"}}, "102")):
        result = bench.areq(**members)
        expect((result["kind"], result["erro"]["errorCode"]), ("Erro", code))
    bench.areq()
    handle = bench.areq()["transaction"]
    other = bench.areq(repeat=handle, overrides={"purchaseAmount": "1"})
    expect(other["erro"]["errorCode"], "301")
    for client in ({}, {"certificate": str(bench.acs.folder / "other-client.pem"),
                        "key": str(bench.acs.folder / "other-client.key")}):
        expect(bench.areq(client=client)["kind"], "unreachable")


def browser(bench: Bench, version: str = "2.2.0") -> None:
    areq = bench.areq(channel="browser", version=version)
    handle = areq["transaction"]
    opened = bench.run("browser", transaction=handle, action="open")
    expect((opened["status"], opened["title"], opened["redirects"]), (200, "Approve", [303]))
    expect(bench.run("browser", transaction=handle, action="repeat")["address"], opened["address"])
    expect(bench.run("browser", transaction=handle, action="garbage")["status"], 400)
    altered = bench.run("browser", transaction=handle, action="altered")
    expect((altered["over"], altered["erro"]["errorCode"]), (True, "305"))
    expect(bench.run("browser", transaction=handle, action="foreign")["status"], 403)
    expect(bench.run("browser", transaction=handle, action="continue")["over"], False)
    state = bench.run("browser", transaction=handle, action="state")
    expect(state["state"], "pending")
    bench.decide(areq)
    bench.run("results", transaction=handle)
    end = bench.run("browser", transaction=handle, action="again")
    expect((end["over"], end["session"]["identical"]), (True, True))
    expect(end["cres"]["transStatus"], "Y")
    late = bench.run("browser", transaction=handle, action="repeat")
    expect((late["over"], late["erro"]["errorCode"]), (True, "305"))
    expect(len(bench.run("shop")["posts"]), 3)
    expect(len(bench.run("shop", transaction=handle)["posts"]), 3)


def browser_cancel(bench: Bench) -> None:
    handle = bench.areq(channel="browser")["transaction"]
    bench.run("browser", transaction=handle, action="open")
    end = bench.run("browser", transaction=handle, action="cancel")
    expect(end["cres"]["transStatus"], "N")
    expect(bench.run("results", transaction=handle, wait=5)["count"], 1)


def method(bench: Bench) -> None:
    expect(bench.run("method")["completed"], True)


def mutations(bench: Bench, cipher: str) -> None:
    """The small ACS notices every mutation, and so each one is real."""
    expected = MUTATIONS | ({"nonce": "302", "direction": "302"} if cipher == jose.GCM else {})
    for mutation, code in expected.items():
        handle = bench.areq()["transaction"]
        bench.run("creq", transaction=handle, cipher=cipher)
        changed = bench.run("creq", transaction=handle, action="continue", mutate=mutation)
        expect((mutation, changed["kind"], changed["erro"]["errorCode"]), (mutation, "Erro", code))


def forged(bench: Bench) -> None:
    handle = bench.areq()["transaction"]
    bench.run("creq", transaction=handle, mutate="flip:-5")


def modes(bench: Bench) -> None:
    """Each mode shows as it should, and `ok` ends it on the same port."""
    for mode, outcome in MODES.items():
        handle, bench.acs.outcomes = bench.areq(), []
        bench.run("directory", mode=mode)
        bench.acs.decide(handle["ares"]["acsTransID"], "N", timeout=0.5)
        bench.run("directory", mode="ok")
        bench.acs.decide(handle["ares"]["acsTransID"], "N")
        expect((mode, bench.acs.outcomes), (mode, [outcome, "RRes 01"]))
    # The ACS sent twice after RRes 01 and RRes 02, and the peer noticed both.
    bench.run("results")
    twice = [problem for problem in bench.problems if "sent again after its RRes" in problem]
    expect(len(twice), 2)
    expect(bench.run("results", repeatable=True)["problems"], [])
    bench.problems = [problem for problem in bench.problems if problem not in twice]


def at_once(bench: Bench) -> None:
    """Equal messages by two connections get one response."""
    handle = bench.areq(twice=True)["transaction"]
    expect(bench.run("creq", transaction=handle, mutate="twice")["counter"], "000")
    expect(bench.run("creq", transaction=handle, action="continue")["counter"], "001")


def waiting(bench: Bench) -> None:
    """`results` waits for an RReq that comes later, and no longer than it must."""
    areq = bench.areq()
    sender = threading.Thread(target=bench.decide, args=(areq,))
    sender.start()
    expect(bench.run("results", transaction=areq["transaction"], wait=60)["count"], 1)
    sender.join()
    start = time.monotonic()
    bench.run("results", transaction=areq["transaction"], wait=0.2, count=2)
    expect(0.2 <= time.monotonic() - start < 30, True)


def lost_response(bench: Bench) -> None:
    """A CReq without a response is sent again, and counts once."""
    handle = bench.areq()["transaction"]
    lost = bench.run("creq", transaction=handle, url="https://127.0.0.1:1/")
    expect(lost["kind"], "unreachable")
    expect(bench.run("creq", transaction=handle, mutate="repeat")["counter"], "000")
    expect(bench.run("creq", transaction=handle, action="continue")["counter"], "001")
    reported = bench.run("erro", transaction=handle, code="402")
    expect(reported["status"], 200)
    expect(bench.run("creq", transaction=handle)["erro"]["errorCode"], "305")


def vectors() -> None:
    """Derives keys and opens messages of Vectors/CardPayments, which other programs computed."""
    checked = 0
    for case in json.loads(VECTORS.read_text())["cases"]:
        if not case.get("key_hex") or not case["messages"]:
            continue
        members = json.loads(case["own_key"])
        ours = jose.derived_key(
            _private_key(members), jose.public_key(json.loads(case["other_key"])),
            case["sdk_reference_number"])
        expect(ours.hex(), case["key_hex"])
        is_sdk = case["receiver"] == "sdk"
        cipher = jose.header_of(case["messages"][0], 5)["enc"]
        for message, text in zip(case["messages"], case["plaintexts"]):
            if text == "repeated":
                continue
            key = jose.cipher_key(ours, cipher, from_sdk=not is_sdk)
            expect(jose.open_sealed(message, key, cipher).hex(), text)
            checked += 1
    expect(checked > 20, True)


def _private_key(members: dict):
    from cryptography.hazmat.primitives.asymmetric import ec
    return ec.derive_private_key(int.from_bytes(jose.decode(members["d"]), "big"), ec.SECP256R1())


def table() -> None:
    """The peer's table has the same elements in each version as the published page."""
    sections = re.split(r"^## ", TABLE.read_text(), flags=re.MULTILINE)
    for kind in elements.MESSAGES:
        section = next(one for one in sections if one.startswith(kind + "\n"))
        lines = re.findall(r"^\| `([\w.]+)`[^|]*\| ([^|]+) \|", section, flags=re.MULTILINE)
        for version in elements.VERSIONS:
            published = {name for name, versions in lines if _is_of(versions, version)}
            expect((kind, version, {row.name for row in elements.rows(kind, version)} ^ published),
                   (kind, version, set()))


def _is_of(versions: str, version: str) -> bool:
    word, _, limit = versions.rpartition(" ")
    if versions == "all":
        return True
    return {"to": version <= limit, "from": version >= limit}.get(word, version == limit)


FLOWS = {
    "app": app, "gcm": lambda bench: app(bench, cipher=jose.GCM), "rsa": app, "cancel": cancel,
    "frictionless": frictionless, "refused": refused, "browser": browser, "method": method,
    "forged": forged, "at once": at_once, "decoupled": decoupled,
}


def clean_flows() -> list[tuple]:
    """Flows of an ACS without faults, as a name, the signer and the flow."""
    flows = []
    for version in elements.VERSIONS:
        for cipher in (jose.CBC, jose.GCM):
            for signing in ("signing", "signing-rsa"):
                flows.append((f"app {version} {cipher} {signing}", signing,
                              lambda bench, v=version, c=cipher: app(bench, v, c)))
        flows.append((f"browser {version}", "signing", lambda bench, v=version: browser(bench, v)))
    for cipher in (jose.CBC, jose.GCM):
        flows.append((f"mutations {cipher}", "signing", lambda bench, c=cipher: mutations(bench, c)))
    flows += [(flow.__name__, "signing", flow) for flow in (
        cancel, frictionless, refused, browser_cancel, method, modes, waiting, at_once,
        lost_response, forged, decoupled)]
    return flows


def _clean(folder: pathlib.Path, signing: str, flow) -> str | None:
    with Bench(folder, signing) as bench:
        try:
            flow(bench)
        except (Stopped, AssertionError, LookupError, ValueError) as failure:
            return f"{type(failure).__name__} {failure}; problems: {bench.problems}"
        return f"problems without a fault: {bench.problems}" if bench.problems else None


def _with_fault(folder: pathlib.Path, fault: str, flow: str, part: str) -> str | None:
    with Bench(folder, "signing-rsa" if flow == "rsa" else "signing") as bench:
        bench.acs.fault = fault
        try:
            FLOWS[flow](bench)
        except (Stopped, AssertionError, LookupError, ValueError):
            # A flow may end early, if its problem is there.
            pass
        is_found = any(part in problem for problem in bench.problems)
        return None if is_found else f"not noticed; problems: {bench.problems}"


def run() -> int:
    """Prints each failed check, and their number; the exit code is 1 if one failed."""
    failures, count = [], 0

    def check(name: str, failure: str | None) -> None:
        nonlocal count
        count += 1
        if failure:
            failures.append(name)
            print(f"{name}: {failure}")

    for part in (vectors, table):
        try:
            part()
            check(part.__name__, None)
        except Stopped as failure:
            check(part.__name__, str(failure))
    with tempfile.TemporaryDirectory() as name:
        folder = pki.write(name)
        for title, signing, flow in clean_flows():
            check(title, _clean(folder, signing, flow))
        for fault, flow, part in FAULTS:
            check(f"{fault} in {flow}", _with_fault(folder, fault, flow, part))
    print(f"{count} checks, {len(failures)} failures")
    return 1 if failures else 0
