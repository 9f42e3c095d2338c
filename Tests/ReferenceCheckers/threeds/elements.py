"""The data elements of the messages that an ACS sends: ARes, CRes, RReq and Erro.

`problems` compares a message with the table below. The table was written by hand from
docs/reference/threeds-elements.md, and shares no code with the programs.

A row has versions, a name, a form, and rules. The name of a member of an object has a point before it.
Versions: `*` all, `-2.2` up to 2.2.0, `2.2` this one, `2.2-` from 2.2.0.
Forms: see `Form`. Rules are separated by `;`, and the first rule for the channel and category counts.
A rule has scopes before a colon: app, brw, pa, npa. Without a matching rule, the element is unknown.

    R     required
    O     optional
    R?x   required if x holds, otherwise optional
    O?x   optional if x holds, otherwise refused
    C?x   required if x holds, otherwise refused

A condition: terms joined by `&`, alternatives joined by `|`; `a=1,2`, `a!=1`, `a` (present), `!a`.
"""
import base64
import binascii
import dataclasses
import functools
import ipaddress
import json
import re
import urllib.parse
import uuid

from threeds import jose

HEAD = """
*     messageType                   t4            R
*     messageVersion                version       R
"""
EXTENSIONS = """
-2.2  messageExtension              [1-10]obj:81920   O
2.3-  messageExtension              [1-15]obj:81920   O
*     messageExtension.name         t1-64         R
*     messageExtension.id           t1-64         R
*     messageExtension.criticalityIndicator  bool R
*     messageExtension.data         json:8059     R
"""
ALL_IDS = """
*     threeDSServerTransID          uuid          R
*     acsTransID                    uuid          R
*     dsTransID                     uuid          R
"""
TRUST = """
2.2   whiteListStatus               Y,N,E,P,R,U   O
2.2   whiteListStatusSource         01-03,80-99   R?whiteListStatus
2.3-  trustListStatus               Y,N,E,P,R,U   O
2.3-  trustListStatusSource         01-03,80-99   R?trustListStatus
2.3-  deviceBindingStatus           01-05,11-15,80-99  O
2.3-  deviceBindingStatusSource     01-03,80-99   R?deviceBindingStatus
"""
VERDICT = """
-2.1  transStatusReason             01-21,80-99   pa:R?transStatus=N,U,R;npa:O
2.2   transStatusReason             01-26,80-99   pa:R?transStatus=N,U,R;npa:O
2.3-  transStatusReason             01-30,80-99   pa:R?transStatus=N,U,R;npa:O
2.3-  transStatusReasonInfo         t1-256        O
-2.2  authenticationValue           bytes20       pa:R?transStatus=Y,A;npa:O
2.3-  authenticationValue           t1-4000       pa:R?transStatus=Y,A;npa:O
*     eci                           t2            O
"""
RENDERING = """
*     acsRenderingType.acsInterface    01-02      R
-2.2  acsRenderingType.acsUiTemplate   01-05      R
2.3-  acsRenderingType.acsUiTemplate   01-07      R
2.3-  acsRenderingType.deviceUserInterfaceMode  01-04  R
2.3-  cardholderInfo.text           t1-128        R
2.3-  cardholderInfo.issuerImage    url256        O
2.3-  cardholderInfo.paymentSystemImage  url256   O
"""
SPC_IMAGES = "".join(f"""
2.3-  spcTransData.{image}             obj:90000   O
2.3-  spcTransData.{image}.default     t1-30000    R
2.3-  spcTransData.{image}.dark        t1-30000    O
2.3-  spcTransData.{image}.monochrome  t1-30000    O
""" for image in ("issuerImageSpc", "psImageSpc"))
ARES = HEAD + EXTENSIONS + SPC_IMAGES + ALL_IDS + TRUST + VERDICT + RENDERING + """
*     sdkTransID                    uuid          app:R
*     dsReferenceNumber             t1-32         R
-2.2  broadInfo                     json:4096     O
2.3-  broadInfo                     obj:4096      O
2.3-  broadInfo.category            01-06,80-99   R
2.3-  broadInfo.description         t1-4000       O
2.3-  broadInfo.expDate             date8         O
2.3-  broadInfo.severity            01-04         R
2.3-  broadInfo.recipients          [1-3]01-04    R
2.3-  broadInfo.source              01-03         R
2.3-  cardSecurityCodeStatus        Y,N,U         O
2.3-  cardSecurityCodeStatusSource  01-02,80-99   R?cardSecurityCodeStatus
-2.1  transStatus                   Y,N,U,A,C,R   pa:R;npa:O
2.2   transStatus                   Y,N,U,A,C,D,R,I    pa:R;npa:O
2.3-  transStatus                   Y,N,U,A,C,D,R,I,S  pa:R;npa:O
-2.1  authenticationType            01-03,80-99   R?transStatus=C,D
2.2   authenticationType            01-04,80-99   R?transStatus=C,D
2.3-  authenticationMethod          [1-99]01-16,80-99  R?transStatus=C,D
2.3-  transChallengeExemption       05,08,10,11,79,80-99  O
*     acsReferenceNumber            t1-32         R
*     acsOperatorID                 t1-32         O
-2.1  acsChallengeMandated          Y,N           app:R?transStatus=C,D;brw:R?transStatus=C,D
2.2-  acsChallengeMandated          Y,N           R?transStatus=C,D
2.2-  acsDecConInd                  Y,N           R?transStatus=D
*     acsRenderingType              obj           app:R?transStatus=C
*     acsSignedContent              jws16000      app:R?transStatus=C
*     acsURL                        url2048       brw:R?transStatus=C
-2.1  cardholderInfo                t1-128        app:O;brw:O
2.2   cardholderInfo                t1-128        R?acsDecConInd=Y
2.3-  cardholderInfo                obj           R?acsDecConInd=Y
2.3-  threeDSRequestorAppURLInd     Y,N           app:R
2.3-  deviceInfoRecognisedVersion   t3-20         app:R
2.3-  spcTransData                  obj           brw:R?transStatus=S
2.3-  spcTransData.challenge        b64u43-100    R
2.3-  spcTransData.currency         t3            R
2.3-  spcTransData.displayName      t1-40         R
2.3-  spcTransData.icon             t1-4096       R
2.3-  spcTransData.timeout          t5-6          R
2.3-  spcTransData.value            t1-40         R
2.3-  spcTransData.challengeInfoText  t1-350      O
2.3-  spcTransData.payeeName        t1-40         R?!payeeOrigin
2.3-  spcTransData.payeeOrigin      url2048       R?!payeeName
2.3-  spcTransData.additionalData   json:90000    O
2.3-  spcTransData.extInd           Y             O
2.3-  webAuthnCredList              [1-10]obj     brw:R?transStatus=S
2.3-  webAuthnCredList.rpID         t1-2048       R
2.3-  webAuthnCredList.credentialIds  b64u16-1000  R
"""
ENTRY_BOX = "".join(f"""
2.3-  {box}.challengeDataEntryKeyboardType  01-02  O
2.3-  {box}.challengeDataEntryAutofill      Y      O
2.3-  {box}.challengeDataEntryAutofillType  01-02  R?challengeDataEntryAutofill=Y
2.3-  {box}.challengeDataEntryLengthMax     01-45  O
2.3-  {box}.challengeDataEntryLabel         t1-45  R
2.3-  {box}.challengeDataEntryMasking       Y,N    O
2.3-  {box}.challengeDataEntryToggle        Y,N    R?challengeDataEntryMasking=Y
""" for box in ("challengeEntryBox", "challengeEntryBoxTwo"))
IMAGES = "".join(f"""
-2.2  {image}                       obj           app:O
-2.2  {image}.medium                url2048       O
-2.2  {image}.high                  url2048       O
-2.2  {image}.extraHigh             url2048       O
2.3-  {image}                       obj:6144      app:O
2.3-  {image}.default               url6144       R
2.3-  {image}.dark                  url6144       O
2.3-  {image}.monochrome            url6144       O
""" for image in ("issuerImage", "psImage"))
CRES = HEAD + EXTENSIONS + ENTRY_BOX + IMAGES + """
*     threeDSServerTransID          uuid          R
*     acsTransID                    uuid          R
*     sdkTransID                    uuid          app:R
*     acsCounterAtoS                counter       app:R
*     challengeCompletionInd        Y,N           app:R
-2.2  acsUiType                     01-05,80-99   app:C?challengeCompletionInd!=Y
2.3-  acsUiType                     01-07,80-99   app:C?challengeCompletionInd!=Y
-2.2  transStatus                   Y,N           app+pa:C?challengeCompletionInd=Y;brw+pa:R;npa:O
2.3-  transStatus                   Y,N,D         app+pa:C?challengeCompletionInd=Y;brw+pa:R;npa:O
-2.2  acsHTML                       b64u1-102400  app:R?acsUiType=05
2.3-  acsHTML                       b64u1-300000  app:R?acsUiType=05,06
-2.2  acsHTMLRefresh                b64u1-102400  app:O
-2.2  challengeInfoHeader           t1-45         app:O
2.3-  challengeInfoHeader           t1-45         app:R?acsUiType=01,02,03,04,07
-2.2  challengeInfoText             t1-350        app:O
2.3-  challengeInfoText             t1-350        app:R?acsUiType=01,02,03,04,07
-2.2  challengeInfoLabel            t1-45         app:O
2.3-  challengeInfoLabel            t1-45         app:R?acsUiType=02,03
*     challengeInfoTextIndicator    Y,N           app:O
-2.2  challengeAddInfo              t1-256        app:O
*     expandInfoLabel               t1-45         app:O
*     expandInfoText                t1-256        app:O
*     whyInfoLabel                  t1-45         app:O
*     whyInfoText                   t1-256        app:O
2.2   whitelistingInfoText          t1-64         app:O
2.3-  trustListInfoText             t1-64         app:O
2.3-  deviceBindingInfoText         t1-64         app:O
2.3-  togglePositionInd             01            app:O
*     submitAuthenticationLabel     t1-45         app:R?acsUiType=01,02,03
*     resendInformationLabel        t1-45         app:O
-2.2  oobContinueLabel              t1-45         app:R?acsUiType=04
2.3-  oobContinueLabel              t1-45         app:R?acsUiType=04&!oobAppLabel
2.3-  oobAppLabel                   t1-45         app:O?acsUiType=04&oobAppURLInd=01
2.3-  oobAppURL                     url2048       app:O?acsUiType=06|oobAppLabel&oobAppURLInd=01
2.3-  infoContinueLabel             t1-45         app:R?acsUiType=07
2.3-  challengeAddLabel             t1-45         app:O
-2.2  challengeSelectInfo           [1-100]choice45  app:O
2.3-  challengeSelectInfo           [1-8]choice4  app:R?acsUiType=02,03
2.3-  challengeEntryBox             obj           app:R?acsUiType=01
2.3-  challengeEntryBoxTwo          obj           app:O?acsUiType=01
"""
RREQ = HEAD + EXTENSIONS + ALL_IDS + TRUST + VERDICT + RENDERING + """
-2.1  sdkTransID                    uuid          app:O
2.2-  sdkTransID                    uuid          app:R
*     messageCategory               01-02,80-99   R
-2.2  transStatus                   Y,N,U,A,R     pa:R;npa:O
2.3-  transStatus                   Y,N,U,A,D,R   pa:R;npa:O
-2.1  authenticationType            01-03,80-99   R?transStatus=Y,N
2.2   authenticationType            01-04,80-99   R?transStatus=Y,N
-2.2  authenticationMethod          01-11,80-99   O
2.3-  authenticationMethod          [1-99]01-16,80-99  R?transStatus=Y,N
-2.1  acsRenderingType              obj           app:R
2.2-  acsRenderingType              obj           app:R?acsDecConInd!=Y
2.3-  cardholderInfo                obj           O
-2.1  interactionCounter            t2            app:R;brw:R
2.2-  interactionCounter            t2            app:R?acsDecConInd!=Y;brw:R?acsDecConInd!=Y
2.3-  challengeErrorReporting       obj           app:R?challengeCancel=09,10;brw:R?challengeCancel=09,10
-2.1  challengeCancel               01,04-08,80-99     O
2.2   challengeCancel               01,03-08,80-99     O
2.3-  challengeCancel               01,03-10,80-99     O
2.3-  challengeErrorReporting.messageType           Erro     R
2.3-  challengeErrorReporting.messageVersion        version  R
2.3-  challengeErrorReporting.errorCode             t3       R
2.3-  challengeErrorReporting.errorComponent        C,S,D,A  R
2.3-  challengeErrorReporting.errorDescription      t1-2048  R
2.3-  challengeErrorReporting.errorDetail           t1-2048  R
2.3-  challengeErrorReporting.errorMessageType      t4       O
2.3-  challengeErrorReporting.threeDSServerTransID  uuid     O
2.3-  challengeErrorReporting.acsTransID            uuid     O
2.3-  challengeErrorReporting.dsTransID             uuid     O
2.3-  challengeErrorReporting.sdkTransID            uuid     O
"""
ERRO = HEAD + """
*     threeDSServerTransID          uuid          O
*     acsTransID                    uuid          O
*     dsTransID                     uuid          O
*     sdkTransID                    uuid          O
*     errorCode                     t3            R
*     errorComponent                C,S,D,A       R
*     errorDescription              t1-2048       R
*     errorDetail                   t1-2048       R
*     errorMessageType              t4            O
"""
MESSAGES = {"ARes": ARES, "CRes": CRES, "RReq": RREQ, "Erro": ERRO}
VERSIONS = ("2.1.0", "2.2.0", "2.3.1")
CHANNELS = {"app": "01", "browser": "02", "3ri": "03"}
CHANNEL_NAMES = {code: name for name, code in CHANNELS.items()}
SCOPES = {"app": "app", "browser": "brw"}
IDS = ("threeDSServerTransID", "acsTransID", "dsTransID", "sdkTransID")


@dataclasses.dataclass(frozen=True)
class Row:
    versions: str
    name: str
    form: str
    rules: str

    def is_of(self, version: str) -> bool:
        first, dash, last = self.versions.partition("-")
        if self.versions == "*":
            return True
        if not dash:
            return version.startswith(first)
        return version[:3] >= first if first else version[:3] <= last

    def rule(self, scopes: set[str]) -> str | None:
        for alternative in self.rules.split(";"):
            names, colon, rule = alternative.rpartition(":")
            if not colon or set(names.split("+")) <= scopes:
                return rule
        return None


@functools.cache
def rows(message_type: str, version: str) -> tuple[Row, ...]:
    lines = (line.split() for line in MESSAGES[message_type].splitlines() if line)
    return tuple(row for row in (Row(*line) for line in lines) if row.is_of(version))


def problems(message: dict, message_type: str, version: str, channel: str, category: str,
             facts: dict | None = None) -> list[str]:
    """The breaches of the table, without values of the message.

    `facts` are elements of earlier messages that conditions need."""
    scopes = {SCOPES.get(channel, "3ri"), "pa" if category == "01" else "npa"}
    table = rows(message_type, version)
    found = list(_in_object(message, "", table, scopes, facts or {}))
    if message.get("messageType") != message_type:
        found.append("messageType is wrong")
    if message.get("messageVersion") != version:
        found.append(f"messageVersion is not {version}")
    return [f"{message_type}: {problem}" for problem in found]


def _in_object(members: dict, prefix: str, table: tuple[Row, ...], scopes: set[str], facts: dict):
    known = {}
    for row in table:
        if row.name.rpartition(".")[0] == prefix.rstrip("."):
            rule = row.rule(scopes)
            if rule:
                known[row.name.rpartition(".")[2]] = row
                yield from _inclusion(members, row, rule, facts)
    for name, value in members.items():
        if name not in known:
            yield f"{prefix}{name} does not belong to this version, channel or category"
            continue
        yield from _value(value, known[name].name, known[name].form, table, scopes, facts)


def _inclusion(members: dict, row: Row, rule: str, facts: dict):
    name = row.name.rpartition(".")[2]
    kind, _, condition = rule.partition("?")
    holds = not condition or _holds(condition, members, facts)
    is_required = kind in "RC" and holds
    if is_required and name not in members:
        yield f"{row.name} is missing"
    if kind in ("C", "O") and not holds and name in members:
        yield f"{row.name} is present without its condition"


def _holds(condition: str, members: dict, facts: dict) -> bool:
    def one(term: str) -> bool:
        name, differs, excluded = term.partition("!=")
        if differs:
            return value(name) not in excluded.split(",")
        name, equals, values = term.partition("=")
        if equals:
            return value(name) in values.split(",")
        return value(term[1:]) is None if term.startswith("!") else value(term) is not None

    def value(name: str):
        return members.get(name, facts.get(name))

    return all(any(map(one, term.split("|"))) for term in condition.split("&"))


def _value(value, name: str, form: str, table: tuple[Row, ...], scopes: set[str], facts: dict):
    listed = re.fullmatch(r"\[(\d+)-(\d+)\](.*)", form)
    if listed:
        smallest, largest, form = int(listed[1]), int(listed[2]), listed[3]
        if not isinstance(value, list) or not smallest <= len(value) <= largest:
            yield f"{name} is not a list of {smallest} to {largest}"
            return
        if form.startswith("obj") and not _has_form(value, form.replace("obj", "any")):
            yield f"{name} is too long"
        for item in value:
            yield from _value(item, name, form.split(":")[0], table, scopes, facts)
        return
    if not _has_form(value, form):
        yield f"{name} has the wrong form"
    elif form.startswith("obj"):
        yield from _in_object(value, name + ".", table, scopes, facts)


def _has_form(value, form: str) -> bool:
    """`t1-45` text, `d2` digits, `url256`, `b64u1-9` base64url, `choice45` one key and text,
    `obj:9` an object with rows for its members, `json:9` any object, or a list of codes."""
    word = re.match("[a-z]*", form)[0]
    if form in SIMPLE:
        return SIMPLE[form](value)
    if word in ("obj", "json", "any"):
        longest = form.partition(":")[2]
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        is_type = word == "any" or isinstance(value, dict)
        return is_type and (not longest or len(text.encode()) <= int(longest))
    if word.startswith("choice"):
        return _is_choice(value, int(form.removeprefix("choice")))
    if not isinstance(value, str):
        return False
    if word in ("t", "d"):
        shortest, _, longest = form[1:].partition("-")
        is_long = int(shortest) <= len(value) <= int(longest or shortest)
        return is_long and (word == "t" or re.fullmatch("[0-9]+", value) is not None)
    if word.startswith("url"):
        return len(value) <= int(form.removeprefix("url")) and is_url(value)
    if form.startswith("b64u"):
        shortest, _, longest = form.removeprefix("b64u").partition("-")
        return int(shortest) <= len(value) <= int(longest) and _is_base64url(value)
    return value in _codes(form)


def _codes(form: str) -> set[str]:
    codes = set()
    for part in form.split(","):
        first, dash, last = part.partition("-")
        numbers = range(int(first), int(last) + 1) if dash else []
        codes |= {f"{number:02}" for number in numbers} or {first}
    return codes


def _is_uuid(value) -> bool:
    try:
        return isinstance(value, str) and str(uuid.UUID(value)) == value.lower()
    except ValueError:
        return False


def _is_twenty_bytes(value) -> bool:
    try:
        return isinstance(value, str) and len(value) == 28 and len(
            base64.b64decode(value, validate=True)) == 20
    except binascii.Error:
        return False


def _is_base64url(value: str) -> bool:
    try:
        jose.decode(value)
        return True
    except jose.Malformed:
        return False


def _is_signed(value) -> bool:
    return isinstance(value, str) and len(value) <= 16000 and re.fullmatch(
        r"[\w-]+\.[\w-]+\.[\w-]+", value, re.ASCII) is not None


def _is_choice(value, longest_key: int) -> bool:
    return isinstance(value, dict) and len(value) == 1 and all(
        isinstance(text, str) and 0 < len(key) <= longest_key and 0 < len(text) <= 45
        for key, text in value.items())


def is_url(value: str) -> bool:
    """An absolute https URL; http only for this machine."""
    try:
        url = urllib.parse.urlsplit(value)
        host = url.hostname
    except ValueError:
        return False
    if not host or re.search(r"[\x00-\x20\x7f]", value):
        return False
    return url.scheme == "https" or url.scheme == "http" and is_loopback(host)


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _matches(pattern: str):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


SIMPLE = {
    "uuid": _is_uuid,
    "version": lambda value: value in VERSIONS,
    "bool": lambda value: isinstance(value, bool),
    "bytes20": _is_twenty_bytes,
    "jws16000": _is_signed,
    "counter": lambda value: _matches("[0-9]{3}")(value) and int(value) <= 255,
    "date8": _matches("[0-9]{8}"),
}
