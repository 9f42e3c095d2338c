import StrictJSON
import Testing

@Suite struct `JSON documents` {
    @Test(arguments: [
        ("{}", "{}"), ("[]", "[]"), (" \t\r\n{ } ", "{}"), ("[ [ ] , { } ]", "[[],{}]"),
        ("true", "true"), ("false", "false"), ("null", "null"), ("[null,true]", "[null,true]"),
        (#"{"b" : 1, "a" : [2 ,3]}"#, #"{"b":1,"a":[2,3]}"#),
        (#""""#, #""""#), (#"{"":0}"#, #"{"":0}"#),
        ("0", "0"), ("-0", "-0"), ("1.0", "1.0"), ("1E+2", "1E+2"), ("-1.50e-07", "-1.50e-07"),
        ("18446744073709551616", "18446744073709551616"), ("1e999", "1e999"),
        (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#),
        (#""\u0041\u00e9\u20AC\uD83d\uDe00\u001F""#, #""Aé€😀\u001f""#),
        ("\"\u{7f}\u{2028}\u{feff}\u{ffff}\"", "\"\u{7f}\u{2028}\u{feff}\u{ffff}\""),
        (#"["before \n between \u0041 after"]"#, #"["before \n between A after"]"#),
        // Names of different code points differ, even where Swift's strings are equal.
        (#"{"\u00e9":1,"e\u0301":2}"#, "{\"\u{e9}\":1,\"e\u{301}\":2}"),
        (
            #"{"a\u0323\u0307":1,"a\u0307\u0323":2}"#,
            "{\"a\u{323}\u{307}\":1,\"a\u{307}\u{323}\":2}"
        ),
        (#"[{"a":1},{"a":1}]"#, #"[{"a":1},{"a":1}]"#), (#"{"a":{"a":1}}"#, #"{"a":{"a":1}}"#),
    ])
    func `are read, and written in one spelling`(text: String, written: String) throws {
        let value = try JSONValue(reading: Array(text.utf8), limits: .message)
        #expect(try value.written() == Array(written.utf8))
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("\u{feff}{}", .byteOrderMark, 0),
            ("{} {}", .trailingBytes, 3), ("1 2", .trailingBytes, 2), ("{}\0", .trailingBytes, 2),
            ("nul", .unexpectedEnd, 3), ("nulL", .unexpectedByte, 3), ("True", .unexpectedByte, 0),
            ("nulls", .trailingBytes, 4), ("NaN", .unexpectedByte, 0),
            ("Infinity", .unexpectedByte, 0),
            ("-Infinity", .malformedNumber, 1), ("'a'", .unexpectedByte, 0),
            ("\u{b}1", .unexpectedByte, 0), ("\u{a0}1", .unexpectedByte, 0),
            // Numbers.
            ("01", .trailingBytes, 1), ("-01", .trailingBytes, 2), ("+1", .unexpectedByte, 0),
            ("1.", .malformedNumber, 2), (".5", .unexpectedByte, 0), ("-", .malformedNumber, 1),
            ("1e", .malformedNumber, 2), ("1e+", .malformedNumber, 3),
            ("1e+-2", .malformedNumber, 3),
            ("1.e1", .malformedNumber, 2), ("0x10", .trailingBytes, 1),
            ("1_000", .trailingBytes, 1),
            ("--1", .malformedNumber, 1), ("1.2.3", .trailingBytes, 3), ("٣", .unexpectedByte, 0),
            // Objects and arrays.
            ("[", .unexpectedEnd, 1), ("]", .unexpectedByte, 0), ("[1", .unexpectedEnd, 2),
            ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1),
            ("[1 2]", .unexpectedByte, 3),
            ("[1,,2]", .unexpectedByte, 3), ("[1}", .unexpectedByte, 2),
            ("[1:2]", .unexpectedByte, 2),
            ("{", .unexpectedEnd, 1), ("}", .unexpectedByte, 0), ("{]", .unexpectedByte, 1),
            (#"{"a":1,}"#, .unexpectedByte, 7), (#"{"a"}"#, .unexpectedByte, 4),
            (#"{"a":}"#, .unexpectedByte, 5), (#"{"a" 1}"#, .unexpectedByte, 5),
            (#"{"a":1 "b":2}"#, .unexpectedByte, 7), ("{a:1}", .unexpectedByte, 1),
            ("{'a':1}", .unexpectedByte, 1), ("{1:1}", .unexpectedByte, 1),
            (#"{"a":1"#, .unexpectedEnd, 6), (#"{,"a":1}"#, .unexpectedByte, 1),
            ("{/* */}", .unexpectedByte, 1), ("1 // one", .trailingBytes, 2),
            // Names.
            (#"{"a":1,"a":1}"#, .repeatedName, 0), (#"[{"a":1,"b":2,"a":3}]"#, .repeatedName, 1),
            (#"{"a":1,"\u0061":2}"#, .repeatedName, 0), (#"{"":1,"":2}"#, .repeatedName, 0),
            (#"{"é":1,"\u00E9":2}"#, .repeatedName, 0),
            (#"{"😀":1,"\ud83d\ude00":2}"#, .repeatedName, 0),
            // Strings.
            (#"""#, .unexpectedEnd, 1), (#""a"#, .unexpectedEnd, 2), (#""\"#, .unexpectedEnd, 2),
            (#""\u12"#, .unexpectedEnd, 5), (#""\x""#, .malformedEscape, 1),
            (#""\'""#, .malformedEscape, 1), (#""\U0041""#, .malformedEscape, 1),
            (#""\u12g4""#, .malformedEscape, 1), (#""\u+041""#, .malformedEscape, 1),
            (#""a\u 041""#, .malformedEscape, 2), (#""\é""#, .malformedEscape, 1),
            (#""\ud800""#, .loneSurrogate, 1), (#""\udc00""#, .loneSurrogate, 1),
            (#""\ud800\u0041""#, .loneSurrogate, 1), (#""\ud800\ud800""#, .loneSurrogate, 1),
            (#""\ud800\n""#, .loneSurrogate, 1), (#""\udc00\ud800""#, .loneSurrogate, 1),
            (#""a\u0000""#, .nullCharacter, 2), ("\"a\0\"", .nullCharacter, 2),
            (#"{"\u0000":1}"#, .nullCharacter, 2), ("\"\n\"", .controlCharacter, 1),
            ("\"\u{1f}\"", .controlCharacter, 1), ("\"a\tb\"", .controlCharacter, 2),
        ] as [(String, StrictJSON.Malformation, Int)]
    )
    func `with more than one possible meaning are rejected at the first wrong byte`(
        text: String,
        reason: StrictJSON.Malformation,
        offset: Int
    ) {
        #expect(throws: StrictJSON.Failure.malformed(reason, offset: offset)) {
            try JSONValue(reading: Array(text.utf8), limits: .message)
        }
    }

    @Test(
        arguments: [
            [0xff], [0x80], [0xc0, 0x80], [0xc1, 0xa1], [0xe0, 0x80, 0xaf], [0xed, 0xa0, 0x80],
            [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], [0xf4, 0x90, 0x80, 0x80],
            [0xf8, 0x88, 0x80, 0x80],
            [0xe2, 0x82], [0xc3],
        ] as [[UInt8]]
    )
    func `that are not UTF-8 are rejected`(_ bytes: [UInt8]) {
        #expect(throws: StrictJSON.Failure.malformed(.invalidUTF8, offset: 2)) {
            try JSONValue(
                reading: Array(#"["#.utf8) + [0x22] + bytes + [0x22, 0x5d],
                limits: .message
            )
        }
    }

    @Test(
        arguments: [
            [0x7b, 0, 0x7d, 0], [0, 0x7b, 0, 0x7d], [0xff, 0xfe, 0x7b, 0, 0x7d, 0],
        ] as [[UInt8]]
    )
    func `in UTF-16 are rejected`(_ bytes: [UInt8]) {
        #expect(throws: StrictJSON.Failure.self) {
            try JSONValue(reading: bytes, limits: .message)
        }
    }

    @Test func `are rejected if any end is missing`() throws {
        let text = #"{"a":[1,true,null,"\u00e9\n"],"b":{"c":"\ud83d\ude00"}}"#
        let bytes = Array(text.utf8)
        _ = try JSONValue(reading: bytes, limits: .message)
        for count in bytes.indices {
            #expect(throws: StrictJSON.Failure.self) {
                try JSONValue(reading: Array(bytes.prefix(count)), limits: .message)
            }
        }
    }
}
