"""The browser's side of a challenge and of the 3DS Method, without JavaScript."""
import json
import re
import secrets
import urllib.parse

from threeds import authentication, elements, jose, pages, shop, transport, world as worlds
from threeds.world import BadCommand, Transaction, Visit, World

PRESSED = ("continue", "again", "cancel")
SESSION = 'peer session "%s" <&> \u00e6 + %%20'


def browse(world: World, command: dict) -> dict:
    """The command `browser`."""
    transaction = world.transaction(command["transaction"])
    if not (transaction.response or {}).get("acsURL"):
        raise BadCommand("the transaction does not have an acsURL")
    action, timeout = command.get("action", "show"), command.get("timeout", 40)
    if action == "open":
        transaction.visit = transaction.visit or _visit(transaction, command)
        return _posted(world, transaction, transaction.visit.creq, command, timeout)
    visit = transaction.visit
    if not visit:
        raise BadCommand("the browser did not open the challenge")
    if action == "repeat":
        return _posted(world, transaction, visit.creq, command, timeout)
    if action == "altered":
        creq = _creq(transaction, command) | {"challengeWindowSize": "01"}
        return _posted(world, transaction, _encoded(creq), command, timeout)
    if action == "garbage":
        return _posted(world, transaction, "!" + visit.creq, command, timeout)
    if not visit.page or not visit.address:
        raise BadCommand("the browser has no page")
    if action == "show":
        return _followed(world, transaction, "GET", visit.address, [], command, timeout)
    if action == "state":
        return _state(world, visit, command, timeout)
    if action in PRESSED or action == "foreign":
        return _press(world, transaction, command, timeout)
    raise BadCommand(f"unknown action {action}")


def offer(world: World, command: dict) -> dict:
    """The command `offer`: an AReq must come right before the CReq, so the button sends both."""
    def order() -> shop.Form | None:
        result = authentication.authenticate(world, command | {"channel": "browser"})
        if result.get("ares", {}).get("transStatus") != "C":
            return None
        transaction = world.transaction(result["transaction"])
        transaction.visit = _visit(transaction, {"window": command.get("frame") or "05"} | command)
        fields = [("creq", transaction.visit.creq), ("threeDSSessionData", transaction.visit.session)]
        return shop.Form(transaction.response["acsURL"], fields)

    checkout = shop.Checkout(
        command.get("price", shop.Checkout.price), command.get("frame"),
        command.get("automatic", True), command.get("end"), command.get("rights"))
    return {"address": world.shop.offer(checkout, order), "problems": []}


def posted(world: World, transaction: Transaction) -> dict:
    """The posts of a real browser to notificationURL, which must agree with the RReq."""
    found: list[str] = []
    results = []
    for post in list(world.shop.posts):
        message = _message(post, [])
        if message and message.get("acsTransID") == transaction.ids().get("acsTransID"):
            results.append(_received(world, transaction, post, found) | {
                "path": post.path, "names": [name for name, _ in post.fields],
                "moment": post.moment})
    return {"posts": results, "problems": found}


def _creq(transaction: Transaction, command: dict) -> dict:
    known = transaction.ids()
    message = {
        "messageType": "CReq", "messageVersion": transaction.version,
        "threeDSServerTransID": known["threeDSServerTransID"], "acsTransID": known["acsTransID"],
        "challengeWindowSize": command.get("window", "05"),
    }
    merged = message | command.get("overrides", {})
    return {name: value for name, value in merged.items() if value is not None}


def _encoded(message: dict) -> str:
    return jose.encode(json.dumps(message, ensure_ascii=False).encode())


def _visit(transaction: Transaction, command: dict) -> Visit:
    text = command.get("session", SESSION % secrets.token_hex(8))
    session = None if text is None else jose.encode(text.encode())
    return Visit(_encoded(_creq(transaction, command)), session)


def _posted(world: World, transaction: Transaction, creq: str, command: dict, timeout: float) -> dict:
    fields = [("creq", creq)]
    session = transaction.visit.session
    if session is not None and command.get("session", True) is not None:
        fields.append(("threeDSSessionData", session))
    return _followed(
        world, transaction, "POST", transaction.response["acsURL"], fields, command, timeout)


def _press(world: World, transaction: Transaction, command: dict, timeout: float) -> dict:
    """Presses a button of the page that was shown last; `foreign` has another token than the page."""
    page, action = transaction.visit.page, command["action"]
    form = page.form(command.get("button", "cancel") if action == "foreign" else action)
    if not form:
        return {"kind": "page", "missing": action, "over": False, "problems": []}
    fields = list(form.fields)
    if action == "foreign":
        fields = [(name, "A" * len(value)) for name, value in fields]
    result = _followed(world, transaction, "POST", form.action, fields, command, timeout)
    if form.method != "post":
        result["problems"].append("page: a form does not use POST")
    return result


def _state(world: World, visit: Visit, command: dict, timeout: float) -> dict:
    path = visit.address.partition("?")[0]
    url = f"{path}/state?wait={command.get('wait', 0)}"
    try:
        response = transport.send(world.browser, "GET", url, timeout=timeout)
    except transport.Unreachable as failure:
        return {"kind": "unreachable", "reason": str(failure), "problems": []}
    result = {"kind": "state", "status": response.status, "seconds": round(response.seconds, 3),
              "body": response.body.decode(errors="replace"), "problems": []}
    result["problems"] += world.card_problems(response.body, "state")
    if response.status == 200:
        content, problems = worlds.read_json_response(response, "state")
        result["problems"] += problems
        result["state"] = (content or {}).get("state")
    return result


def _followed(world: World, transaction: Transaction, method: str, url: str,
              fields: list[tuple[str, str]], command: dict, timeout: float) -> dict:
    """Follows 303, and looks at the page at the end."""
    found: list[str] = []
    try:
        if method == "POST":
            response = transport.send_form(world.browser, url, fields, timeout)
        else:
            response = transport.send(world.browser, "GET", url, timeout=timeout)
        redirects = []
        while response.status in range(300, 400) and len(redirects) < 5:
            if response.status != 303:
                found.append("page: a redirect is not 303")
            if response.header("set-cookie"):
                found.append("page: a redirect sets a cookie")
            target = urllib.parse.urljoin(url, response.header("location") or "")
            found += _target_problems(world, transaction, url, target)
            redirects.append(response.status)
            url = target
            response = transport.send(world.browser, "GET", url, timeout=timeout)
    except transport.Unreachable as failure:
        return {"kind": "unreachable", "reason": str(failure), "problems": found}
    if redirects and response.status == 200:
        transaction.visit.address = url
    return _looked(world, transaction, response, url, redirects, command, found)


def _target_problems(world: World, transaction: Transaction, before: str, target: str) -> list[str]:
    found, known = [], transaction.ids()
    if urllib.parse.urlsplit(target)[:2] != urllib.parse.urlsplit(before)[:2]:
        found.append("page: a redirect leaves the ACS")
    found += world.card_problems(target, "page")
    if any(value in target for value in known.values()):
        found.append("page: its address has an id of the transaction")
    handle = re.search(r"/3ds/page/([A-Za-z0-9_-]+)", target)
    if not handle or len(handle[1]) < 22:
        found.append("page: its address does not have a handle of 128 bits")
    return found


def _looked(world: World, transaction: Transaction, response: transport.Response, url: str,
            redirects: list[int], command: dict, found: list[str]) -> dict:
    text = response.body.decode(errors="replace")
    page = pages.Page(text, url)
    result = _described(page, response)
    result |= {"redirects": redirects, "address": url, "over": False}
    found += world.card_problems(response.body, "page")
    last = page.form_with("cres", "erro")
    if response.status == 200:
        if url == transaction.visit.address:
            transaction.visit.page = page
        elif not last:
            found.append("page: a POST got a page instead of 303")
        headers = {name.lower(): value for name, value in response.headers}
        found += pages.problems(page, headers, is_last=last is not None)
        if not page.title or not page.language:
            found.append("page: it has no title or language")
    if last and not command.get("hold"):
        result |= _finish(world, transaction, last, found)
    result["problems"] = found
    return result


def _described(page: pages.Page, response: transport.Response) -> dict:
    return {
        "kind": "page", "status": response.status, "seconds": round(response.seconds, 3),
        "title": page.title, "language": page.language, "texts": page.texts,
        "refresh": pages.refresh_seconds(page), "length": len(response.body),
        "forms": [{"action": form.action, "method": form.method, "buttons": form.buttons,
                   "fields": [name for name, _ in form.fields]} for form in page.forms],
        "headers": {name.lower(): value for name, value in response.headers},
    }


def _finish(world: World, transaction: Transaction, form: pages.Form, found: list[str]) -> dict:
    """Posts the last form to the shop, and reads what the shop got."""
    expected = transaction.request.get("notificationURL")
    if form.action != expected or form.method != "post":
        found.append("page: the last form does not post to notificationURL")
        return {}
    before = len(world.shop.posts)
    if urllib.parse.urlsplit(form.action).port != world.shop.port:
        raise BadCommand("notificationURL is not the shop of the peer")
    transport.send_form(world.browser, form.action, form.fields)
    return {"over": True} | _received(world, transaction, world.shop.posts[before], found)


def _received(world: World, transaction: Transaction, post: shop.Post, found: list[str]) -> dict:
    """The session and the message of a post, and their breaches."""
    session = post.value("threeDSSessionData")
    is_same = session == transaction.visit.session
    if not is_same:
        found.append("page: threeDSSessionData differs from the one that was sent")
    result = {"session": {"sent": transaction.visit.session, "returned": session,
                          "identical": is_same}}
    message = _message(post, found)
    if not message:
        return result
    found += _verdict_problems(world, transaction, message)
    name = "erro" if message.get("messageType") == "Erro" else "cres"
    return result | {name: message}


def _message(post: shop.Post, found: list[str]) -> dict | None:
    try:
        return jose.read_json(jose.decode(post.value("cres") or post.value("erro") or ""))
    except jose.Malformed as failure:
        found.append(f"cres: {failure}")
        return None


def _verdict_problems(world: World, transaction: Transaction, message: dict) -> list[str]:
    text = json.dumps(message, ensure_ascii=False)
    found = world.card_problems(text, "cres") + transaction.id_problems(message, "cres")
    if message.get("messageType") == "Erro":
        return found + transaction.table_problems(message, "Erro")
    # Before 2.3.1, the browser's CRes may have an element that the table gives to apps only.
    rest = dict(message)
    if transaction.version != "2.3.1" and rest.pop("challengeCompletionInd", "Y") != "Y":
        found.append("CRes: challengeCompletionInd is not Y")
    previous = transaction.final
    if previous and previous.get("transStatus") != message.get("transStatus"):
        found.append("CRes: another transStatus than before")
    return found + transaction.table_problems(rest, "CRes") + world.final_problems(
        transaction, message)


def method(world: World, command: dict) -> dict:
    """The command `method`: the form of the 3DS Method, and the form that comes back."""
    server_id = command.get("threeDSServerTransID", "00000000-0000-4000-8000-000000000000")
    data = {"threeDSServerTransID": server_id,
            "threeDSMethodNotificationURL": world.shop.url(shop.METHOD)}
    data = {name: value for name, value in (data | command.get("overrides", {})).items()
            if value is not None}
    encoded = command.get("data") or _encoded(data)
    response = transport.send_form(world.browser, world.method, [("threeDSMethodData", encoded)])
    page = pages.Page(response.body.decode(errors="replace"), world.method)
    result, found = _described(page, response) | {"completed": False}, []
    result["problems"] = found
    form = page.form_with("threeDSMethodData")
    if not form:
        return result
    if form.action != data.get("threeDSMethodNotificationURL") or form.method != "post":
        found.append("method: the form does not post to threeDSMethodNotificationURL")
        return result
    headers = {name.lower(): value for name, value in response.headers}
    found += pages.problems(page, headers, is_last=True)
    try:
        returned = jose.read_json(jose.decode(form.value("threeDSMethodData")))
    except jose.Malformed as failure:
        found.append(f"method: {failure}")
        return result
    if returned != {"threeDSServerTransID": server_id}:
        found.append("method: threeDSMethodData is not the threeDSServerTransID alone")
    if elements.is_loopback(urllib.parse.urlsplit(form.action).hostname or ""):
        transport.send_form(world.browser, form.action, form.fields)
    return result | {"completed": True}
