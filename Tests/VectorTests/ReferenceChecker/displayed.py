"""Rules for displayed text: docs/protocol/transactions.md."""

import unicodedata

from fields import Refused, require

COMBINATIONS = [{"latin", "han", "kana"}, {"latin", "han", "bopomofo"}, {"latin", "han", "hangul"}]

OF_BRAHMI = set(
    "devanagari bengali gurmukhi gujarati oriya tamil telugu kannada malayalam sinhala tibetan "
    "myanmar khmer".split()
)

# Ignorable by default, but in another category.
IGNORED = {0x034F, 0x17B4, 0x17B5, 0x3164}

RANGES = """
common 0020-0040 005B-0060 007B-007E 00A1-00BF 02BB-02BC 0300-036F 2010-2022 2026 2030 2032-2033
common 2039-203B 20A0-20CF 2116 2122 2190-2193 2212 2260 2264-2265 3001-3003 3008-3011 3014-301B
common FF01-FF20 FF3B-FF40 FF5B-FF65 FFE0-FFE6
latin 0041-005A 0061-007A 00C0-01BF 01C4-02AF 1E00-1EFF FF21-FF3A FF41-FF5A
greek 0370-03FF 1F00-1FFF
cyrillic 0400-052F
armenian 0531-058F
hebrew 0591-05F4
arabic 0600-06FF 0750-077F 08A0-08FF
thaana 0780-07BF
devanagari 0900-097F
bengali 0980-09FF
gurmukhi 0A00-0A7F
gujarati 0A80-0AFF
oriya 0B00-0B7F
tamil 0B80-0BFF
telugu 0C00-0C7F
kannada 0C80-0CFF
malayalam 0D00-0D7F
sinhala 0D80-0DFF
thai 0E00-0E7F
lao 0E80-0EFF
tibetan 0F00-0FFF
myanmar 1000-109F
georgian 10A0-10FF 1C90-1CBF
ethiopic 1200-139F
khmer 1780-17FF
kana 3041-30FF 31F0-31FF FF66-FF9F
bopomofo 3105-312F 31A0-31BF
hangul 3131-318E AC00-D7A3
han 3005-3007 3400-4DBF 4E00-9FFF F900-FAFF 20000-3FFFF
"""


# Code points of these ranges that Unicode 14.0 does not assign, as unicode_gaps.py prints them.
GAPS = """
0378-0379 0380-0383 038B 038D 03A2 0557-0558 058B-058C 05C8-05CF 05EB-05EE 07B2-07BF 0984 098D-098E
0991-0992 09A9 09B1 09B3-09B5 09BA-09BB 09C5-09C6 09C9-09CA 09CF-09D6 09D8-09DB 09DE 09E4-09E5 09FF
0A00 0A04 0A0B-0A0E 0A11-0A12 0A29 0A31 0A34 0A37 0A3A-0A3B 0A3D 0A43-0A46 0A49-0A4A 0A4E-0A50
0A52-0A58 0A5D 0A5F-0A65 0A77-0A7F 0A80 0A84 0A8E 0A92 0AA9 0AB1 0AB4 0ABA-0ABB 0AC6 0ACA 0ACE-0ACF
0AD1-0ADF 0AE4-0AE5 0AF2-0AF8 0B00 0B04 0B0D-0B0E 0B11-0B12 0B29 0B31 0B34 0B3A-0B3B 0B45-0B46
0B49-0B4A 0B4E-0B54 0B58-0B5B 0B5E 0B64-0B65 0B78-0B7F 0B80-0B81 0B84 0B8B-0B8D 0B91 0B96-0B98 0B9B
0B9D 0BA0-0BA2 0BA5-0BA7 0BAB-0BAD 0BBA-0BBD 0BC3-0BC5 0BC9 0BCE-0BCF 0BD1-0BD6 0BD8-0BE5 0BFB-0BFF
0C0D 0C11 0C29 0C3A-0C3B 0C45 0C49 0C4E-0C54 0C57 0C5B-0C5C 0C5E-0C5F 0C64-0C65 0C70-0C76 0C8D 0C91
0CA9 0CB4 0CBA-0CBB 0CC5 0CC9 0CCE-0CD4 0CD7-0CDC 0CDF 0CE4-0CE5 0CF0 0CF3-0CFF 0D0D 0D11 0D45 0D49
0D50-0D53 0D64-0D65 0D80 0D84 0D97-0D99 0DB2 0DBC 0DBE-0DBF 0DC7-0DC9 0DCB-0DCE 0DD5 0DD7 0DE0-0DE5
0DF0-0DF1 0DF5-0DFF 0E00 0E3B-0E3E 0E5C-0E7F 0E80 0E83 0E85 0E8B 0EA4 0EA6 0EBE-0EBF 0EC5 0EC7
0ECE-0ECF 0EDA-0EDB 0EE0-0EFF 0F48 0F6D-0F70 0F98 0FBD 0FCD 0FDB-0FFF 10C6 10C8-10CC 10CE-10CF 1249
124E-124F 1257 1259 125E-125F 1289 128E-128F 12B1 12B6-12B7 12BF 12C1 12C6-12C7 12D7 1311 1316-1317
135B-135C 137D-137F 139A-139F 17DE-17DF 17EA-17EF 17FA-17FF 1CBB-1CBC 1F16-1F17 1F1E-1F1F 1F46-1F47
1F4E-1F4F 1F58 1F5A 1F5C 1F5E 1F7E-1F7F 1FB5 1FC5 1FD4-1FD5 1FDC 1FF0-1FF1 1FF5 1FFF 20C1-20CF
3097-3098 FA6E-FA6F FADA-FAFF 2A6E0-2A6FF 2B739-2B73F 2B81E-2B81F 2CEA2-2CEAF 2EBE1-2F7FF
2FA1E-2FFFF 3134B-3FFFF
"""


def parse_ranges():
    for line in RANGES.split("\n"):
        name, *words = line.split() or [""]
        for word in words:
            first, _, last = word.partition("-")
            yield int(first, 16), int(last or first, 16), name


SCRIPTS = sorted(parse_ranges())


def unassigned():
    for word in GAPS.split():
        first, _, last = word.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


UNASSIGNED = set(unassigned())


def script_of(character):
    for first, last, name in SCRIPTS:
        if first <= ord(character) <= last:
            return name
    raise Refused()


def shown(text, most):
    require(0 < len(text) <= most)
    require(text[0] != " " and text[-1] != " " and "  " not in text)
    require(unicodedata.normalize("NFC", text) == text)
    word = set()
    zero = None
    marks = None
    before = None
    for character in text:
        category = unicodedata.category(character)
        if character == " ":
            word, zero, marks = set(), None, None
        else:
            require(category[0] not in "CZ" and ord(character) not in IGNORED)
            require(ord(character) not in UNASSIGNED)
            script = script_of(character)
            if category[0] == "M":
                require(category != "Me" and marks is not None and character != before)
                require(marks < (5 if script in OF_BRAHMI else 2))
                require(unicodedata.combining(character) != 1)
                marks += 1
            else:
                marks = 0 if category[0] == "L" else None
            if category[0] in "LMN":
                if script != "common":
                    word.add(script)
                require(len(word) <= 1 or any(word <= allowed for allowed in COMBINATIONS))
            elif character not in "'\u2019":
                word = set()
            if category == "Nd":
                own = ord(character) - unicodedata.decimal(character)
                require(zero in (None, own))
                zero = own
        before = character
    return text
