"""Sends an AReq as a directory server does, and checks the ARes."""
import datetime
import json
import re
import uuid

from threeds import elements, jose, pki, shop, transport, world as worlds
from threeds.world import BadCommand, Channel, Transaction, World

JSON = "application/json; charset=utf-8"
SDK_REFERENCE = "3DS_LOA_SDK_PEER_020200_00001"
DEVICE = {"DV": "1.4", "DD": {"C001": "Linux", "C002": "Countersign peer", "C005": "en-GB"},
          "DPNA": {"C010": "RE03", "C011": "RE03"}, "SW": []}
MERCHANT = {"name": "CoffeeHouse2 (Dæmø)", "id": "0004445001", "bin": "271829", "country": "276",
            "mcc": "5814"}


def request(world: World, command: dict, key) -> dict:
    """A whole AReq for the command, before its overrides."""
    version, channel = command.get("version", "2.2.0"), command.get("channel", "app")
    if version not in elements.VERSIONS or channel not in elements.CHANNELS:
        raise BadCommand("unknown version or channel")
    merchant = MERCHANT | command.get("merchant", {})
    origin = f"https://127.0.0.1:{world.directory.port}"
    moment = datetime.datetime.utcfromtimestamp(world.now())
    message = {
        "messageType": "AReq", "messageVersion": version,
        "threeDSServerTransID": str(uuid.uuid4()), "dsTransID": str(uuid.uuid4()),
        "threeDSRequestorID": "peer-requestor", "threeDSRequestorName": "Peer shop",
        "threeDSRequestorURL": "https://shop.example", "threeDSServerRefNumber": "PEER-SERVER-0001",
        "threeDSServerOperatorID": "peer-operator", "threeDSServerURL": origin + "/3ds/server",
        "deviceChannel": elements.CHANNELS[channel],
        "messageCategory": command.get("category", "01"), "dsReferenceNumber": "PEER-DS-0001",
        "dsURL": origin + "/3ds/results", "threeDSRequestorAuthenticationInd": "01",
        "acctNumber": command["card"], "cardholderName": "Example Cardholder",
        "email": "cardholder@shop.example", "purchaseAmount": str(command.get("amount", "4711")),
        "purchaseCurrency": command.get("currency", "978"),
        "purchaseExponent": str(command.get("exponent", "2")),
        "purchaseDate": moment.strftime("%Y%m%d%H%M%S"), "transType": "01",
        "acquirerBIN": merchant["bin"], "acquirerMerchantID": merchant["id"],
        "mcc": merchant["mcc"], "merchantCountryCode": merchant["country"],
        "merchantName": merchant["name"],
    }
    if channel == "3ri":
        del message["threeDSRequestorAuthenticationInd"]
    if "expiry" in command:
        message["cardExpiryDate"] = command["expiry"]
    if version == "2.3.1":
        message |= {"acquirerCountryCode": merchant["country"], "acquirerCountryCodeSource": "01"}
    if channel == "app":
        return message | _app(version, key)
    return message | (_browser(version, world) if channel == "browser" else {"threeRIInd": "03"})


def _app(version: str, key) -> dict:
    templates = [f"{number:02}" for number in range(1, 8 if version == "2.3.1" else 6)]
    device = json.dumps(DEVICE, separators=(",", ":")).encode()
    members = {
        "sdkTransID": str(uuid.uuid4()), "sdkAppID": str(uuid.uuid4()),
        "deviceInfo": jose.encode(device), "sdkEphemPubKey": jose.public_jwk(key.public_key()),
        "sdkMaxTimeout": "05", "sdkReferenceNumber": SDK_REFERENCE,
        "deviceRenderOptions": {"sdkInterface": "03", "sdkUiType": templates},
    }
    if version == "2.3.1":
        members |= {"sdkType": "01", "defaultSdkType": {"sdkVariant": "01"}, "appIp": "192.0.2.7"}
    return members


def _browser(version: str, world: World) -> dict:
    members = {
        "threeDSCompInd": "Y", "browserAcceptHeader": "text/html", "browserIP": "192.0.2.7",
        "browserUserAgent": "Mozilla/5.0 (X11; Linux x86_64) Peer/1", "browserLanguage": "en-GB",
        "notificationURL": world.shop.url(shop.NOTIFICATION), "browserColorDepth": "24",
        "browserJavaEnabled": False, "browserScreenHeight": "1080", "browserScreenWidth": "1920",
        "browserTZ": "-60",
    }
    if version != "2.1.0":
        members["browserJavascriptEnabled"] = True
    if version == "2.3.1":
        members["acceptLanguage"] = ["en-GB", "en"]
    return members


def overridden(message: dict, overrides: dict) -> dict:
    """With other values of elements; null leaves an element out."""
    merged = message | overrides
    return {name: value for name, value in merged.items() if overrides.get(name, 0) is not None}


def written(message: dict, repeated: list[str]) -> bytes:
    """JSON, in which some members come twice."""
    members = [(name, message[name]) for name in list(message) + repeated]
    pairs = (f"{json.dumps(name)}:{json.dumps(value, ensure_ascii=False)}" for name, value in members)
    return ("{" + ",".join(pairs) + "}").encode()


def authenticate(world: World, command: dict) -> dict:
    """The command `areq`."""
    original = world.transaction(command["repeat"]) if "repeat" in command else None
    overrides = command.get("overrides", {})
    if original:
        message, key = overridden(original.request, overrides), original.sdk_key
    else:
        key = pki.elliptic_key()
        message = overridden(request(world, command, key), overrides)
    world.cards |= set(re.findall("[0-9]{12,}", str(message.get("acctNumber"))))
    is_same = original is not None and not overrides and not command.get("repeated")
    body = original.request_body if is_same else written(message, command.get("repeated", []))
    if "body" in command:
        body = command["body"].encode()
        message = _read(body)
    version = original.version if original else command.get("version", "2.2.0")
    if message.get("messageVersion") in elements.VERSIONS:
        version = message["messageVersion"]
    channel = elements.CHANNEL_NAMES.get(message.get("deviceChannel"), "3ri")
    transaction = Transaction(f"t{len(world.transactions) + 1}", version, channel, message, body, key)
    client = world.client
    if "client" in command:
        other = command["client"]
        client = transport.Client(client.authority, other.get("certificate"), other.get("key"))
    url, media_type = command.get("url", world.directories), command.get("type", JSON)
    timeout, is_equal = command.get("timeout", 10), True
    try:
        if command.get("twice"):
            response, is_equal = transport.send_twice(client, url, body, media_type, timeout)
        else:
            response = transport.send(client, "POST", url, body, media_type, timeout)
    except transport.Unreachable as failure:
        # The request may have arrived, so it can be repeated.
        world.transactions[transaction.handle] = transaction
        return {"kind": "unreachable", "reason": str(failure), "problems": [],
                "transaction": transaction.handle}
    result = _judged(world, transaction, response)
    if not is_equal:
        result["problems"].append("ARes: two equal AReqs at once got different responses")
    if is_same and original.response_body is not None:
        result["identical"] = response.body == original.response_body
        if result.get("ares") != original.response:
            result["problems"].append("ARes: it differs from the one to the same AReq")
    if original and result["kind"] == "ARes":
        # Both handles continue one challenge, with one pair of counters.
        transaction.secure = original.secure or transaction.secure
        transaction.visit = original.visit or transaction.visit
    world.transactions[transaction.handle] = transaction
    if command.get("show"):
        result["areq"] = message
    return result


def _read(body: bytes) -> dict:
    """The members of a text that a test wrote itself, as far as it is a message."""
    try:
        return jose.read_json(body)
    except jose.Malformed:
        return {}


def _judged(world: World, transaction: Transaction, response: transport.Response) -> dict:
    result = {"transaction": transaction.handle, "status": response.status,
              "seconds": round(response.seconds, 3), "length": len(response.body), "kind": "http"}
    message, problems = worlds.read_json_response(response, "ARes")
    result["problems"] = problems
    if message is None:
        if response.status != 200:
            # A refusal by HTTP has no form of its own.
            result["problems"] = []
        return result
    problems += world.card_problems(response.body, "ARes")
    kind = message.get("messageType")
    if kind == "Erro":
        problems += worlds.error_problems(
            world, transaction, response, message, knows_ids=False,
            knows_version=transaction.request.get("messageVersion") == transaction.version)
        problems += _missing_ids(transaction, message)
        return result | {"kind": "Erro", "erro": message}
    if response.status != 200:
        problems.append("ARes: the status is not 200")
    transaction.response, transaction.response_body = message, response.body
    problems += transaction.table_problems(message, "ARes")
    problems += _request_rules(transaction, message)
    problems += _uniqueness(world, transaction)
    problems += _status_rules(world, transaction, message)
    if transaction.channel == "app" and message.get("transStatus") == "C":
        problems += _open_channel(world, transaction)
    if transaction.channel == "browser" and message.get("transStatus") == "C":
        problems += _address_problems(world, message.get("acsURL"), "acsURL")
    return result | {"kind": "ARes", "ares": message}


def _missing_ids(transaction: Transaction, erro: dict) -> list[str]:
    """The Erro has the ids that the AReq had in their form."""
    sent = {name for name in elements.IDS if elements.SIMPLE["uuid"](transaction.request.get(name))}
    if erro.get("errorCode") in ("101", "204"):
        return []
    return [f"Erro: {name} is missing, although the AReq had it" for name in sorted(sent - set(erro))]


def _request_rules(transaction: Transaction, ares: dict) -> list[str]:
    """The ARes repeats elements of the AReq."""
    names = ["threeDSServerTransID", "dsTransID", "sdkTransID", "messageVersion"]
    names += ["dsReferenceNumber"]
    request = transaction.request
    found = [f"ARes: {name} differs from the AReq" for name in names
             if name in request and ares.get(name) != request[name]]
    others = {request.get(name) for name in elements.IDS}
    if ares.get("acsTransID") in others:
        found.append("ARes: acsTransID is an id of the AReq")
    return found


def _uniqueness(world: World, transaction: Transaction) -> list[str]:
    """An AReq with an id of its own starts a challenge of its own."""
    ids = transaction.ids()
    is_taken = any(other.response and other.ids().get("acsTransID") == ids.get("acsTransID")
                   and other.ids().get("dsTransID") != ids.get("dsTransID")
                   for other in world.transactions.values())
    return ["ARes: acsTransID is that of another AReq"] if is_taken else []


def _status_rules(world: World, transaction: Transaction, ares: dict) -> list[str]:
    status, request, found = ares.get("transStatus"), transaction.request, []
    wish = request.get("threeDSRequestorChallengeInd")
    wishes = wish if isinstance(wish, list) else [wish]
    if status == "C" and (request.get("deviceChannel") == "03" or "06" in wishes):
        found.append("ARes: transStatus C is not allowed for this channel or wish")
    if status == "D" and request.get("threeDSRequestorDecReqInd") not in ("Y", "F", "B"):
        found.append("ARes: transStatus D without a request for it")
    if status == "I" and not {"05", "06", "07"} & set(wishes):
        found.append("ARes: transStatus I without a request for it")
    if "authenticationValue" in ares and status not in ("Y", "A"):
        found.append("ARes: authenticationValue without Y or A")
    if world.eci and transaction.category == "01" and (status == "Y") != (ares.get("eci") == world.eci):
        found.append("ARes: eci does not agree with transStatus")
    if transaction.version == "2.3.1":
        return found
    if status in ("C", "D") and ares.get("authenticationType") != transaction.authentication_type:
        found.append(f"ARes: authenticationType is not {transaction.authentication_type}")
    rendering = ares.get("acsRenderingType")
    if status == "C" and isinstance(rendering, dict):
        options = request.get("deviceRenderOptions", {})
        if rendering.get("acsUiTemplate") not in options.get("sdkUiType", []):
            found.append("ARes: acsUiTemplate is not one of the device")
        if options.get("sdkInterface") not in ("03", rendering.get("acsInterface")):
            found.append("ARes: acsInterface is not one of the device")
    return found


def _address_problems(world: World, url, name: str) -> list[str]:
    if not isinstance(url, str) or not elements.is_url(url):
        return [f"ARes: {name} is not an https URL"]
    if not url.startswith(world.challenges.rstrip("/") + "/"):
        return [f"ARes: {name} is not below the ACS's address of challenges"]
    return []


def _open_channel(world: World, transaction: Transaction) -> list[str]:
    """Verifies acsSignedContent as an SDK does, and derives the keys."""
    token = transaction.response.get("acsSignedContent")
    if not isinstance(token, str):
        return ["ARes: acsSignedContent is missing"]
    try:
        content = jose.open_signed(token, world.root, world.now())
        theirs = jose.public_key(content.get("acsEphemPubKey", {}))
    except jose.Malformed as failure:
        return [f"acsSignedContent: {failure}"]
    found = [f"acsSignedContent: {name} is not expected" for name in
             sorted(set(content) - {"acsURL", "acsEphemPubKey", "sdkEphemPubKey"})]
    if content.get("sdkEphemPubKey") != jose.public_jwk(transaction.sdk_key.public_key()):
        found.append("acsSignedContent: sdkEphemPubKey is not the SDK's")
    if _address_problems(world, content.get("acsURL"), "acsURL"):
        return found + _address_problems(world, content.get("acsURL"), "acsURL")
    if any(other.secure and other.response["acsTransID"] != transaction.response.get("acsTransID")
           and other.secure.peer == content["acsEphemPubKey"] for other in world.transactions.values()):
        found.append("acsSignedContent: acsEphemPubKey is that of another challenge")
    reference = transaction.request.get("sdkReferenceNumber", "")
    key = jose.derived_key(transaction.sdk_key, theirs, reference)
    if not found:
        transaction.secure = Channel(key, content["acsURL"], content["acsEphemPubKey"])
    return found
