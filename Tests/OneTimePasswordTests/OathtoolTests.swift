import Cryptography
import Foundation
import TestSupport
import Testing

@testable import OneTimePassword

/// Compares with another implementation: `oathtool` of the OATH Toolkit.
@Suite struct `oathtool agrees on` {
    @Test(arguments: HOTP.Digits.allCases)
    func `HOTP codes`(digits: HOTP.Digits) throws {
        for counter in [0, 1, 255, 65_536, 1 << 31, 1 << 32, 1 << 48] as [UInt64] {
            let secret = try Secret.random(byteCount: 20)
            let expected = try oathtool(
                "--hotp",
                "--counter=\(counter)",
                "--digits=\(digits.rawValue)",
                key: secret
            )
            let hotp = try HOTP(secret: secret, digits: digits)
            #expect(hotp.code(at: Counter(counter)).text == expected)
        }
    }

    @Test(arguments: HMACAlgorithm.allCases, HOTP.Digits.allCases)
    func `TOTP codes`(algorithm: HMACAlgorithm, digits: HOTP.Digits) throws {
        for (time, period) in [(59, 30), (1_234_567_890, 60), (4_102_444_800, 3600)] {
            let secret = try Secret.random(byteCount: 64)
            let expected = try oathtool(
                "--totp=\(algorithm.rawValue)",
                "--digits=\(digits.rawValue)",
                "--now=@\(time)",
                "--time-step-size=\(period)s",
                key: secret
            )
            let totp = try TOTP(
                secret: secret,
                digits: digits,
                algorithm: algorithm,
                periodSeconds: period
            )
            #expect(totp.code(secondsSince1970: UInt64(time)).text == expected)
        }
    }

    /// With a window of 999, the tool prints a thousand codes at once.
    @Test(arguments: HOTP.Digits.allCases)
    func `SEC-01 thousands of HOTP codes in a row`(digits: HOTP.Digits) throws {
        for first in [0, 1 << 32 - 500] as [UInt64] {
            let secret = try Secret.random(byteCount: 32)
            let printed = try oathtool(
                "--counter=\(first)",
                "--window=999",
                "--digits=\(digits.rawValue)",
                key: secret
            )
            let hotp = try HOTP(secret: secret, digits: digits)
            let codes = (first..<first + 1000).map { hotp.code(at: Counter($0)).text }
            #expect(codes == printed.split(separator: "\n").map(String.init))
        }
    }

    @Test(arguments: HMACAlgorithm.allCases)
    func `SEC-01 thousands of TOTP codes in a row`(algorithm: HMACAlgorithm) throws {
        let secret = try Secret.random(byteCount: 64)
        let printed = try oathtool(
            "--totp=\(algorithm.rawValue)",
            "--window=999",
            "--now=@1000000020",
            key: secret
        )
        let totp = try TOTP(secret: secret, algorithm: algorithm)
        let codes = (0..<1000).map {
            totp.code(secondsSince1970: UInt64(1_000_000_020 + 30 * $0)).text
        }
        #expect(codes == printed.split(separator: "\n").map(String.init))
    }

    @Test func `a code that oathtool accepts within its window`() throws {
        let secret = try Secret.random(byteCount: 20)
        let code = try HOTP(secret: secret).code(at: Counter(8))
        let offset = try oathtool("--counter=3", "--window=5", key: secret, code: code.text)
        #expect(offset == "5")
        #expect(throws: Refused.self) {
            try oathtool("--counter=3", "--window=4", key: secret, code: code.text)
        }
    }

    private struct Refused: Error {}

    /// Passes the key on standard input, which other users cannot see.
    private func oathtool(_ arguments: String..., key: Secret, code: String? = nil) throws -> String
    {
        let input = key.withBytes { TextEncoding.hexadecimal.encode($0) }
        let process = try FinishedProcess.run(
            "oathtool",
            arguments + ["-"] + (code.map { [$0] } ?? []),
            input: Array(input.utf8)
        )
        guard process.exitCode == 0 else { throw Refused() }
        return process.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
