"""The JSON of all messages: docs/protocol/messages.md."""

import json
import re

from fields import (
    CROCKFORD, Reader, Refused, base64url, decimal, identifier, identifier_of_16_bytes,
    public_key, require, utf8,
)
from transactions import device_policy
from displayed import shown

# MARK: JSON


def unique(members):
    names = [name for name, _ in members]
    require(len(set(names)) == len(names))
    return dict(members)


def integer(text):
    require(text != "-0")
    return int(text)


def refuse(_):
    raise Refused()


def has_no_zero(value):
    if isinstance(value, str):
        return "\0" not in value and not any(0xD800 <= ord(c) < 0xE000 for c in value)
    if isinstance(value, list):
        return all(map(has_no_zero, value))
    if isinstance(value, dict):
        return all(map(has_no_zero, value)) and all(map(has_no_zero, value.values()))
    return True


def size(value):
    """The nesting depth, and the count of members and elements."""
    if not isinstance(value, (list, dict)):
        return 0, 0
    inner = value.values() if isinstance(value, dict) else value
    sizes = [size(part) for part in inner]
    return (
        1 + max((depth for depth, _ in sizes), default=0),
        len(sizes) + sum(count for _, count in sizes),
    )


def json_value(content, most=65536, deepest=16, most_values=4096):
    require(len(content) <= most)
    text = utf8(content)
    require(not text.startswith("\ufeff"))
    try:
        value = json.loads(
            text,
            object_pairs_hook=unique,
            parse_int=integer,
            parse_float=refuse,
            parse_constant=refuse,
        )
    except (ValueError, RecursionError):
        raise Refused() from None
    require(has_no_zero(value))
    depth, count = size(value)
    require(depth <= deepest and count <= most_values)
    return value


# MARK: Kinds of values


def text(read):
    def take(value):
        require(type(value) is str)
        read(value)

    return take


def whole(most):
    def take(value):
        require(type(value) is int and 0 <= value <= most)

    return take


def boolean(value):
    require(type(value) is bool)


def binary(count):
    return text(lambda value: require(len(base64url(value)) == count))


def one_of(*words):
    return text(lambda value: require(value in words))


def list_of(read):
    def take(value):
        require(type(value) is list)
        for element in value:
            read(element)

    return take


def members(**readers):
    """An object of exactly these members; the name of an optional member ends with an underscore."""

    def take(value):
        require(type(value) is dict)
        allowed = {name.rstrip("_") for name in readers}
        needed = {name for name in readers if not name.endswith("_")}
        require(needed <= set(value) <= allowed)
        for name, read in readers.items():
            if name.rstrip("_") in value:
                read(value[name.rstrip("_")])

    return take


def either(*readers):
    def take(value):
        for read in readers:
            try:
                return read(value)
            except Refused:
                pass
        raise Refused()

    return take


def activation_id(value):
    require(re.fullmatch("[%s]{10}" % CROCKFORD, value))


def read_offer(content):
    """See docs/protocol/activation.md."""
    reader = Reader(content)
    require(reader.text(64) == "countersign activation-offer 1")
    offer = {"enterprise": identifier(reader.text(64)), "epoch": reader.number()}
    offer["policy"] = reader.field(16384)
    count = reader.number(4)
    require(1 <= count <= 16)
    offer["enrolments"] = [
        {
            "type": identifier(reader.text(64)),
            "id": identifier(reader.text(64)),
            "user": reader.take(16),
            "device": reader.take(16),
        }
        for _ in range(count)
    ]
    reader.end()
    accounts = {(entry["type"], entry["id"]) for entry in offer["enrolments"]}
    credentials = {entry[kind] for entry in offer["enrolments"] for kind in ("user", "device")}
    require(len(accounts) == count and len(credentials) == 2 * count)
    return offer


moment = whole(2**53 - 1)
number = text(decimal)
name = text(identifier)
random_name = text(identifier_of_16_bytes)
key = text(lambda value: public_key(base64url(value)))
digest, signature, sealed_seed = binary(32), binary(64), binary(60)
kind = one_of("user", "device", "biometric")
authentication = one_of("consent", "userPIN", "biometric")
reason = one_of("unspecified", "notMe", "wrongDetails", "noLongerWanted")
lock = either(
    members(until=moment), members(never=lambda value: require(value is True))
)
push_token = text(lambda value: require(re.fullmatch("[A-Za-z0-9_:-]{1,1024}", value)))

position = members(generation=number, epoch=number, minimumCounter=number)
envelope = members(
    attempt=random_name,
    generation=number,
    epoch=number,
    counter=number,
    code=text(lambda value: require(re.fullmatch("[0-9a-f]{64}", value))),
    blind=binary(16),
)
claim = members(
    claim=members(
        activation=text(activation_id),
        serverKey=random_name,
        device=random_name,
        ephemeralKey=key,
        deviceKey=key,
        deviceName=text(lambda value: shown(value, 64)),
    ),
    proof=digest,
)
enrolment = members(
    device=random_name,
    deviceKey=key,
    userSeed=sealed_seed,
    deviceSeed=sealed_seed,
    possession=signature,
)
credential = members(enterprise=name, id=random_name, kind=kind, generation=number)


def commit(value):
    members(
        submittedClaim=claim,
        enrolments=list_of(enrolment),
        sibling_=members(device=random_name, attempt=random_name),
    )(value)
    enrolments = value["enrolments"]
    require(1 <= len(enrolments) <= 16)
    require(value.get("sibling", {}).get("device") not in [entry["device"] for entry in enrolments])
    for part in ("device", "deviceKey"):
        require(enrolments[0][part] == value["submittedClaim"]["claim"][part])
        require(len({entry[part] for entry in enrolments}) == len(enrolments))


def proposal(value):
    members(
        authority=credential, credential=credential, ephemeralKey=key, serverKey=random_name
    )(value)
    authority, target = value["authority"], value["credential"]
    require(authority["kind"] == "user" and authority["enterprise"] == target["enterprise"])
    if target["kind"] == "user":
        require(authority["id"] == target["id"])
        require(int(authority["generation"]) + 1 == int(target["generation"]))
    else:
        require(authority["id"] != target["id"])


# MARK: Problems

PROBLEMS = {
    "invalidArgument": (400, {}),
    "noAccountActivated": (401, {}),
    "clockSkew": (401, {"serverTime": moment}),
    "deviceRevoked": (403, {}),
    "activationCodeInvalid": (403, {}),
    "authenticationTypeNotAllowed": (403, {}),
    "deviceWaiting": (403, {"waitsUntil": moment}),
    "amountAboveCeiling": (403, {}),
    "authenticationFailed": (403, {"attemptsLeft": whole(255)}),
    "unknownTransaction": (404, {}),
    "accountAlreadyActivated": (409, {}),
    "transactionAlreadyDecided": (
        409, {"finalState": one_of("approved", "rejected", "withdrawn", "void")},
    ),
    "counterOutOfStep": (409, {"position": position}),
    "activationCodeExpired": (410, {}),
    "transactionExpired": (410, {}),
    "credentialLocked": (423, {"lock": lock}),
    "rateLimited": (429, {"retryAfterSeconds": whole(2**32 - 1)}),
    "serverUnavailable": (503, {}),
    "upgradeRequired": (410, {}),
}


def problem(value):
    require(type(value) is dict and type(value.get("type")) is str)
    prefix, code = value["type"][:16], value["type"][16:]
    require(prefix == "urn:countersign:" and code in PROBLEMS)
    status, details = PROBLEMS[code]
    members(
        type=text(len),
        title=text(lambda sentence: require(len(sentence.encode()) <= 512)),
        status=lambda number: require(type(number) is int and number == status),
        **details,
    )(value)


# MARK: Routes

nothing = members()
MESSAGES = {
    "activation/claim": (
        claim, members(offer=text(lambda value: read_offer(base64url(value))), mac=digest),
    ),
    "activation/commit": (
        commit,
        members(
            outcomes=list_of(one_of("enrolled", "tooManyDevices", "accountReplaced")),
            receipt=digest,
        ),
    ),
    "status": (
        members(
            unanswered_=either(
                members(
                    commit=members(activation=text(activation_id), claim=digest, deviceKey=key)
                ),
                members(codesBelow=number),
            )
        ),
        members(
            account=members(type=name, id=name),
            credentials=list_of(
                members(
                    id=random_name, kind=kind, position=position, isEnabled=boolean, lock_=lock
                )
            ),
            policy=text(lambda value: device_policy(base64url(value))),
            nextServerKey_=key,
            nextAgreementKey_=members(key=key, signature=signature),
        ),
    ),
    "transactions": (nothing, members(transactions=list_of(name))),
    "transaction": (
        members(transaction=name),
        members(
            # Its content is checked separately from the message.
            transaction=text(base64url),
            typedDigits_=lambda value: require(type(value) is int and value in (2, 6)),
        ),
    ),
    "decision": (
        members(
            transaction=name,
            choice=either(members(approve=authentication), members(reject=reason)),
            evidence=signature,
            envelope=envelope,
        ),
        nothing,
    ),
    "login": (
        members(dataDigest=digest, type=authentication, envelope=envelope),
        members(login=name),
    ),
    "pin-check": (members(claimDigest_=digest, envelope=envelope), nothing),
    "rekey": (
        members(rekey=members(proposal=proposal, seed=sealed_seed), envelope=envelope),
        nothing,
    ),
    "biometric/removal": (members(attempt=random_name), nothing),
    "push": (
        members(
            attempt=random_name,
            setting=either(
                members(kind=one_of("off", "events")),
                members(kind=one_of("fcm"), token=push_token),
            ),
        ),
        nothing,
    ),
    "deletion": (members(attempt=random_name), nothing),
    "account/changes": (
        nothing,
        members(
            changes=list_of(
                members(
                    kind=one_of(
                        "activationIssued", "deviceActivated", "deviceRevoked", "accountLinked",
                        "accountReplaced", "pinChanged", "locked",
                    ),
                    moment=moment,
                    deviceName_=text(lambda value: shown(value, 64)),
                    account_=members(type=name, id=name),
                )
            )
        ),
    ),
}


def read_message(which, body):
    """The value of a valid message."""
    if which == "problem":
        value = json_value(body)
        problem(value)
        return value
    path, _, direction = which.rpartition(" ")
    require(path in MESSAGES and direction in ("request", "response"))
    value = (
        json_value(body, 88 * 1024, 4, 16) if which == "transaction response" else json_value(body)
    )
    MESSAGES[path][direction == "response"](value)
    return value


def device_message_case(case):
    read_message(case["message"], case["body"].encode())
    return {}


def push_payload_case(case):
    """See docs/protocol/messages.md."""
    payload = json_value(bytes.fromhex(case["payload_hex"]), 4096, 4, 16)
    members(sa_transaction_id=name, account_id=name, account_type=name)(payload)
    return {
        "transaction": payload["sa_transaction_id"],
        "account_id": payload["account_id"],
        "account_type": payload["account_type"],
    }
