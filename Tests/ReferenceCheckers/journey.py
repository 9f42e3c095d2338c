"""What a bank does with a client that was generated from the OpenAPI document.

The values on standard input are a JSON object: `origin`, `authority` (a file, if TLS), `issuer` and
`administrator` (tokens for all enterprises), `enterprise` and `account` (of type main, with an
active device).
"""
import json
import sys
import tempfile
import time

import generators

PAYMENT = {
    "context": "payment",
    "title": "Apples",
    "amounts": [{"currency": "EUR", "minorUnits": 4711}],
    "payees": [{"name": "Grocer", "account": "DE89370400440532013000"}],
    "reference": "order-7",
}
WRONG_ACCOUNT = dict(PAYMENT, payees=[{"name": "Grocer", "account": "DE88370400440532013000"}])
# A later version can send them.
LATER_EVENT = {
    "type": "account.painted",
    "timestamp": "2026-11-23T07:23:26.103Z",
    "data": {"enterprise": "bank", "account": {"type": "main", "id": "4711"}, "subject": "4711",
             "actor": "token:core", "detail": "", "sequence": 9007199254740993, "colour": "red"},
    "later": True,
}
LATER_PROBLEM = {"type": "urn:countersign:painted", "title": "Painted.", "status": 409,
                 "code": "painted", "colour": "red"}


def expect(found, wanted):
    if found != wanted:
        raise SystemExit(f"{found!r} instead of {wanted!r}")


def refused(problem, status, code):
    expect((problem.status, problem.code), (status, code))
    return problem


def set_up(bank, name):
    """A new enterprise with an account and an activation."""
    new = "new-" + name
    expect(bank.create_enterprise(new, {"lookAhead": 5, "lock": {"failures": 4}}), new)
    expect(bank.policy_look_ahead(new), 5)
    refused(bank.problem("create_enterprise", new, {"lookAhead": 6}), 409, "enterpriseExists")
    bank.add_account(new, "4711")
    issued = bank.issue_activation(new, "4711", "activation-1")
    repeated = bank.issue_activation(new, "4711", "activation-1")
    expect((repeated.id, repeated.code), (issued.id, issued.code))
    expect(len(issued.code), 23)
    expect([one.id for one in bank.list_activations(new, "4711")], [issued.id])
    expect("\u2588" in bank.activation_text(new, "4711", issued.id), True)
    refused(bank.problem("request_transaction", new, "4711", PAYMENT, "order-1"), 409,
            "noActiveDevice")


def pay(bank, enterprise, account, name):
    """Creates, awaits, withdraws and lists transactions."""
    key = "order-" + name
    created = bank.request_transaction(enterprise, account, PAYMENT, key)
    expect(created.state, "pending")
    expect(created.amounts[0].currency, "EUR")
    # Both generators make times of the texts.
    expect((created.deadline - created.created).total_seconds(), 120)
    repeated = bank.request_transaction(enterprise, account, PAYMENT, key)
    expect(repeated.id, created.id)
    other = dict(PAYMENT, title="Pears")
    refused(bank.problem("request_transaction", enterprise, account, other, key), 422,
            "idempotencyKeyReused")
    wrong = refused(bank.problem("request_transaction", enterprise, account, WRONG_ACCOUNT, "w"),
                    422, "invalidContent")
    expect([(one.pointer, one.rule, one.value) for one in wrong.errors],
           [("/payees/0/account", "badIBAN", "DE88370400440532013000")])
    start = time.monotonic()
    expect(bank.show_transaction(enterprise, account, created.id, 1).state, "pending")
    expect(time.monotonic() - start >= 1, True)
    bank.withdraw(enterprise, account, created.id)
    bank.withdraw(enterprise, account, created.id)
    expect(bank.show_transaction(enterprise, account, created.id, 60).state, "withdrawn")
    second = bank.request_transaction(enterprise, account, PAYMENT, key + "-2")
    bank.withdraw(enterprise, account, second.id)
    page = bank.list_transactions(enterprise, account, 1, None)
    expect([one.id for one in page.transactions], [second.id])
    older = bank.list_transactions(enterprise, account, 1, bank.following(page))
    expect([one.id for one in older.transactions], [created.id])
    refused(bank.problem("show_transaction", enterprise, account, "other", 0), 404,
            "notFound")


def look(bank, enterprise, account):
    [device] = bank.list_devices(enterprise, account)
    expect((device.status, device.kind), ("active", "installation"))
    expect(device.credentials[0].status, "active")
    refused(bank.problem("list_devices", enterprise, "missing"), 404, "notFound")
    refused(bank.problem("create_enterprise", "other", {}, token="issuer"), 403, "scopeMissing")
    refused(bank.problem("list_devices", enterprise, account, token=None), 401, "unauthorized")


def stay_compatible(bank):
    event = bank.event(LATER_EVENT)
    expect(event.data.sequence, 9007199254740993)
    expect(event.data.account.id, "4711")
    expect(event.timestamp.microsecond, 103000)
    expect(bank.read_problem(LATER_PROBLEM).code, "painted")


def travel(name, generate, client):
    """Generates a client with `generate`, and does with it what `client` makes of it."""
    known = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        document = generators.served_document(known, folder)
        start = time.monotonic()
        package = generate(document, folder)
        seconds = time.monotonic() - start
        bank = client(package, known)
        set_up(bank, name)
        pay(bank, known["enterprise"], known["account"], name)
        look(bank, known["enterprise"], known["account"])
        stay_compatible(bank)
    print("done")
    print(f"generated in {seconds:.1f} s", file=sys.stderr)
