"""Visible texts: article "Canonical bytes", section "Texts that people see"."""

import unicodedata

from fields import Refused, require

COMBINATIONS = [{"latin", "han", "kana"}, {"latin", "han", "bopomofo"}, {"latin", "han", "hangul"}]

OF_BRAHMI = set(
    "devanagari bengali gurmukhi gujarati oriya tamil telugu kannada malayalam sinhala tibetan "
    "myanmar khmer".split()
)

# Ignored by default, independent of their category.
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


def parse_ranges():
    for line in RANGES.split("\n"):
        name, *words = line.split() or [""]
        for word in words:
            first, _, last = word.partition("-")
            yield int(first, 16), int(last or first, 16), name


SCRIPTS = sorted(parse_ranges())


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
