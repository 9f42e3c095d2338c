import CReference
import OneTimePassword

extension Benchmark {
    static var oneTimePassword: [Benchmark] {
        [
            .time(
                "otp.hotp.rekeyed-vs-openssl",
                .atMost(1.10),
                count: 20_000,
                ours: { try rekeyedHOTP($0) },
                reference: { reference_hotp_openssl(true, $0, $1) }
            ),
            .time(
                "otp.hotp.kept-vs-openssl",
                .atMost(1.10),
                count: 25_000,
                ours: { try keptHOTP($0) },
                reference: { reference_hotp_openssl(false, $0, $1) }
            ),
            .time(
                "otp.hotp.text-vs-openssl",
                count: 20_000,
                ours: { try keptHOTP($0, writesText: true) },
                reference: { reference_hotp_openssl(false, $0, $1) }
            ),
            .time(
                "otp.hotp.rekeyed-vs-liboath",
                .atMost(1.20),
                count: 20_000,
                ours: { try rekeyedHOTP($0) },
                reference: { reference_hotp_liboath(true, $0, $1) }
            ),
            .time(
                "otp.hotp.kept-vs-liboath",
                .timesFaster(1.55),
                count: 25_000,
                ours: { try keptHOTP($0) },
                reference: { reference_hotp_liboath(false, $0, $1) }
            ),
            .time(
                "otp.hotp.text-vs-liboath",
                count: 20_000,
                ours: { try keptHOTP($0, writesText: true) },
                reference: { reference_hotp_liboath(false, $0, $1) }
            ),
            .time(
                "otp.hotp.window10-miss-vs-liboath",
                .timesFaster(1.5),
                count: 2000,
                ours: missedWindow,
                reference: { reference_hotp_liboath_miss(10, $0, $1) }
            ),
            .time(
                "otp.ocra.in-band-vs-openssl",
                count: 10_000,
                ours: { try ocra("OCRA-1:HOTP-SHA256-0:C-QH64", $0) },
                reference: { reference_ocra("OCRA-1:HOTP-SHA256-0:C-QH64", 0, question, $0, $1) }
            ),
            .time(
                "otp.ocra.typed-vs-openssl",
                count: 10_000,
                ours: { try ocra("OCRA-1:HOTP-SHA256-8:C-QH64", $0) },
                reference: { reference_ocra("OCRA-1:HOTP-SHA256-8:C-QH64", 8, question, $0, $1) }
            ),
            .allocations("otp.hotp.swift-allocations", ours: { try rekeyedHOTP($0) }),
            .allocations("otp.hotp.window10-swift-allocations", ours: missedWindow),
            .allocations("otp.ocra.swift-allocations") {
                try ocra("OCRA-1:HOTP-SHA256-8:C-QH64", $0)
            },
        ]
    }
}

@inline(never)
private func blackHole(_ text: String) {}

private func rekeyedHOTP(_ count: Int) throws -> [UInt8] {
    let secrets = try Material.secrets(byteCount: 20)
    var hotp = try HOTP(secret: secrets[0])
    for index in 0..<count {
        try hotp.setSecret(secrets[index % Material.keyCount])
        _ = hotp.code(at: Counter(UInt64(index)))
    }
    return Array(hotp.code(at: Counter(UInt64(count - 1))).text.utf8)
}

/// A verifier compares a code without its text; a device shows the text.
private func keptHOTP(_ count: Int, writesText: Bool = false) throws -> [UInt8] {
    let hotp = try HOTP(secret: Material.secrets(byteCount: 20)[0])
    for index in 0..<count {
        let code = hotp.code(at: Counter(UInt64(index)))
        if writesText { blackHole(code.text) }
    }
    return Array(hotp.code(at: Counter(UInt64(count - 1))).text.utf8)
}

/// Verifies a code that matches none of eleven counters.
private func missedWindow(_ count: Int) throws -> [UInt8] {
    let hotp = try HOTP(secret: Material.secrets(byteCount: 20)[0])
    var misses = 0
    for _ in 0..<count {
        let verdict = hotp.verify(try OneTimeCode("000000"), from: Counter(0), lookAhead: 10)
        if verdict == .rejected { misses += 1 }
    }
    return [misses == count ? 1 : 0]
}

/// 64 hexadecimal digits, like a SHA-256 hash.
private let question = String(repeating: "0123456789abcdef", count: 4)

private func ocra(_ suite: String, _ count: Int) throws -> [UInt8] {
    let secrets = try Material.secrets(byteCount: 32)
    var ocra = try OCRA(suite: try OCRASuite(suite), secret: secrets[0])
    func input(_ index: Int) -> OCRA.Input {
        OCRA.Input(question: OCRAQuestion(question), counter: Counter(UInt64(index)))
    }
    for index in 0..<count {
        try ocra.setSecret(secrets[index % Material.keyCount])
        _ = try ocra.code(for: input(index))
    }
    return Array(try ocra.code(for: input(count - 1)).text.utf8)
}
