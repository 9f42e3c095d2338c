import Cryptography
import Foundation
import TestSupport
import Testing

@testable import OneTimePassword

/// A second implementation of the data input, over hexadecimal text; `openssl` computes the MAC.
@Suite struct `The openssl program agrees on` {
    @Test(arguments: 0..<60)
    func `SEC-01 OCRA codes over random suites and inputs`(_ round: Int) throws {
        let sample = try Sample.random()
        let suite = try OCRASuite(sample.suite)
        let secret = try Secret(copying: sample.key.span)
        let code = try OCRA(suite: suite, secret: secret).code(for: sample.input)
        let mac = try openssl(sample.algorithm, key: sample.key, message: sample.message)
        #expect(code.text == sample.code(of: mac), "\(sample.suite)")
    }

    private func openssl(
        _ algorithm: String,
        key: [UInt8],
        message: String
    ) throws -> [UInt8] {
        let process = try FinishedProcess.run(
            "openssl",
            [
                "dgst", "-\(algorithm.lowercased())", "-mac", "HMAC", "-macopt",
                "hexkey:" + TextEncoding.hexadecimal.encode(key.span),
            ],
            input: TextEncoding.hexadecimal.decode(message)
        )
        let text = try #require(process.output.split(separator: " ").last)
        return try TextEncoding.hexadecimal.decode(String(text.dropLast()))
    }
}

/// A suite with random inputs, and the same inputs as the hashed text.
private struct Sample {
    let suite: String
    let algorithm: String
    let digitCount: Int
    let key: [UInt8]
    let input: OCRA.Input
    /// Hexadecimal.
    let message: String

    static func random() throws -> Sample {
        let algorithm = ["SHA1", "SHA256", "SHA512"].randomElement() ?? "SHA1"
        let digitCount = [0, 4, 5, 6, 7, 8, 9].randomElement() ?? 6
        let length = Int.random(in: 4...64)
        let format = Bool.random() ? "N" : "H"
        let alphabet = format == "N" ? "0123456789" : "0123456789abcdefABCDEF"
        let question = String((0..<length).map { _ in alphabet.randomElement() ?? "0" })
        var suite = "OCRA-1:HOTP-\(algorithm)-\(digitCount):"
        var input = OCRA.Input(question: OCRAQuestion(question))
        var fields = ""
        if Bool.random() {
            suite += "C-"
            let counter = UInt64.random(in: .min ... .max)
            input.counter = Counter(counter)
            fields += hexadecimal(counter)
        }
        suite += "Q" + format + (length < 10 ? "0" : "") + "\(length)"
        fields += padded(format == "N" ? hexadecimal(decimal: question) : question.lowercased())
        if Bool.random() {
            suite += "-S064"
            let session = (0..<Int.random(in: 1...64)).map { _ in UInt8.random(in: .min ... .max) }
            input.session = session
            let text = TextEncoding.hexadecimal.encode(session.span)
            fields += String(repeating: "0", count: 128 - text.count) + text
        }
        if Bool.random() {
            suite += "-T1M"
            let steps = UInt64.random(in: .min ... .max)
            input.timeSteps = steps
            fields += hexadecimal(steps)
        }
        return Sample(
            suite: suite,
            algorithm: algorithm,
            digitCount: digitCount,
            key: (0..<32).map { _ in UInt8.random(in: .min ... .max) },
            input: input,
            message: TextEncoding.hexadecimal.encode((Array(suite.utf8) + [0]).span) + fields
        )
    }

    /// Also truncates as text: the offset is the last hexadecimal digit.
    func code(of mac: [UInt8]) -> String {
        let text = TextEncoding.hexadecimal.encode(mac.span)
        guard digitCount > 0 else { return text }
        let offset = text.last?.hexDigitValue ?? 0
        let word = text.dropFirst(2 * offset).prefix(8)
        let number = (Int(word, radix: 16) ?? 0) & 0x7fff_ffff
        return String((String(repeating: "0", count: 9) + "\(number)").suffix(digitCount))
    }
}

private func padded(_ digits: String) -> String {
    digits + String(repeating: "0", count: 256 - digits.count)
}

private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

/// Divides the decimal digits by 16 until zero; the remainders are the digits.
private func hexadecimal(decimal: String) -> String {
    var digits = decimal.compactMap(\.wholeNumberValue)
    var result = ""
    repeat {
        var remainder = 0
        digits = digits.map { digit in
            let dividend = remainder * 10 + digit
            remainder = dividend % 16
            return dividend / 16
        }
        digits = Array(digits.drop { $0 == 0 })
        result = String(remainder, radix: 16) + result
    } while !digits.isEmpty
    return result
}
