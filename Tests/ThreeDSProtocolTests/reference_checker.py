"""Judges EMV 3-D Secure messages by its own table of data elements.

Reads one case in JSON a line: the message's text, the receiver, the version that the transaction has,
and what earlier messages decided. Writes `ok`, or the error's code and the names of its elements.
It shares no code and no table with the program: both were written from the same facts.
"""
import calendar
import ipaddress
import json
import re
import sys
import unicodedata

TWO_ONE, TWO_TWO, TWO_THREE = "2.1.0", "2.2.0", "2.3.1"

# Permitted values: `+` adds 80 to 99 and reserves the rest, `~` reserves the rest, `.` closes the list.
ELEMENTS = """
messageType t4
messageVersion ver
threeDSServerTransID acsTransID dsTransID sdkTransID sdkAppID uuid
threeDSMethodId uuid >2.3
messageExtension arr1-10:81920:o:extension <2.3
messageExtension arr1-15:81920:o:extension >2.3
errorCode t3
errorComponent C,S,D,A.
errorDescription errorDetail t1-2048
errorMessageType t4
threeDSRequestorID acquirerMerchantID t1-35
threeDSRequestorName merchantName t1-40
threeDSRequestorURL threeDSServerURL dsURL web2048
acsURL url2048
payeeOrigin cardRangeDataFileURL url2048 >2.3
threeDSServerRefNumber threeDSServerOperatorID dsReferenceNumber acsReferenceNumber t1-32
acsOperatorID sdkReferenceNumber t1-32
notificationURL url256
deviceChannel 1-3+
messageCategory 1-2+
threeDSCompInd Y,N,U.
broadInfo any4096 <2.3
broadInfo o4096:broadcast >2.3
threeDSRequestorAuthenticationInd 1-6+ <2.3
threeDSRequestorAuthenticationInd 1-10+ >2.3
threeDSRequestorAuthenticationInfo o:requestor <2.3
threeDSRequestorAuthenticationInfo arr1-3::o:requestor >2.3
threeDSRequestorPriorAuthenticationInfo o:prior <2.3
threeDSRequestorPriorAuthenticationInfo arr1-3::o:prior >2.3
threeDSReqAuthMethodInd 1-3+ =2.2
threeDSRequestorChallengeInd 1-4+ =2.1
threeDSRequestorChallengeInd 1-9+ =2.2
threeDSRequestorChallengeInd arr1-2::1-14+ >2.3
threeDSRequestorDecMaxTime n1-10080:1-5 =2.2
threeDSRequestorDecMaxTime n1-10080:5-5 >2.3
threeDSRequestorDecReqInd Y,N. =2.2
threeDSRequestorDecReqInd Y,N,F,B. >2.3
threeDSRequestorSpcSupport Y. >2.3
spcIncompInd 1-3~ >2.3
threeRIInd 1-5+ =2.1
threeRIInd 1-11+ =2.2
threeRIInd 1-19+ >2.3
acctNumber pan
acctType 1-3+
acctID t1-64
acctInfo o:account
cardExpiryDate date4
cardSecurityCode drop >2.3
cardSecurityCodeStatus Y,N,U. >2.3
cardSecurityCodeStatusSource acquirerCountryCodeSource 1-2+ >2.3
payTokenInd true
payTokenSource 1-2+ >2.2
payTokenInfo o:token >2.3
taxId t1-45 >2.3
cardholderName t2-45 <2.3
cardholderName t1-45 >2.3
email mail254
addrMatch Y,N.
homePhone mobilePhone workPhone o:phone
billAddrCity billAddrLine1 billAddrLine2 billAddrLine3 t1-50
shipAddrCity shipAddrLine1 shipAddrLine2 shipAddrLine3 t1-50
billAddrCountry shipAddrCountry merchantCountryCode country
billAddrPostCode shipAddrPostCode t1-16
billAddrState shipAddrState t1-3
purchaseAmount d1-48
purchaseCurrency currency
purchaseExponent d1
purchaseDate date14
purchaseInstalData n2-999:1-3
transType 01,03,10,11,28.
recurringExpiry date8
recurringFrequency d1-4 <2.3
recurringFrequency n1-9999:1-4 >2.3
recurringAmount d1-48 >2.3
recurringCurrency currency >2.3
recurringExponent d1 >2.3
recurringDate date8 >2.3
recurringInd o:recurring >2.3
acquirerBIN t1-11
mcc t4
merchantRiskIndicator o:risk
acquirerCountryCode country >2.3
multiTransaction o:multi >2.3
sellerInfo arr1-50::o:seller >2.3
browserAcceptHeader browserUserAgent t1-2048
browserIP ip
browserJavaEnabled bool
browserJavascriptEnabled bool >2.2
browserLanguage t1-8 <2.3
browserLanguage t1-35 >2.3
acceptLanguage arr1-99::t1-100 >2.3
deviceId userId t1-64 >2.3
browserColorDepth 1,4,8,15,16,24,32,48. <2.3
browserColorDepth n1-99:1-2 >2.3
browserScreenHeight browserScreenWidth d1-6
browserTZ tz
sdkEncData t1-64000
deviceInfo b1-64000
sdkEphemPubKey o256:key
sdkMaxTimeout n5-99:2-2
deviceRenderOptions o:render
sdkType 1-2+ >2.3
defaultSdkType o:default >2.3
splitSdkType o:split >2.3
sdkServerSignedContent jws >2.3
appIp ip >2.3
transStatusReason 1-21+ =2.1
transStatusReason 1-26+ =2.2
transStatusReason 1-30+ >2.3
transStatusReasonInfo t1-256 >2.3
authenticationValue av <2.3
authenticationValue t1-4000 >2.3
eci t2
authenticationType 1-3+ =2.1
authenticationType 1-4+ =2.2
authenticationMethod 1-11+ <2.3
authenticationMethod arr1-99::1-16+ >2.3
transChallengeExemption 05,08,10,11,79+ >2.3
acsChallengeMandated Y,N.
acsDecConInd Y,N. >2.2
acsRenderingType o:rendering
acsSignedContent jws16000
cardholderInfo t1-128 <2.3
cardholderInfo o:info >2.3
interactionCounter t2
challengeErrorReporting o:reported >2.3
resultsStatus 1-3+ <2.3
resultsStatus 1-4+ >2.3
threeDSRequestorAppURLInd Y,N. >2.3
deviceInfoRecognisedVersion t3-20 >2.3
spcTransData o:spc >2.3
webAuthnCredList arr1-10::o:credential >2.3
whiteListStatusSource 1-3+ =2.2
trustListStatusSource deviceBindingStatusSource 1-3+ >2.3
deviceBindingStatus 01,02,03,04,05,11,12,13,14,15+ >2.3
sdkCounterStoA acsCounterAtoS n0-255:3-3
challengeWindowSize 1-5.
challengeCancel 01,04,05,06,07,08+ =2.1
challengeCancel 01,03,04,05,06,07,08+ =2.2
challengeCancel 01,03,04,05,06,07,08,09,10+ >2.3
challengeDataEntry t1-45
challengeDataEntryTwo t1-45 >2.3
challengeNoEntry Y. >2.2
challengeHTMLDataEntry t1-256
challengeAddCode Y. >2.3
resendChallenge Y,N. <2.3
resendChallenge Y. >2.3
infoContinueIndicator true >2.3
oobContinue true <2.3
oobContinue 1-2~ >2.3
oobAppStatus 1-1~ >2.3
oobAppURLInd 1-3+ >2.3
threeDSRequestorAppURL app256 =2.2
threeDSRequestorAppURL https2048 >2.3
whitelistingDataEntry Y,N. =2.2
trustListDataEntry deviceBindingDataEntry Y,N. >2.3
challengeCompletionInd Y,N.
acsUiType 1-5+ <2.3
acsUiType 1-7+ >2.3
acsHTML acsHTMLRefresh b1-102400 <2.3
acsHTML b1-300000 >2.3
challengeInfoHeader challengeInfoLabel expandInfoLabel whyInfoLabel t1-45
submitAuthenticationLabel resendInformationLabel oobContinueLabel t1-45
oobAppLabel infoContinueLabel challengeAddLabel t1-45 >2.3
challengeInfoText t1-350
challengeInfoTextIndicator Y,N.
challengeAddInfo t1-256 <2.3
expandInfoText whyInfoText t1-256
whitelistingInfoText t1-64 =2.2
trustListInfoText deviceBindingInfoText t1-64 >2.3
togglePositionInd 1-1~ >2.3
oobAppURL url2048 >2.3
challengeSelectInfo choices1-100:45 <2.3
challengeSelectInfo choices1-8:4 >2.3
challengeEntryBox challengeEntryBoxTwo o:box >2.3
issuerImage psImage o:image <2.3
issuerImage psImage o6144:darkimage >2.3
serialNum t1-20
dsStartProtocolVersion dsEndProtocolVersion ver <2.3
cardRangeData arr1-50000::o:range <2.3
cardRangeData arr1-50000::o:ranges >2.3
cardRangeDataDownloadInd Y. >2.3
dsProtocolVersions arr1-10::ver >2.3
dsUrlList arr1-99::o:dsurl >2.3
readOrder 1-2+ >2.3
"""

# Members of objects: R required, O optional, Q required or optional, with a version.
OBJECTS = """
extension R name t1-64, R id t1-64, R criticalityIndicator bool, R data any8059
phone R cc d1-3, R subscriber d1-15
key R kty EC., R crv P-256., R x b43-43, R y b43-43
account O chAccAgeInd 1-5., O chAccChange date8, O chAccChangeInd 1-4., O chAccDate date8
account O chAccPwChange date8, O chAccPwChangeInd 1-5., O chAccReqID t1-64 >2.3
account O nbPurchaseAccount d1-4, O provisionAttemptsDay d1-3, O txnActivityDay d1-3
account O txnActivityYear d1-3, O paymentAccAge date8, O paymentAccInd 1-5.
account O shipAddressUsage date8, O shipAddressUsageInd 1-4., O shipNameIndicator 1-2.
account O suspiciousAccActivity 1-2.
risk O deliveryEmailAddress t1-254, O deliveryTimeframe 1-4., O giftCardAmount d1-15
risk O giftCardCount t2, O giftCardCurr currency, O preOrderDate date8, O preOrderPurchaseInd 1-2.
risk O reorderItemsInd 1-2., O shipIndicator 1-7. <2.3, O shipIndicator 1-9. >2.3
risk O transChar arr1-2::1-2. >2.3
requestor O threeDSReqAuthMethod 1-6+ =2.1, O threeDSReqAuthMethod 1-8+ =2.2
requestor O threeDSReqAuthMethod 1-10+ >2.3, O threeDSReqAuthTimestamp date12
requestor O threeDSReqAuthData t1-2048 =2.1, O threeDSReqAuthData t1-20000 =2.2, O threeDSReqAuthData toa50000 >2.3
requestor O dsAuthInfVerifInd 1-3+ >2.3
prior O threeDSReqPriorAuthMethod 1-4+ <2.3, O threeDSReqPriorAuthMethod 1-5+ >2.3
prior O threeDSReqPriorAuthTimestamp date12, O threeDSReqPriorAuthData t1-2048 <2.3
prior O threeDSReqPriorAuthData t1-20000 >2.3, O threeDSReqPriorRef t36
prior O threeDSReqPriorDsTransId uuid >2.3
render R sdkInterface 1-3., R sdkUiType arr1-5::1-5. <2.3, R sdkUiType arr1-7::1-7. >2.3
render O sdkAuthenticationType arr1-99::1-12+ >2.3
rendering R acsInterface 1-2., R acsUiTemplate 1-5. <2.3, R acsUiTemplate 1-7. >2.3
rendering R deviceUserInterfaceMode 1-4. >2.3
info R text t1-128, O issuerImage url256, O paymentSystemImage url256
credential R rpID t1-2048, R credentialIds b16-1000
broadcast R category 1-6+, O description t1-4000, O expDate date8, R severity 1-4.
broadcast R recipients arr1-3::1-4., R source 1-3.
box O challengeDataEntryKeyboardType 1-2~, O challengeDataEntryAutofill Y.
box Q challengeDataEntryAutofillType 1-2~, O challengeDataEntryLengthMax n1-45:2-2
box R challengeDataEntryLabel t1-45, O challengeDataEntryMasking Y,N., Q challengeDataEntryToggle Y,N.
token O token d13-19, O tokenAdditionalData any500, O tokenAssuranceMethod t2, O tokenRequestorId d11
token O tokenCryptogram t1-4000, O tokenCryptogramValidityIndicator 1-3+, O tokenStatusIndicator t1-40
multi R merchantList arr1-50::o:listed, O avValidityTime n0-999:1-3, O avNumberUse n0-99:1-2
listed R merchantNameListed t1-40, O acquirerMerchantIdListed t1-15, O merchantAmount d1-48
listed Q merchantCurrency currency, Q merchantExponent d1, O sellerId t1-50
seller R sellerName t1-100, O sellerId t1-50, O sellerBusinessName t1-100, O sellerAccDate date8
seller O sellerAddrLine1 t1-50, O sellerAddrLine2 t1-50, O sellerAddrLine3 t1-50
seller O sellerAddrCity t1-50, O sellerAddrState t1-3, O sellerAddrPostCode t1-16
seller O sellerAddrCountry country, O sellerEmail mail254, O sellerPhone o:phone
recurring R amountInd 1-2+, R frequencyInd 1-2+
default R sdkVariant 1-1+, O wrappedInd Y.
split R sdkVariant 1-3+, O limitedInd Y.
image O medium url2048, O high url2048, O extraHigh url2048
darkimage R default url6144, O dark url6144, O monochrome url6144
spc R challenge b43-100, R currency t3, R displayName t1-40, R icon t1-4096, R timeout n60000-500000:5-6
spc R value t1-40, O challengeInfoText t1-350, Q payeeName t1-40, Q payeeOrigin url2048, O extInd Y.
spc O additionalData any90000, O issuerImageSpc o90000:spcimage, O psImageSpc o90000:spcimage
spcimage R default t1-30000, O dark t1-30000, O monochrome t1-30000
reported R messageType Erro., R messageVersion ver, R errorCode t3, R errorComponent C,S,D,A.
reported R errorDescription t1-2048, R errorDetail t1-2048, O errorMessageType t4
reported O threeDSServerTransID uuid, O acsTransID uuid, O dsTransID uuid, O sdkTransID uuid
range R startRange d13-19, R endRange d13-19, O actionInd A,D,M., R acsStartProtocolVersion ver
range R acsEndProtocolVersion ver, O dsStartProtocolVersion ver, O dsEndProtocolVersion ver
range O threeDSMethodURL url256, O acsInfoInd arr1-99::1-4+ >2.2
ranges R ranges arr1-5000::o:span, O actionInd A,D,M., O issuerCountryCode country
ranges O dsProtocolVersions arr1-10::ver, R acsProtocolVersions arr1-10::o:acsversion
span R start d13-19, R end d13-19
acsversion R version ver, O acsInfoInd arr1-99::1-11+, O threeDSMethodURL url2048
acsversion O supportedMsgExt arr1-15::o:supported
supported R id t14, R version t3
dsurl R threeDSServerToDsUrl url2048, O dsCountryCode country
"""

CURRENCIES = """
0 940 108 152 262 324 352 392 174 410 600 646 800 704 548 950 952 953
2 984 947 948 970 979 997
2 784 971 008 051 973 032 036 533 944 977 052 050 060 096 068 986 044 064 072 933 084 124 976 756 156
2 170 188 192 132 203 208 214 012 818 232 230 978 242 238 826 981 936 292 270 320 328 344 340 332 348
2 360 376 356 364 388 404 417 116 408 136 398 418 422 144 430 426 504 498 969 807 104 496 446 929 480
2 462 454 484 458 943 516 566 558 578 524 554 590 604 598 608 586 985 634 946 941 643 682 090 690 938
2 752 702 654 925 706 968 728 930 222 760 748 764 972 934 776 949 780 901 834 980 840 858 860 926 928
2 882 951 532 886 710 967 924
3 048 368 400 414 434 512 788
4 990 927
"""
EXPONENTS = {code: int(row.split()[0]) for row in CURRENCIES.split("\n") if row for code in row.split()[1:]}

COUNTRIES = set("""
004 008 010 012 016 020 024 028 031 032 036 040 044 048 050 051 052 056 060 064 068 070 072 074 076
084 086 090 092 096 100 104 108 112 116 120 124 132 136 140 144 148 152 156 158 162 166 170 174 175
178 180 184 188 191 192 196 203 204 208 212 214 218 222 226 231 232 233 234 238 239 242 246 248 250
254 258 260 262 266 268 270 275 276 288 292 296 300 304 308 312 316 320 324 328 332 334 336 340 344
348 352 356 360 364 368 372 376 380 384 388 392 398 400 404 408 410 414 417 418 422 426 428 430 434
438 440 442 446 450 454 458 462 466 470 474 478 480 484 492 496 498 499 500 504 508 512 516 520 524
528 531 533 534 535 540 548 554 558 562 566 570 574 578 580 581 583 584 585 586 591 598 600 604 608
612 616 620 624 626 630 634 638 642 643 646 652 654 659 660 662 663 666 670 674 678 682 686 688 690
694 702 703 704 705 706 710 716 724 728 729 732 740 744 748 752 756 760 762 764 768 772 776 780 784
788 792 795 796 798 800 804 807 818 826 831 832 833 834 840 850 854 858 860 862 876 882 887 894
""".split())


def in_version(mark, version):
    if not mark:
        return True
    wanted = {"2.1": TWO_ONE, "2.2": TWO_TWO, "2.3": TWO_THREE}[mark[1:]]
    return {"=": version == wanted, "<": version < wanted, ">": version >= wanted}[mark[0]]


def split_mark(words):
    return (words[:-1], words[-1]) if words[-1][0] in "=<>" else (words, "")


KINDS = {}  # (name, version) -> kind
for line in ELEMENTS.strip().split("\n"):
    words, mark = split_mark(line.split())
    for name in words[:-1]:
        for version in (TWO_ONE, TWO_TWO, TWO_THREE):
            if in_version(mark, version):
                assert (name, version) not in KINDS, name
                KINDS[name, version] = words[-1]
for version, ares, rreq in ((TWO_ONE, "YNUACR", "YNUAR"), (TWO_TWO, "YNUACDRI", "YNUAR"),
                            (TWO_THREE, "YNUACDRIS", "YNUADR")):
    KINDS["ARes transStatus", version] = ",".join(ares) + "."
    KINDS["RReq transStatus", version] = ",".join(rreq) + "."
    KINDS["CRes transStatus", version] = "Y,N,D." if version == TWO_THREE else "Y,N."
for message, values in (("AReq", "Y,N."), ("ARes", "Y,N,E,P,R,U."), ("RReq", "Y,N,E,P,R,U.")):
    KINDS[message + " whiteListStatus", TWO_TWO] = values
    KINDS[message + " trustListStatus", TWO_THREE] = values

PARTS = {}  # object -> [(presence, name, kind, mark)]
for line in OBJECTS.strip().split("\n"):
    owner, rest = line.split(" ", 1)
    for part in rest.split(", "):
        words, mark = split_mark(part.split())
        PARTS.setdefault(owner, []).append((*words, mark))
KNOWN = {name.split(" ")[-1] for name, _ in KINDS} | {p[1] for ps in PARTS.values() for p in ps}


class Repeated(Exception):
    pass


class Object(list):
    def get(self, name):
        return next((value for key, value in self if key == name), None)

    def has(self, name):
        return any(key == name for key, _ in self)


class Number(str):
    pass


def is_empty(value):
    return value is None or (not isinstance(value, (bool, Number)) and len(value) == 0)


def texts(value):
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, Object):
        return [""] if value else []
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    return [] if value in (None, "") else [str(value)]


# Conditions have three values: None if it is unknown.
def negated(a):
    return None if a is None else not a


def both(*values):
    return False if False in values else None if None in values else True


def either(*values):
    return negated(both(*[negated(value) for value in values]))


class Case:
    def __init__(self, case):
        self.type, self.message, self.version = None, None, None
        self.receiver, self.facts = case["receiver"], case["facts"]

    def values(self, name):
        top = name.split(".")[0]
        if self.kind(top) is not None and top in self.elements:
            value = self.message
            for part in name.split("."):
                value = value.get(part) if isinstance(value, Object) else None
            return texts(value)
        return self.facts.get(name) if self.facts is not None else None

    def kind(self, name):
        return KINDS.get((self.type + " " + name, self.version)) or KINDS.get((name, self.version))

    def eq(self, name, *wanted):
        values = self.values(name)
        return None if values is None else any(value in wanted for value in values)

    def has(self, name):
        values = self.values(name)
        return None if values is None else len(values) > 0

    def to(self, component):
        return self.receiver == component


PURCHASE = "purchaseAmount purchaseCurrency purchaseExponent purchaseDate"
BILLS = ("cardholderName email homePhone mobilePhone workPhone billAddrCity billAddrLine1 billAddrLine2 "
         "billAddrLine3 billAddrPostCode billAddrState shipAddrCity shipAddrLine1 shipAddrLine2 "
         "shipAddrLine3 shipAddrPostCode shipAddrState")


def recurring(c):
    with_device = c.eq("threeDSRequestorAuthenticationInd", "02", "03")
    return with_device if c.version < TWO_THREE else either(with_device, c.eq("threeRIInd", "01", "02"))


def instalment(c):
    return either(c.eq("threeDSRequestorAuthenticationInd", "03"), c.eq("threeRIInd", "02"))


def later(c):
    if c.version < TWO_THREE:
        return recurring(c)
    return either(c.eq("threeDSRequestorAuthenticationInd", "02", "03", "07", "08", "09"),
                  c.eq("threeRIInd", "01", "02", "06", "07", "08", "09", "11", "15"))


def not_cancelled(c):
    return negated(c.has("challengeCancel"))


def entry_page(c):
    return c.eq("acsUiType", "01", "02", "03")


def entry(c):
    return both(entry_page(c), not_cancelled(c), negated(c.eq("resendChallenge", "Y")))


def scripts(c):
    return True if c.version == TWO_ONE else c.eq("browserJavascriptEnabled", "true")


def fixed(indicator):
    return lambda c: c.eq("recurringInd." + indicator, "01")


def status(*values):
    return lambda c: c.eq("transStatus", *values)


def undecoupled(c):
    return True if c.version == TWO_ONE else negated(c.eq("acsDecConInd", "Y"))


OLD, LATER, NEW = {TWO_ONE, TWO_TWO}, {TWO_TWO, TWO_THREE}, {TWO_THREE}
# Presence, channels, categories, names, condition, versions. R required, O optional, C required or
# refused, Q required or optional, A optional or refused.
RULES = {
    "AReq": [
        ("R", "", "", "threeDSServerTransID threeDSRequestorID threeDSRequestorName threeDSRequestorURL "
         "threeDSServerRefNumber threeDSServerURL deviceChannel messageCategory acctNumber"),
        ("C", "", "", "dsTransID dsReferenceNumber dsURL", lambda c: c.to("A")),
        ("R", "a", "", "sdkTransID sdkAppID sdkEphemPubKey sdkMaxTimeout sdkReferenceNumber "
         "deviceRenderOptions sdkType"),
        ("C", "a", "", "sdkEncData", lambda c: c.to("D")),
        ("C", "a", "", "deviceInfo", lambda c: c.to("A")),
        ("Q", "a", "", "defaultSdkType", lambda c: c.eq("sdkType", "01")),
        ("Q", "a", "", "splitSdkType sdkServerSignedContent", lambda c: c.eq("sdkType", "02")),
        ("O", "a", "", "appIp"),
        ("R", "b", "", "threeDSCompInd browserAcceptHeader browserUserAgent notificationURL "
         "browserJavascriptEnabled acceptLanguage"),
        ("R", "b", "", "browserLanguage", None, OLD),
        ("Q", "b", "", "browserLanguage", scripts, NEW),
        ("Q", "b", "", "browserJavaEnabled browserScreenHeight browserScreenWidth browserTZ "
         "browserColorDepth", scripts),
        ("O", "b", "", "browserIP deviceId userId threeDSMethodId threeDSRequestorSpcSupport spcIncompInd"),
        ("Q", "b", "", "payeeOrigin", lambda c: c.eq("threeDSRequestorSpcSupport", "Y")),
        ("R", "ab", "", "threeDSRequestorAuthenticationInd"),
        ("O", "ab", "", "threeDSReqAuthMethodInd addrMatch"),
        ("O", "ab", "", "threeDSRequestorAuthenticationInfo threeDSRequestorChallengeInd", None, OLD),
        ("O", "", "", "threeDSRequestorAuthenticationInfo threeDSRequestorChallengeInd", None, NEW),
        ("R", "r", "", "threeRIInd"),
        ("O", "", "", "threeDSServerOperatorID messageExtension broadInfo threeDSRequestorDecReqInd "
         "whiteListStatus trustListStatus acctType acctID acctInfo "
         "cardExpiryDate cardSecurityCode cardSecurityCodeStatus payTokenInd payTokenInfo taxId "
         "merchantRiskIndicator multiTransaction sellerInfo deviceBindingStatus " + BILLS),
        ("O", "", "", "threeDSRequestorPriorAuthenticationInfo", None, OLD),
        ("Q", "", "", "threeDSRequestorPriorAuthenticationInfo", lambda c: c.eq("threeRIInd", "19"), NEW),
        ("O", "", "", "threeDSRequestorDecMaxTime recurringExpiry", None, {TWO_TWO}),
        ("O", "", "", "recurringExpiry", None, NEW),
        ("Q", "", "", "threeDSRequestorDecMaxTime",
         lambda c: c.eq("threeDSRequestorDecReqInd", "Y", "F", "B"), NEW),
        ("Q", "", "", "recurringExpiry recurringFrequency", recurring, OLD),
        ("Q", "", "", "recurringFrequency recurringDate", fixed("frequencyInd"), NEW),
        ("Q", "", "", "recurringAmount", lambda c: both(recurring(c), fixed("amountInd")(c))),
        ("Q", "", "", "recurringInd", recurring),
        ("Q", "", "", "recurringCurrency recurringExponent", lambda c: c.has("recurringAmount")),
        ("Q", "", "", "cardSecurityCodeStatusSource", lambda c: c.has("cardSecurityCodeStatus")),
        ("Q", "", "", "payTokenSource", lambda c: c.eq("payTokenInd", "true")),
        ("Q", "", "", "whiteListStatusSource", lambda c: c.has("whiteListStatus")),
        ("Q", "", "", "trustListStatusSource", lambda c: c.has("trustListStatus")),
        ("Q", "", "", "deviceBindingStatusSource", lambda c: c.has("deviceBindingStatus")),
        ("Q", "", "", "billAddrCountry", lambda c: c.has("billAddrState")),
        ("Q", "", "", "shipAddrCountry", lambda c: c.has("shipAddrState")),
        ("R", "", "p", "acquirerBIN acquirerMerchantID mcc merchantCountryCode merchantName"),
        ("R", "ab", "p", PURCHASE, None, {TWO_ONE}),
        ("R", "", "p", PURCHASE, None, LATER),
        ("O", "", "n", "acquirerBIN acquirerMerchantID mcc merchantCountryCode merchantName"),
        ("Q", "ab", "n", PURCHASE, later, {TWO_ONE}),
        ("Q", "", "n", PURCHASE, later, LATER),
        ("Q", "ab", "", "purchaseInstalData", instalment, OLD),
        ("A", "r", "", "purchaseInstalData", lambda c: c.eq("threeRIInd", "02"), OLD),
        ("Q", "", "", "purchaseInstalData", instalment, NEW),
        ("O", "", "p", "transType"),
        ("R", "", "", "acquirerCountryCode acquirerCountryCodeSource"),
    ],
    "ARes": [
        ("R", "", "", "threeDSServerTransID acsTransID dsTransID dsReferenceNumber acsReferenceNumber"),
        ("R", "a", "", "sdkTransID threeDSRequestorAppURLInd deviceInfoRecognisedVersion"),
        ("O", "", "", "messageExtension broadInfo cardSecurityCodeStatus transStatusReasonInfo eci "
         "transChallengeExemption acsOperatorID whiteListStatus trustListStatus deviceBindingStatus"),
        ("R", "", "p", "transStatus"),
        ("O", "", "n", "transStatus transStatusReason authenticationValue"),
        ("Q", "", "p", "transStatusReason", status("N", "U", "R")),
        ("Q", "", "p", "authenticationValue", status("Y", "A")),
        ("Q", "ab", "", "acsChallengeMandated", status("C", "D"), {TWO_ONE}),
        ("Q", "", "", "acsChallengeMandated", status("C", "D"), LATER),
        ("Q", "", "", "authenticationType", status("C", "D"), OLD),
        ("Q", "", "", "authenticationMethod", status("C", "D"), NEW),
        ("Q", "", "", "acsDecConInd", status("D")),
        ("Q", "a", "", "acsRenderingType acsSignedContent", status("C")),
        ("Q", "b", "", "acsURL", status("C")),
        ("Q", "b", "", "spcTransData webAuthnCredList", status("S")),
        ("O", "ab", "", "cardholderInfo", None, {TWO_ONE}),
        ("Q", "", "", "cardholderInfo", lambda c: c.eq("acsDecConInd", "Y"), {TWO_TWO, TWO_THREE}),
        ("Q", "", "", "cardSecurityCodeStatusSource", lambda c: c.has("cardSecurityCodeStatus")),
        ("Q", "", "", "whiteListStatusSource", lambda c: c.has("whiteListStatus")),
        ("Q", "", "", "trustListStatusSource", lambda c: c.has("trustListStatus")),
        ("Q", "", "", "deviceBindingStatusSource", lambda c: c.has("deviceBindingStatus")),
    ],
    "CReq": [
        ("R", "", "", "threeDSServerTransID acsTransID"),
        ("R", "a", "", "sdkTransID sdkCounterStoA oobAppURLInd"),
        ("R", "b", "", "challengeWindowSize"),
        ("O", "", "", "messageExtension"),
        ("O", "a", "", "challengeCancel threeDSRequestorAppURL"),
        ("O", "a", "", "resendChallenge", None, OLD),
        ("A", "a", "", "resendChallenge", lambda c: c.eq("acsUiType", "01"), NEW),
        ("Q", "a", "", "challengeDataEntry",
         lambda c: both(entry(c), negated(c.has("challengeNoEntry"))), {TWO_TWO}),
        ("A", "a", "", "challengeDataEntry", entry, {TWO_ONE}),
        ("A", "a", "", "challengeDataEntry", entry_page, NEW),
        ("A", "a", "", "challengeDataEntryTwo", lambda c: both(entry_page(c), c.has("challengeEntryBoxTwo"))),
        ("A", "a", "", "challengeNoEntry",
         lambda c: both(entry(c), negated(c.has("challengeDataEntry"))), {TWO_TWO}),
        ("A", "a", "", "challengeNoEntry", entry_page, NEW),
        ("Q", "a", "", "challengeHTMLDataEntry",
         lambda c: both(c.eq("acsUiType", "05"), not_cancelled(c)), OLD),
        ("Q", "a", "", "challengeHTMLDataEntry",
         lambda c: both(c.eq("acsUiType", "05", "06"), not_cancelled(c),
                        negated(c.eq("oobContinue", "02"))), NEW),
        ("A", "a", "", "challengeAddCode", lambda c: c.has("challengeAddLabel")),
        ("A", "a", "", "infoContinueIndicator", lambda c: c.eq("acsUiType", "07")),
        ("A", "a", "", "oobContinue", lambda c: c.eq("acsUiType", "04"), OLD),
        ("Q", "a", "", "oobContinue", lambda c: both(
            either(both(c.eq("acsUiType", "04"), negated(c.has("challengeAddCode"))),
                   c.eq("acsUiType", "06")), not_cancelled(c)), NEW),
        ("A", "a", "", "oobAppStatus", lambda c: c.eq("acsUiType", "04", "06")),
        ("Q", "a", "", "whitelistingDataEntry",
         lambda c: both(c.has("whitelistingInfoText"), not_cancelled(c))),
        ("Q", "a", "", "trustListDataEntry",
         lambda c: both(c.has("trustListInfoText"), not_cancelled(c))),
        ("Q", "a", "", "deviceBindingDataEntry",
         lambda c: both(c.has("deviceBindingInfoText"), not_cancelled(c))),
    ],
    "CRes": [
        ("R", "", "", "threeDSServerTransID acsTransID"),
        ("R", "a", "", "sdkTransID acsCounterAtoS challengeCompletionInd"),
        ("O", "", "", "messageExtension"),
        ("C", "a", "", "acsUiType", lambda c: negated(c.eq("challengeCompletionInd", "Y"))),
        ("C", "a", "p", "transStatus", lambda c: c.eq("challengeCompletionInd", "Y")),
        ("R", "b", "p", "transStatus"),
        ("O", "", "n", "transStatus"),
        ("Q", "a", "", "acsHTML", lambda c: c.eq("acsUiType", "05"), OLD),
        ("Q", "a", "", "acsHTML", lambda c: c.eq("acsUiType", "05", "06"), NEW),
        ("O", "a", "", "challengeInfoTextIndicator challengeAddInfo expandInfoLabel expandInfoText "
         "whyInfoLabel whyInfoText whitelistingInfoText trustListInfoText deviceBindingInfoText "
         "togglePositionInd resendInformationLabel challengeAddLabel issuerImage psImage acsHTMLRefresh"),
        ("O", "a", "", "challengeInfoHeader challengeInfoText challengeInfoLabel challengeSelectInfo",
         None, OLD),
        ("Q", "a", "", "challengeInfoHeader challengeInfoText",
         lambda c: c.eq("acsUiType", "01", "02", "03", "04", "07"), NEW),
        ("Q", "a", "", "challengeInfoLabel challengeSelectInfo", lambda c: c.eq("acsUiType", "02", "03"),
         NEW),
        ("Q", "a", "", "submitAuthenticationLabel", lambda c: c.eq("acsUiType", "01", "02", "03")),
        ("Q", "a", "", "oobContinueLabel", lambda c: c.eq("acsUiType", "04"), OLD),
        ("Q", "a", "", "oobContinueLabel",
         lambda c: both(c.eq("acsUiType", "04"), negated(c.has("oobAppLabel"))), NEW),
        ("A", "a", "", "oobAppLabel", lambda c: both(c.eq("acsUiType", "04"), c.eq("oobAppURLInd", "01"))),
        ("A", "a", "", "oobAppURL", lambda c: both(
            either(c.eq("acsUiType", "06"), c.has("oobAppLabel")), c.eq("oobAppURLInd", "01"))),
        ("Q", "a", "", "infoContinueLabel", lambda c: c.eq("acsUiType", "07")),
        ("Q", "a", "", "challengeEntryBox", lambda c: c.eq("acsUiType", "01")),
        ("A", "a", "", "challengeEntryBoxTwo", lambda c: c.eq("acsUiType", "01")),
    ],
    "RReq": [
        ("R", "", "", "threeDSServerTransID acsTransID dsTransID messageCategory"),
        ("O", "a", "", "sdkTransID", None, {TWO_ONE}),
        ("R", "a", "", "sdkTransID", None, LATER),
        ("O", "", "", "messageExtension challengeCancel eci transStatusReasonInfo whiteListStatus "
         "trustListStatus deviceBindingStatus"),
        ("O", "", "", "cardholderInfo", None, NEW),
        ("R", "", "p", "transStatus"),
        ("O", "", "n", "transStatus transStatusReason authenticationValue"),
        ("Q", "", "p", "transStatusReason", status("N", "U", "R")),
        ("Q", "", "p", "authenticationValue", status("Y", "A")),
        ("Q", "", "", "authenticationType", status("Y", "N"), OLD),
        ("A", "", "", "authenticationMethod", lambda c: c.to("D"), OLD),
        ("Q", "", "", "authenticationMethod", status("Y", "N"), NEW),
        ("Q", "a", "", "acsRenderingType", undecoupled),
        ("Q", "ab", "", "interactionCounter", undecoupled),
        ("Q", "ab", "", "challengeErrorReporting", lambda c: c.eq("challengeCancel", "09", "10")),
        ("Q", "", "", "whiteListStatusSource", lambda c: c.has("whiteListStatus")),
        ("Q", "", "", "trustListStatusSource", lambda c: c.has("trustListStatus")),
        ("Q", "", "", "deviceBindingStatusSource", lambda c: c.has("deviceBindingStatus")),
    ],
    "RRes": [
        ("R", "", "", "threeDSServerTransID acsTransID dsTransID resultsStatus"),
        ("O", "a", "", "sdkTransID", None, {TWO_ONE}),
        ("R", "a", "", "sdkTransID", None, LATER),
        ("O", "", "", "messageExtension"),
    ],
    "PReq": [
        ("R", "", "", "threeDSServerTransID threeDSServerRefNumber"),
        ("O", "", "", "messageExtension threeDSServerOperatorID serialNum cardRangeDataDownloadInd"),
    ],
    "PRes": [
        ("R", "", "", "threeDSServerTransID dsTransID dsStartProtocolVersion dsEndProtocolVersion "
         "dsProtocolVersions readOrder"),
        ("O", "", "", "messageExtension cardRangeDataFileURL dsUrlList"),
        ("O", "", "", "serialNum cardRangeData", None, OLD),
        ("A", "", "", "serialNum cardRangeData", lambda c: negated(c.has("cardRangeDataFileURL")), NEW),
    ],
    "Erro": [
        ("R", "", "", "errorCode errorComponent errorDescription errorDetail"),
        ("O", "", "", "threeDSServerTransID acsTransID dsTransID sdkTransID errorMessageType"),
    ],
}
for rules in RULES.values():
    rules.insert(0, ("R", "", "", "messageType messageVersion"))
INNER = {  # conditions inside objects, by their siblings
    "challengeDataEntryAutofillType": lambda o: o.get("challengeDataEntryAutofill") == "Y",
    "challengeDataEntryToggle": lambda o: o.get("challengeDataEntryMasking") == "Y",
    "merchantCurrency": lambda o: not is_empty(o.get("merchantAmount")),
    "merchantExponent": lambda o: not is_empty(o.get("merchantAmount")),
    "payeeName": lambda o: is_empty(o.get("payeeOrigin")),
    "payeeOrigin": lambda o: is_empty(o.get("payeeName")),
}


# Forms. Each returns "" if the value is right, or a finding: invalid, reserved or iso.
def judge_code(kind, text):
    growth, body = kind[-1], kind[:-1]
    span = re.fullmatch(r"(\d+)-(\d+)", body)
    values = ["%02d" % i for i in range(int(span[1]), int(span[2]) + 1)] if span else body.split(",")
    if text in values or growth == "+" and re.fullmatch("[89][0-9]", text):
        return ""
    return "reserved" if growth in "+~" and re.fullmatch("[0-9]{2}", text) and text != "00" else "invalid"


def calendar_ok(text):
    if len(text) == 4:
        return 1 <= int(text[2:]) <= 12
    year, month, day = int(text[:4]), int(text[4:6]), int(text[6:8])
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        return False
    clock = text[8:]
    return int(clock[0:2] or 0) < 24 and int(clock[2:4] or 0) < 60 and int(clock[4:6] or 0) < 60


def ip_ok(text):
    try:
        return "%" not in text and bool(ipaddress.ip_address(text))
    except ValueError:
        # Python refuses leading zeros in IPv4.
        return bool(re.fullmatch(r"(\d{1,3}\.){3}\d{1,3}", text)) and all(int(p) < 256 for p in text.split("."))


PART = r"([\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*"
URL = re.compile(
    r"https?://([a-z0-9._-]+|\[(?P<ip>[^]]*:[^]]*)\])(:(?P<port>[0-9]{1,5}))?"
    rf"(/{PART})?(\?({PART}|\?)*)?(\#({PART}|\?)*)?", re.I | re.A)


def url_ok(text):
    url = URL.fullmatch(text)
    return (
        url is not None
        and (url["ip"] is None or ip_ok(url["ip"]))
        and (url["port"] is None or 1 <= int(url["port"]) <= 65535)
    )


def stated_url_ok(scheme, text):
    url = re.fullmatch(f"(?is){scheme}://([^/?#]+)([/?#].*)?", text)
    return url is not None and all(c.isascii() and "!" <= c <= "~" or
                                   not c.isascii() and unicodedata.category(c)[0] not in "CZ" for c in text)


def bounds(words):
    low, _, high = words.partition("-")
    return int(low), int(high or low)


def matches(kind, text):
    digits = re.fullmatch("[0-9]+", text) is not None
    if kind == "uuid":
        return re.fullmatch("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text)
    if kind == "ver":
        return 5 <= len(text) <= 8 and re.fullmatch(r"\d{1,2}(\.\d{1,2}){2}", text, re.A)
    if kind == "ip":
        return len(text) <= 45 and ip_ok(text)
    if kind == "tz":
        return re.fullmatch("[+-]?[0-9]{1,4}", text)
    if kind == "av":
        return re.fullmatch("[A-Za-z0-9+/]{26}[AEIMQUYcgkosw048]=", text)
    if kind == "pan":
        return digits and 13 <= len(text) <= 19
    if kind.startswith("date"):
        return digits and len(text) == int(kind[4:]) and calendar_ok(text)
    if kind.startswith("toa"):
        return 1 <= len(text) <= int(kind[3:])
    if kind.startswith("url"):
        return len(text) <= int(kind[3:]) and url_ok(text)
    if kind.startswith("web"):
        return len(text) <= int(kind[3:]) and stated_url_ok("https?", text)
    if kind.startswith("https"):
        return len(text) <= int(kind[5:]) and stated_url_ok("https", text)
    if kind.startswith("app"):
        return len(text) <= int(kind[3:]) and re.fullmatch("(?i)[a-z][a-z0-9+.-]*:[!-~]*", text)
    if kind.startswith("mail"):
        return 3 <= len(text) <= int(kind[4:]) and re.fullmatch("[^\x00-\x1f\x7f]+@[^\x00-\x1f\x7f]+", text)
    if kind.startswith("jws"):
        return len(text) <= int(kind[3:] or len(text)) and re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", text, re.A)
    if kind.startswith("t"):
        low, high = bounds(kind[1:])
        return low <= len(text) <= high
    if kind.startswith("d"):
        low, high = bounds(kind[1:])
        return digits and low <= len(text) <= high
    if kind.startswith("n"):
        values, lengths = (bounds(part) for part in kind[1:].split(":"))
        return digits and lengths[0] <= len(text) <= lengths[1] and values[0] <= int(text) <= values[1]
    if kind.startswith("b"):
        low, high = bounds(kind[1:])
        return low <= len(text) <= high and re.fullmatch(r"[\w-]+", text, re.A)
    raise ValueError(kind)


def judge_text(kind, text):
    if kind in ("currency", "country"):
        if not re.fullmatch("[0-9]{3}", text):
            return "invalid"
        return "" if text in (EXPONENTS if kind == "currency" else COUNTRIES) else "iso"
    if kind[-1] in ".+~":
        return judge_code(kind, text)
    return "" if matches(kind, text) else "invalid"


def written(value):
    if isinstance(value, Object):
        return "{" + ",".join(written(k) + ":" + written(v) for k, v in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return str(value) if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def note_equal_elements(value, name, version, note):
    if version == TWO_THREE and isinstance(value, list) and not isinstance(value, Object):
        texts_of = [written(item) for item in value]
        if len(set(texts_of)) < len(texts_of):
            note("repeated", name)


def judge(kind, value, name, version, note):
    if kind in ("bool", "true"):
        right = value is True or kind == "bool" and value is False
        return None if right else note("invalid", name)
    if kind in ("drop", "pan"):
        return None if kind == "drop" or isinstance(value, str) and matches(kind, value) else note("invalid", name)
    if re.match(r"o\d*:", kind):
        maximum, _, owner = kind[1:].partition(":")
        if not isinstance(value, Object) or not value or maximum and len(written(value)) > int(maximum):
            return note("invalid", name)
        return judge_object(PARTS[owner], value, name, version, note)
    if kind.startswith("any") or kind.startswith("toa") and isinstance(value, Object):
        right = isinstance(value, Object) and value and len(written(value)) <= int(kind[3:])
        return None if right else note("invalid", name)
    if kind.startswith("arr"):
        counts, maximum, element = kind[3:].split(":", 2)
        note_equal_elements(value, name, version, note)
        low, high = bounds(counts)
        if (not isinstance(value, list) or isinstance(value, Object) or not low <= len(value) <= high
                or maximum and len(written(value)) > int(maximum)):
            return note("invalid", name)
        for item in value:
            judge(element, item, name, version, note)
        return None
    if kind.startswith("choices"):
        counts, key = kind[7:].split(":")
        note_equal_elements(value, name, version, note)
        low, high = bounds(counts)
        right = isinstance(value, list) and not isinstance(value, Object) and low <= len(value) <= high and all(
            isinstance(item, Object) and len(item) == 1 and 1 <= len(item[0][0]) <= int(key)
            and type(item[0][1]) is str and 1 <= len(item[0][1]) <= 45 for item in value)
        return None if right else note("invalid", name)
    finding = judge_text(kind, value) if type(value) is str else "invalid"
    return note(finding, name) if finding else None


def judge_exponent(members, kind, path, note):
    code, exponent = members.get(kind + "Currency"), members.get(kind + "Exponent")
    if type(code) is not str or type(exponent) is not str or code not in EXPONENTS:
        return
    if re.fullmatch("[0-9]+", exponent) and int(exponent) != EXPONENTS[code]:
        note("iso", path + kind + "Currency")
        note("iso", path + kind + "Exponent")


def judge_object(parts, value, path, version, note):
    for presence, name, kind, mark in parts:
        if not in_version(mark, version):
            continue
        demand = presence
        if presence == "Q":
            demand = "R" if INNER[name](value) else "O"
        judge_presence(demand, kind, value, name, path + "." + name, version, note)
    if parts is PARTS["listed"]:
        judge_exponent(value, "merchant", path + ".", note)


def judge_presence(demand, kind, members, name, path, version, note):
    if not members.has(name):
        return note("missing", path) if demand == "R" else None
    value = members.get(name)
    if demand == "R" and is_empty(value):
        return note("missing", path)
    if demand == "X":
        return note("invalid", path)
    return judge(kind, value, path, version, note)


def demands(case, channel, category):
    found = {}
    for presence, channels, categories, names, *rest in RULES[case.type]:
        condition = rest[0] if rest else None
        if len(rest) > 1 and case.version not in rest[1]:
            continue
        sure = True
        for known, allowed in ((channel, channels), (category, categories)):
            if known and allowed and known not in allowed:
                break
            sure = sure and (bool(known) or not allowed)
        else:
            for name in names.split():
                kind = case.kind(name)
                if kind is None:
                    continue
                holds = condition(case) if condition else None
                demand = {"R": "R", "O": "O",
                          "C": {True: "R", False: "X", None: "O"}[holds],
                          "Q": "R" if holds else "O",
                          "A": "X" if holds is False else "O"}[presence]
                found[name] = (demand if sure else "O", kind)
    return found


def status_findings(case):
    def own(name):
        value = case.message.get(name)
        return value if type(value) is str else None

    found, value, facts = [], own("transStatus"), case.facts or {}
    ends = case.type == "CRes" and value in ("U", "A", "C", "R", "I", "S") or (
        case.type == "CRes" and value == "D" and facts.get("version") != [TWO_THREE])
    if case.facts is None:
        return found, ends
    channel = (facts.get("deviceChannel") or [None])[0]
    challenge, decoupled = facts.get("threeDSRequestorChallengeInd"), facts.get("threeDSRequestorDecReqInd")

    def asked(values, *wanted):
        return values is None or any(item in wanted for item in values)

    wrong = {
        ("C", "ARes"): channel == "03" or "06" in (challenge or []),
        ("D", "ARes"): not asked(decoupled, "Y", "B"),
        ("D", "RReq"): not asked(decoupled, "F", "B"),
        ("D", "CRes"): not asked(decoupled, "F", "B"),
        ("I", "ARes"): not asked(challenge, "05", "06", "07"),
        ("S", "ARes"): channel == "03" or not asked(facts.get("threeDSRequestorSpcSupport"), "Y"),
    }
    if wrong.get((value, case.type)):
        found.append("transStatus")
    if case.type == "ARes":
        confirmed = own("acsDecConInd")
        refused = decoupled is not None and (not decoupled or decoupled == ["N"])
        if confirmed == "Y" and refused or confirmed == "N" and value == "D":
            found.append("acsDecConInd")
    if (case.type == "RReq" and own("transStatusReason") == "14"
            and own("challengeCancel") not in ("04", "05")):
        found.append("challengeCancel")
    return found, ends


# A page for text or a choice of 2.3.1 ends with exactly one of these actions.
ACTIONS = (("challengeDataEntry", "challengeDataEntryTwo"), ("challengeNoEntry",), ("challengeCancel",),
           ("resendChallenge",), ("challengeAddCode",))


def combination_findings(case):
    message = case.message
    if case.type == "CReq" and case.version == TWO_THREE and case.facts and entry_page(case):
        done = [[name for name in names if not is_empty(message.get(name))] for names in ACTIONS]
        done = [names for names in done if names]
        if not done:
            return ["challengeDataEntry"]
        return [name for names in done for name in names] if len(done) > 1 else []
    rendering = message.get("acsRenderingType")
    if case.type in ("ARes", "RReq") and isinstance(rendering, Object):
        if rendering.get("acsInterface") == "01" and rendering.get("acsUiTemplate") in ("05", "06"):
            return ["acsRenderingType.acsUiTemplate"]
    return []


def repeated_names(value, path=()):
    names = []
    if isinstance(value, Object):
        keys = [key for key, _ in value]
        names += [path + (key,) for key in dict.fromkeys(keys) if keys.count(key) > 1]
        for key, item in value:
            names += repeated_names(item, path + (key,))
    elif isinstance(value, list):
        for item in value:
            names += repeated_names(item, path)
    return names


def report(code, names):
    return code + " " + ",".join(sorted(set(names)))


def verdict(line):
    case = Case(line)
    try:
        message = json.loads(line["message"], object_pairs_hook=Object, parse_int=Number, parse_float=Number)
    except ValueError:
        return "101"
    kind = message.get("messageType") if isinstance(message, Object) else None
    if kind not in line["types"]:
        return "101"
    case.type, case.message = kind, message
    version = message.get("messageVersion")
    if is_empty(version) or isinstance(version, bool) or type(version) is not str:
        return report("201" if is_empty(version) else "203", ["messageVersion"])
    if version not in (TWO_ONE, TWO_TWO, TWO_THREE):
        return report("102", [TWO_ONE, TWO_TWO, TWO_THREE])
    case.version = case.facts["version"][0] if case.facts else version
    repeated = [".".join(path) if KNOWN >= set(path) else "an unknown element" for path in repeated_names(message)]
    facts = case.facts or {}
    letters = {"deviceChannel": {"01": "a", "02": "b", "03": "r"}, "messageCategory": {"01": "p", "02": "n"}}
    stated = {name: known.get(message.get(name)) if type(message.get(name)) is str else None
              for name, known in letters.items()}
    ruling = {name: known.get((facts.get(name) or [None])[0]) for name, known in letters.items()}
    if kind == "AReq":
        ruling = stated
    elif kind == "RReq":
        ruling["messageCategory"] = ruling["messageCategory"] or stated["messageCategory"]
    channel, category = ruling["deviceChannel"], ruling["messageCategory"]
    case.elements = {name for rule in RULES[kind] for name in rule[3].split()}
    found = {"missing": [], "invalid": [], "reserved": [], "iso": [], "repeated": []}

    def note(finding, name):
        found[finding].append(name)

    applicable = demands(case, channel, category)
    for name, (demand, form) in applicable.items():
        judge_presence(demand, form, message, name, name, case.version, note)
    for kind_of in ("purchase", "recurring"):
        if kind_of + "Currency" in applicable:
            judge_exponent(message, kind_of, "", note)
    extensions = message.get("messageExtension")
    unknown = [item.get("id") for item in extensions if isinstance(item, Object)
               and item.get("criticalityIndicator") is True and type(item.get("id")) is str
               ] if isinstance(extensions, list) and not isinstance(extensions, Object) else []
    if repeated + found["repeated"]:
        return report("204", repeated + found["repeated"])
    if unknown:
        return report("202", unknown)

    for name in {"AReq": letters, "RReq": ["messageCategory"]}.get(kind, []):
        refused = stated[name] is None or stated[name] != ruling[name]
        if refused and not is_empty(message.get(name)) and name not in found["reserved"]:
            note("invalid", name)
    invalid, ends = status_findings(case)
    invalid += combination_findings(case)
    if version != case.version:
        invalid.append("messageVersion")
    if found["missing"]:
        return report("201", found["missing"])
    if ends:
        return "end"
    if case.version < TWO_THREE:
        found["invalid"] += found["reserved"]
        found["reserved"] = []
    if found["invalid"] or invalid:
        return report("203", found["invalid"] + invalid)
    if found["reserved"]:
        return report("207", found["reserved"])
    if found["iso"]:
        return report("304", found["iso"])
    ids = [name for name in ("threeDSServerTransID", "acsTransID", "dsTransID", "sdkTransID")
           if case.facts and case.facts.get(name) and type(message.get(name)) is str
           and matches("uuid", message.get(name))
           and message.get(name).lower() != case.facts[name][0].lower()]
    return report("301", ids) if ids else "ok"


if __name__ == "__main__":
    for row in sys.stdin:
        print(verdict(json.loads(row)))
