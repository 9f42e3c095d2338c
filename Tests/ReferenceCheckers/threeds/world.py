"""Everything that the commands share: the ACS's addresses, the listeners, and the transactions."""
import dataclasses
import hashlib
import time

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from threeds import directory, elements, jose, pages, shop, transport


class BadCommand(Exception):
    """A command that the peer cannot run; its text has no data of a card."""


@dataclasses.dataclass
class Channel:
    """The SDK's half of a secure channel."""
    key: bytes
    url: str
    peer: dict
    cipher: str | None = None
    sent: int = 0
    received: int = 0
    # Sent without a response: `repeat` sends it again.
    pending: bytes | None = None
    last_request: bytes | None = None
    last_response: bytes | None = None
    shown_template: str | None = None


@dataclasses.dataclass
class Visit:
    """A browser in a challenge."""
    creq: str
    session: str | None
    address: str | None = None
    page: pages.Page | None = None


@dataclasses.dataclass
class Transaction:
    handle: str
    version: str
    channel: str
    request: dict
    request_body: bytes
    sdk_key: ec.EllipticCurvePrivateKey | None
    response: dict | None = None
    response_body: bytes | None = None
    secure: Channel | None = None
    visit: Visit | None = None
    final: dict | None = None

    @property
    def category(self) -> str:
        return self.request.get("messageCategory", "01")

    @property
    def is_decoupled(self) -> bool:
        return (self.response or {}).get("transStatus") == "D"

    @property
    def authentication_type(self) -> str:
        """Decoupled (04) has a value of its own; every other approval is out of band (03)."""
        return "04" if self.is_decoupled else "03"

    def table_problems(self, message: dict, kind: str, facts: dict | None = None) -> list[str]:
        return elements.problems(
            message, kind, self.version, self.channel, self.category, facts)

    def ids(self) -> dict[str, str]:
        """The ids that both sides know."""
        known = {**self.request, **(self.response or {})}
        return {name: known[name] for name in elements.IDS if name in known}

    def id_problems(self, message: dict, kind: str, required: bool = False) -> list[str]:
        found = []
        for name, value in self.ids().items():
            if name in message and message[name] != value:
                found.append(f"{kind}: {name} is not the transaction's")
            if required and name not in message:
                found.append(f"{kind}: {name} is missing, although it is known")
        return found


@dataclasses.dataclass
class World:
    directories: str
    challenges: str
    method: str
    client: transport.Client
    browser: transport.Client
    root: x509.Certificate
    directory: directory.Directory
    shop: shop.Shop
    eci: str | None
    results_path: str
    transactions: dict[str, Transaction] = dataclasses.field(default_factory=dict)
    cards: set[str] = dataclasses.field(default_factory=set)
    nonces: dict[tuple[bytes, bytes], bytes] = dataclasses.field(default_factory=dict)

    def now(self) -> float:
        return time.time()

    def transaction(self, handle: str) -> Transaction:
        if handle not in self.transactions:
            raise BadCommand(f"unknown transaction {handle}")
        return self.transactions[handle]

    def card_problems(self, text: bytes | str, place: str) -> list[str]:
        """A card number must not come back from the ACS."""
        text = text.decode(errors="replace") if isinstance(text, bytes) else text
        return [f"{place} has a card number"] if any(card in text for card in self.cards) else []

    def nonce_problems(self, key: bytes, nonce: bytes, token: str) -> list[str]:
        """One nonce under one key may encrypt only one text."""
        name, digest = (hashlib.sha256(key).digest(), nonce), hashlib.sha256(token.encode()).digest()
        if self.nonces.setdefault(name, digest) != digest:
            return ["CRes: A NONCE REPEATS with other bytes under one key"]
        return []

    def verdicts(self, transaction: Transaction) -> list[dict]:
        """The RReqs of a transaction that can be read, in their order."""
        wanted = transaction.ids().get("acsTransID")
        return [one.message for one in list(self.directory.arrivals)
                if one.message and one.message.get("acsTransID") == wanted]

    def final_problems(self, transaction: Transaction, final: dict) -> list[str]:
        """The RReq comes before the final CRes, and both have one verdict."""
        transaction.final = final
        allowed = {"messageType", "messageVersion", "threeDSServerTransID", "acsTransID",
                   "transStatus", "messageExtension"}
        if transaction.channel == "app":
            allowed |= {"sdkTransID", "acsCounterAtoS", "challengeCompletionInd"}
        elif transaction.version != "2.3.1":
            allowed |= {"challengeCompletionInd"}
        found = [f"CRes: {name} is in a final CRes" for name in sorted(set(final) - allowed)]
        verdicts = self.verdicts(transaction)
        if not verdicts:
            found.append("CRes: it is final, but no RReq came before it")
        elif (final.get("transStatus") == "Y") != (verdicts[0].get("transStatus") == "Y"):
            found.append("CRes: transStatus does not agree with the RReq")
        return found


def error_problems(world: World, transaction: Transaction, response: transport.Response,
                   erro: dict, knows_ids: bool, knows_version: bool = True) -> list[str]:
    """The breaches of an Erro that the ACS sent.

    An ACS that cannot read a message knows no version of it, and may use any."""
    version = erro.get("messageVersion")
    if knows_version or version not in elements.VERSIONS:
        version = transaction.version
    found = elements.problems(erro, "Erro", version, transaction.channel, transaction.category)
    found += transaction.id_problems(erro, "Erro", required=knows_ids)
    found += world.card_problems(response.body, "Erro")
    if erro.get("errorComponent") != "A":
        found.append("Erro: errorComponent is not A")
    return found


def read_json_response(response: transport.Response, expected: str) -> tuple[dict | None, list[str]]:
    """The object in a response of JSON, and the breaches of the form."""
    found = []
    if response.media_type != "application/json":
        found.append(f"{expected}: the content type is not application/json")
    try:
        return jose.read_json(response.body), found
    except jose.Malformed as failure:
        return None, found + [f"{expected}: {failure}"]
