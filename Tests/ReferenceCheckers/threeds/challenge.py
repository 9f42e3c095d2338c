"""The SDK's side of a challenge: CReq and CRes in the secure channel, with mutations that must fail."""
import dataclasses
import json
import uuid

from threeds import jose, transport, world as worlds
from threeds.world import BadCommand, Channel, Transaction, World

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
# Mutations that only the decrypted text shows, or that leave the ids readable.
KNOWN_IDS = {"none", "counter", "nonce", "again", "repeat"}


@dataclasses.dataclass
class Outgoing:
    """A CReq before it is encrypted; mutations change it."""
    message: dict
    header: dict
    key: bytes
    nonce: bytes | None
    body: bytes = b""
    media_type: str = "application/jose; charset=utf-8"


def creq(transaction: Transaction, action: str, counter: int) -> dict:
    known = transaction.ids()
    message = {
        "messageType": "CReq", "messageVersion": transaction.version,
        "threeDSServerTransID": known["threeDSServerTransID"], "acsTransID": known["acsTransID"],
        "sdkTransID": known["sdkTransID"], "sdkCounterStoA": f"{counter:03}",
    }
    is_latest = transaction.version == "2.3.1"
    if is_latest:
        message["oobAppURLInd"] = "01"
    is_later = transaction.secure.shown_template is not None
    if action == "show" and is_latest and is_later:
        message["oobContinue"] = "02"
    elif action == "continue":
        message["oobContinue"] = "01" if is_latest else True
    elif action == "cancel":
        message["challengeCancel"] = "01"
    elif action == "resend":
        message |= {"challengeAddCode": "Y"} if is_latest else {"resendChallenge": "Y"}
    elif action != "show":
        raise BadCommand(f"unknown action {action}")
    return message


def challenge(world: World, command: dict) -> dict:
    """The command `creq`."""
    transaction = world.transaction(command["transaction"])
    channel = transaction.secure
    if not channel:
        raise BadCommand("the transaction does not have a secure channel")
    channel.cipher = channel.cipher or command.get("cipher", jose.CBC)
    mutation = command.get("mutate", "none")
    outgoing = _outgoing(transaction, command, mutation)
    if mutation == "repeat":
        outgoing.body = channel.pending or channel.last_request
        if outgoing.body is None:
            raise BadCommand("there is no CReq to repeat")
        mutation = "none" if channel.pending else mutation
    url, timeout, is_equal = command.get("url", channel.url), command.get("timeout", 10), True
    try:
        if mutation == "twice":
            mutation = "none"
            response, is_equal = transport.send_twice(
                world.browser, url, outgoing.body, outgoing.media_type, timeout)
        else:
            response = transport.send(
                world.browser, "POST", url, outgoing.body, outgoing.media_type, timeout)
    except transport.Unreachable as failure:
        channel.pending = outgoing.body if mutation == "none" else channel.pending
        return {"kind": "unreachable", "reason": str(failure), "problems": []}
    result = _judged(world, transaction, outgoing, mutation, response)
    if response.status == 503 and mutation == "none":
        # The ACS could not process it, so the SDK may send it again.
        channel.pending = outgoing.body
    if not is_equal:
        result["problems"].append("CRes: two equal CReqs at once got different responses")
    result["request"] = {"length": len(outgoing.body)}
    return result


def _outgoing(transaction: Transaction, command: dict, mutation: str) -> Outgoing:
    channel = transaction.secure
    message = creq(transaction, command.get("action", "show"), channel.sent)
    for name, value in command.get("overrides", {}).items():
        message[name] = value
        if value is None:
            del message[name]
    header = {"alg": "dir", "enc": channel.cipher, "kid": transaction.ids()["acsTransID"]}
    outgoing = Outgoing(message, header, jose.cipher_key(channel.key, channel.cipher, True),
                        jose.counter_nonce(channel.sent, True))
    kind, _, value = mutation.partition(":")
    if kind not in MUTATIONS:
        raise BadCommand(f"unknown mutation {kind}")
    MUTATIONS[kind](outgoing, value, channel)
    if not outgoing.body:
        content = json.dumps(outgoing.message, ensure_ascii=False).encode()
        nonce = outgoing.nonce if outgoing.header["enc"] == jose.GCM else None
        outgoing.body = jose.seal(outgoing.header, outgoing.key, content, nonce).encode()
    if kind in AFTER_SEALING:
        outgoing.body = AFTER_SEALING[kind](outgoing.body.decode(), value).encode()
    return outgoing


def _counter(outgoing: Outgoing, value: str, channel: Channel) -> None:
    counter = int(value) if value else (channel.sent + 1) % 256
    outgoing.message["sdkCounterStoA"] = f"{counter:03}"
    outgoing.nonce = jose.counter_nonce(counter % 256, True)


def _nonce(outgoing: Outgoing, value: str, channel: Channel) -> None:
    if channel.cipher != jose.GCM:
        raise BadCommand("only A128GCM has a nonce of the counter")
    outgoing.nonce = jose.counter_nonce((channel.sent + 1) % 256, True)


def _again(outgoing: Outgoing, value: str, channel: Channel) -> None:
    """Other bytes under the last counter."""
    if channel.sent == 0:
        raise BadCommand("there is no CReq whose counter could be used again")
    _counter(outgoing, str(channel.sent - 1), channel)


def _kid(outgoing: Outgoing, value: str, channel: Channel) -> None:
    if value == "none":
        del outgoing.header["kid"]
    else:
        outgoing.header["kid"] = value or str(uuid.uuid4())


def _cipher(outgoing: Outgoing, value: str, channel: Channel) -> None:
    """The other cipher, in the middle of a challenge."""
    other = jose.CBC if channel.cipher == jose.GCM else jose.GCM
    outgoing.header["enc"] = other
    outgoing.key = jose.cipher_key(channel.key, other, True)


def _direction(outgoing: Outgoing, value: str, channel: Channel) -> None:
    """The key of the ACS's direction."""
    if channel.cipher != jose.GCM:
        raise BadCommand("only A128GCM has a key for each direction")
    outgoing.key = jose.cipher_key(channel.key, jose.GCM, False)


def _header(outgoing: Outgoing, value: str, channel: Channel) -> None:
    name, _, text = value.partition("=")
    outgoing.header[name] = json.loads(text)


def _key(outgoing: Outgoing, value: str, channel: Channel) -> None:
    outgoing.key = bytes(len(outgoing.key))


def _plain(outgoing: Outgoing, value: str, channel: Channel) -> None:
    """The text without encryption."""
    outgoing.body = json.dumps(outgoing.message).encode()
    outgoing.media_type = "application/json; charset=utf-8"


def _flipped(token: str, value: str) -> str:
    """Another character at this place; negative places count from the end."""
    place = int(value or 0) % len(token)
    old = token[place]
    new = ALPHABET[ALPHABET.index(old) ^ 1] if old in ALPHABET else "A"
    return token[:place] + new + token[place + 1:]


def _cut(token: str, value: str) -> str:
    return token[:-int(value or 1)]


def _without_part(token: str, value: str) -> str:
    return token.rpartition(".")[0]


def _unchanged(*_) -> None:
    pass


AFTER_SEALING = {"flip": _flipped, "cut": _cut, "parts": _without_part}
MUTATIONS = {
    "none": _unchanged, "repeat": _unchanged, "twice": _unchanged, "counter": _counter, "nonce": _nonce,
    "again": _again, "kid": _kid, "cipher": _cipher, "direction": _direction, "header": _header,
    "key": _key, "plain": _plain, **{name: _unchanged for name in AFTER_SEALING},
}


def _judged(world: World, transaction: Transaction, outgoing: Outgoing, mutation: str,
            response: transport.Response) -> dict:
    channel = transaction.secure
    result = {"kind": "http", "status": response.status, "seconds": round(response.seconds, 3),
              "length": len(response.body), "mediaType": response.media_type, "problems": []}
    problems = result["problems"]
    problems += world.card_problems(response.body, "CRes")
    if response.media_type == "application/json":
        erro, problems = worlds.read_json_response(response, "Erro")
        result["problems"] += problems
        if erro is not None:
            knows_ids = mutation.partition(":")[0] in KNOWN_IDS
            result["problems"] += worlds.error_problems(
                world, transaction, response, erro, knows_ids, knows_version=knows_ids)
            result |= {"kind": "Erro", "erro": erro}
        return result
    if response.media_type != "application/jose":
        if response.status == 200:
            problems.append("CRes: the content type is neither application/jose nor application/json")
        return result
    is_repeat = mutation == "repeat"
    if is_repeat:
        result["identical"] = response.body == channel.last_response
    if not is_repeat and mutation != "none":
        problems.append(f"CRes: the ACS accepted a CReq with the mutation {mutation.partition(':')[0]}")
    is_known = is_repeat and result["identical"]
    try:
        cres, nonce = _opened(world, transaction, response.body, problems, is_known)
    except (jose.Malformed, UnicodeDecodeError) as failure:
        problems.append(f"CRes: {failure}")
        return result
    result |= {"kind": "CRes", "cres": cres, "nonce": nonce.hex(), "cipher": channel.cipher,
               "counter": cres.get("acsCounterAtoS")}
    problems += world.card_problems(json.dumps(cres, ensure_ascii=False), "CRes")
    if not is_known:
        problems += _rules(world, transaction, outgoing.message, cres)
    if mutation == "none":
        channel.sent += 1
        channel.last_request, channel.pending = outgoing.body, None
    if not is_known:
        channel.received += 1
        channel.last_response = response.body
    return result


def _opened(world: World, transaction: Transaction, body: bytes, problems: list[str],
            is_known: bool) -> tuple[dict, bytes]:
    """Decrypts a CRes, and checks its header, nonce and counter."""
    channel, token = transaction.secure, body.decode("ascii")
    header = jose.header_of(token, 5)
    expected = {"alg": "dir", "enc": channel.cipher, "kid": transaction.ids()["acsTransID"]}
    problems += [f"CRes: the header's {name} is wrong" for name in sorted(set(header) | set(expected))
                 if name != "typ" and header.get(name) != expected.get(name)]
    if token.split(".")[1]:
        problems.append("CRes: the encrypted key is not empty")
    key = jose.cipher_key(channel.key, channel.cipher, False)
    nonce = jose.decode(token.split(".")[2])
    content = jose.read_json(jose.open_sealed(token, key, channel.cipher))
    problems += world.nonce_problems(key, nonce, token)
    if is_known:
        return content, nonce
    if content.get("acsCounterAtoS") != f"{channel.received:03}":
        problems.append("CRes: acsCounterAtoS is not the next counter")
    if channel.cipher == jose.GCM and nonce != jose.counter_nonce(channel.received % 256, False):
        problems.append("CRes: the nonce is not that of the counter")
    return content, nonce


def _rules(world: World, transaction: Transaction, request: dict, cres: dict) -> list[str]:
    found = transaction.table_problems(
        cres, "CRes", {"oobAppURLInd": request.get("oobAppURLInd")})
    found += transaction.id_problems(cres, "CRes")
    if cres.get("challengeCompletionInd") == "Y":
        return found + world.final_problems(transaction, cres)
    promised = transaction.response.get("acsRenderingType")
    if isinstance(promised, dict) and cres.get("acsUiType") != promised.get("acsUiTemplate"):
        found.append("CRes: acsUiType is not the acsUiTemplate of the ARes")
    transaction.secure.shown_template = cres.get("acsUiType")
    return found


def report(world: World, command: dict) -> dict:
    """The command `erro`: the SDK or the directory server reports an error to the ACS."""
    transaction = world.transaction(command["transaction"])
    is_of_directory = command.get("from") == "D"
    if not transaction.secure and not is_of_directory and "url" not in command:
        raise BadCommand("the transaction does not have a secure channel")
    message = {
        "messageType": "Erro", "messageVersion": transaction.version, **transaction.ids(),
        "errorCode": command.get("code", "402"), "errorComponent": command.get("from", "C"),
        "errorDescription": "A test of errors", "errorDetail": "A test of errors",
        "errorMessageType": command.get("messageType", "CRes"),
    } | command.get("overrides", {})
    client = world.client if is_of_directory else world.browser
    url = command.get("url") or (world.directories if is_of_directory else transaction.secure.url)
    try:
        response = transport.send(client, "POST", url, json.dumps(message).encode(),
                                  "application/json; charset=utf-8", command.get("timeout", 10))
    except transport.Unreachable as failure:
        return {"kind": "unreachable", "reason": str(failure), "problems": []}
    result = {"kind": "http", "status": response.status, "length": len(response.body), "problems": []}
    if response.body:
        erro, _ = worlds.read_json_response(response, "Erro")
        if erro is not None:
            result |= {"kind": "Erro", "erro": erro}
            result["problems"] = worlds.error_problems(world, transaction, response, erro, False)
    return result
