"""The canonical bytes of a transaction: docs/protocol/transactions.md."""

import re

from displayed import shown
from fields import Reader, identifier, require, sha256, utf8

EXPONENTS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
    2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD "
    "CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ "
    "GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL "
    "MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR "
    "PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT "
    "TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
CURRENCIES = {code: digits for digits, codes in EXPONENTS.items() for code in codes.split()}
CONTEXTS = {1: "payment", 2: "action", 3: "login"}
TYPES = {1: "consent", 2: "userPIN", 4: "biometric"}


def types(flags):
    require(0 < flags < 8)
    return [name for flag, name in TYPES.items() if flags & flag]


# MARK: Parts


def is_label(text):
    return re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", text) is not None


def is_host(text):
    return len(text) <= 253 and all(is_label(part) for part in text.split("."))


def return_url(text):
    """Scheme and host of an address that a person may be sent back to."""
    require(len(text.encode()) <= 500)
    parts = re.fullmatch(
        r"([^:]*)://([^/?]*)((?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)", text
    )
    require(parts)
    scheme, host = parts[1], parts[2]
    labels = scheme.split(".")
    is_own = len(labels) >= 2 and all(map(is_label, labels)) and not scheme[0].isdigit()
    require((scheme == "https" or is_own) and is_host(host))
    return scheme, host


def account_number(text):
    require(re.fullmatch(r"[A-Z0-9]{1,34}", text))
    if re.match(r"[A-Z]{2}[0-9]{2}", text):
        require(text[2:4] not in ("00", "01", "99"))
        digits = "".join(str(int(character, 36)) for character in text[4:] + text[:4])
        require(int(digits) % 97 == 1)
    return text


def by_four(text):
    return " ".join(text[place : place + 4] for place in range(0, len(text), 4))


def amount(reader):
    code = reader.take(3).decode("ascii", "replace")
    exponent = reader.number(1)
    require(CURRENCIES.get(code) == exponent)
    minor_units = reader.number()
    require(minor_units < 10**15)
    whole, fraction = divmod(minor_units, 10**exponent)
    written = "{:,}".format(whole).replace(",", " ")
    if exponent:
        written += "." + str(fraction).zfill(exponent)
    return [str(minor_units), code, "%s %s" % (written, code)]


def display_field(reader):
    return [shown(reader.text(), 40), shown(reader.text(), 200)]


def payee(reader):
    name = shown(reader.text(), 70)
    text = reader.text()
    if not text:
        return [name, shown(reader.text(), 120)]
    account = account_number(text)
    return [name, account, by_four(account)]


# MARK: The whole


def list_of(content, most, element):
    reader = Reader(content)
    count = reader.number(1)
    require(count <= most)
    elements = [element(reader) for _ in range(count)]
    reader.end()
    return elements


def moment(content):
    require(len(content) == 8 and content[0] < 0x80)
    return int.from_bytes(content, "big")


def one_byte(content):
    require(len(content) == 1)
    return content[0]


def transaction(canonical):
    require(len(canonical) <= 65536 and canonical[:5] == b"CSTX\x01")
    reader = Reader(canonical[5:])
    values = []
    for tag in range(1, 17):
        require(reader.number(1) == tag)
        values.append(reader.field())
    reader.end()
    result = {"hash_hex": sha256(canonical).hex()}
    names = ["enterprise", "id", "account_type", "account_id"]
    for name, value in zip(names, values):
        result[name] = identifier(utf8(value))
    context = one_byte(values[4])
    require(context in CONTEXTS)
    result["context"] = CONTEXTS[context]
    result["title"] = shown(utf8(values[5]), 100)
    result["fields"] = list_of(values[6], 20, display_field)
    result["amounts"] = list_of(values[7], 10, amount)
    result["payees"] = list_of(values[8], 100, payee)
    require(context != 1 or (result["amounts"] and result["payees"]))
    require(len(result["payees"]) == 1 or all(len(payee) == 3 for payee in result["payees"]))
    codes = [code for _, code, _ in result["amounts"]]
    require(len(set(codes)) == len(codes))
    if values[9]:
        result["reference"] = identifier(utf8(values[9]))
    if values[10]:
        return_url(utf8(values[10]))
        result["return_url"] = utf8(values[10])
    result["authentication"] = types(one_byte(values[11]))
    created, deadline = moment(values[12]), moment(values[13])
    require(created < deadline)
    result["created"], result["deadline"] = str(created), str(deadline)
    require(len(values[14]) == 8 and len(values[15]) == 16)
    result["epoch"] = str(int.from_bytes(values[14], "big"))
    result["nonce_hex"] = values[15].hex()
    return result


def transaction_case(case):
    return transaction(bytes.fromhex(case["canonical_hex"]))


# MARK: Policies for devices


def device_policy(content):
    """See docs/protocol/activation.md."""
    reader = Reader(content)
    require(reader.text(64) == "countersign device-policy 2")
    least, most = reader.number(1), reader.number(1)
    require(4 <= least <= most <= 12)
    authentication = types(reader.number(1))
    device = reader.number(1)
    require(1 <= device <= 3 and (device == 1 or "biometric" not in authentication))
    addresses = []
    while reader.offset < len(content):
        text = reader.text(500)
        require(text == "https://*" or "%s://%s" % return_url(text) == text)
        addresses.append(text)
    return {
        "minimum_digits": least,
        "maximum_digits": most,
        "authentication": authentication,
        "device": ["app", "web", "webWithPRF"][device - 1],
        "return_addresses": addresses,
    }


def device_policy_case(case):
    return device_policy(bytes.fromhex(case["policy_hex"]))


def is_port(text, standard):
    return re.fullmatch(r"[1-9][0-9]{0,4}", text) and int(text) < 65536 and int(text) != standard


def server_origin(text):
    """See docs/protocol/transport.md."""
    parts = re.fullmatch(r"(https?)://([^:]*)(?::(.*))?", text, re.DOTALL)
    require(parts and len(text.encode()) <= 300 and text.isascii())
    scheme, host, port = parts.groups()
    require(is_host(host) and (scheme == "https" or host in ("localhost", "127.0.0.1")))
    require(port is None or is_port(port, 443 if scheme == "https" else 80))
    return text
