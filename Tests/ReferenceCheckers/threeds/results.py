"""Checks the RReqs that the ACS sent, and its error messages about the responses."""
import time
import urllib.parse

from threeds import directory
from threeds.world import Transaction, World

# Out of band: a PIN, biometrics, and a plain confirmation by push.
OUT_OF_BAND_METHODS = {"07", "09", "11"}


def report(world: World, command: dict) -> dict:
    """The command `results`."""
    wanted, count = command.get("transaction"), command.get("count", 1)
    ids = _ids(world.transaction(wanted)) if wanted else None

    def is_enough(arrivals: list[directory.Arrival]) -> bool:
        return sum(_belongs(one, ids) for one in arrivals) >= count

    world.directory.wait(command.get("wait", 0), is_enough)
    arrivals, errors = list(world.directory.arrivals), list(world.directory.errors)
    grouped: dict[str, list[directory.Arrival]] = {}
    unknown, problems = [], []
    for arrival in arrivals:
        handle = _handle(world, arrival)
        if wanted and handle != wanted:
            continue
        if handle:
            grouped.setdefault(handle, []).append(arrival)
        else:
            unknown.append(_described(arrival))
            problems.append("RReq: it belongs to no transaction")
    results = {}
    for handle, group in grouped.items():
        transaction = world.transactions[handle]
        found = list(dict.fromkeys(
            problem for one in group for problem in _arrival_problems(world, transaction, one)))
        found += _group_problems(group, command.get("repeatable", False))
        results[handle] = {"count": len(group), "results": [_described(one) for one in group],
                           "problems": found}
        problems += [f"{handle}: {problem}" for problem in found]
    errors = [one for one in errors if not wanted or _handle(world, one) == wanted]
    for one in errors:
        problems += _error_problems(world, one)
    return {"count": sum(map(len, grouped.values())), "results": results, "unknown": unknown,
            "errors": [one.message for one in errors],
            "failedConnections": world.directory.failed_connections, "problems": problems}


def _ids(transaction: Transaction) -> str | None:
    return transaction.ids().get("acsTransID")


def _belongs(arrival: directory.Arrival, acs_id: str | None) -> bool:
    return acs_id is None or (arrival.message or {}).get("acsTransID") == acs_id


def _handle(world: World, arrival: directory.Arrival) -> str | None:
    acs_id = (arrival.message or {}).get("acsTransID")
    return next((handle for handle, one in list(world.transactions.items())
                 if acs_id and _ids(one) == acs_id), None)


def _described(arrival: directory.Arrival) -> dict:
    return {"rreq": arrival.message, "mode": arrival.mode, "client": arrival.client,
            "path": arrival.path, "age": round(time.monotonic() - arrival.moment, 3)}


def _group_problems(group: list[directory.Arrival], is_repeatable: bool) -> list[str]:
    """An ACS that was killed may not know of an RRes, and may send an RReq again."""
    found = []
    for earlier, later in zip(group, group[1:]):
        if earlier.message != later.message:
            found.append("RReq: a second one differs from the first")
        if earlier.was_accepted and not is_repeatable:
            found.append("RReq: it was sent again after its RRes")
    return list(dict.fromkeys(found))


def _error_problems(world: World, arrival: directory.Arrival) -> list[str]:
    handle, erro = _handle(world, arrival), arrival.message
    if not handle:
        return ["Erro: it belongs to no transaction"]
    transaction = world.transactions[handle]
    found = transaction.table_problems(erro, "Erro")
    found += transaction.id_problems(erro, "Erro", required=True)
    found += world.card_problems(arrival.body, "Erro")
    if erro.get("errorComponent") != "A":
        found.append("Erro: errorComponent is not A")
    if erro.get("messageVersion") != transaction.version:
        found.append("Erro: messageVersion differs from the AReq")
    return found


def _arrival_problems(world: World, transaction: Transaction, arrival: directory.Arrival) -> list[str]:
    rreq, ares = arrival.message, transaction.response
    facts = {"acsDecConInd": ares.get("acsDecConInd")}
    found = transaction.table_problems(rreq, "RReq", facts)
    found += transaction.id_problems(rreq, "RReq", required=transaction.version != "2.1.0")
    found += world.card_problems(arrival.body, "RReq")
    if arrival.media_type != "application/json":
        found.append("RReq: the content type is not application/json")
    if arrival.path != _expected_path(world, transaction):
        found.append("RReq: it was not sent to the address of results")
    if ares.get("transStatus") not in ("C", "D"):
        found.append("RReq: the ARes promised no challenge")
    for name in ("messageCategory", "messageVersion"):
        if rreq.get(name) != transaction.request.get(name):
            found.append(f"RReq: {name} differs from the AReq")
    if "acsRenderingType" in rreq and rreq["acsRenderingType"] != ares.get("acsRenderingType"):
        found.append("RReq: acsRenderingType differs from the ARes")
    return found + _status_problems(world, transaction, rreq)


def _expected_path(world: World, transaction: Transaction) -> str:
    """That of dsURL, if it is one of the same server."""
    url = urllib.parse.urlsplit(transaction.request.get("dsURL") or "")
    if (url.scheme, url.netloc) != ("https", f"127.0.0.1:{world.directory.port}"):
        return world.results_path
    return url.path + ("?" + url.query if url.query else "")


def _status_problems(world: World, transaction: Transaction, rreq: dict) -> list[str]:
    status, found = rreq.get("transStatus"), []
    is_payment = transaction.category == "01"
    if "authenticationValue" in rreq and status not in ("Y", "A"):
        found.append("RReq: authenticationValue without Y or A")
    if status == "Y" and "transStatusReason" in rreq:
        found.append("RReq: transStatusReason with Y")
    if status == "Y" and is_payment and world.eci and rreq.get("eci") != world.eci:
        found.append("RReq: eci is not that of an authentication")
    if status != "Y" and world.eci and rreq.get("eci") == world.eci:
        found.append("RReq: eci is that of an authentication without Y")
    if status in ("Y", "N") and transaction.version != "2.3.1":
        if rreq.get("authenticationType") != transaction.authentication_type:
            found.append(f"RReq: authenticationType is not {transaction.authentication_type}")
    methods = rreq.get("authenticationMethod", [])
    methods = methods if isinstance(methods, list) else [methods]
    if status == "Y" and not set(methods) - {"12"} <= OUT_OF_BAND_METHODS:
        found.append("RReq: authenticationMethod is none of an approval")
    if status in ("Y", "N") and transaction.version == "2.3.1":
        if ("12" in methods) != transaction.is_decoupled:
            found.append("RReq: authenticationMethod does not state whether it is decoupled")
    counter = rreq.get("interactionCounter")
    if status == "Y" and not transaction.is_decoupled and counter != "01":
        found.append("RReq: interactionCounter is not 01 after an approval")
    if rreq.get("transStatusReason") == "14" and counter not in (None, "00"):
        found.append("RReq: interactionCounter is not 00 without a verdict")
    return found
