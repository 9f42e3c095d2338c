import TestSupport

@testable import OneTimePassword
@testable import OneTimePasswordFormats

extension SeededGenerator {
    /// A document with a random choice of all supported elements.
    mutating func document() throws -> PSKCDocument {
        let keys = try (0..<Int.random(in: 1...3, using: &self)).map { number in
            try key(id: maybe { _ in "K\(number)" })
        }
        return PSKCDocument(id: maybeText(), keys: keys)
    }

    private mutating func key(id: String?) throws -> PSKCDocument.Key {
        let algorithms: [PSKCDocument.Algorithm?] = [
            .hotp, .totp, .ocra, .pin, .other("urn:x?a&b"),
        ]
        let secret = try maybe { generator in
            try SecretBytes(
                (0..<Int.random(in: 1...512, using: &generator)).map { _ in
                    .random(in: 0...255, using: &generator)
                }
            )
        }
        var key = PSKCDocument.Key(id: id, algorithm: one(of: algorithms + [nil]), secret: secret)
        key.device.manufacturer = maybeText()
        key.device.serialNumber = maybeText()
        key.device.model = maybeText()
        key.device.issueNumber = maybeText()
        key.device.userID = maybeText()
        key.cryptoModuleID = maybeText()
        key.issuer = maybeText()
        key.userID = maybeText()
        key.friendlyName = maybeText()
        key.profile = maybeText()
        key.reference = maybeText()
        key.suite = maybeText()
        key.challengeFormat = maybe {
            PSKCDocument.ChallengeFormat(
                format: $0.one(of: PSKCDocument.ValueFormat.allCases),
                lengths: 4...max(4, $0.length()),
                hasCheckDigit: Bool.random(using: &$0)
            )
        }
        key.responseFormat = maybe {
            PSKCDocument.ResponseFormat(
                format: $0.one(of: PSKCDocument.ValueFormat.allCases),
                length: $0.length(),
                hasCheckDigit: Bool.random(using: &$0)
            )
        }
        key.counter = maybeNumber().map { Counter($0) }
        key.time = maybeNumber()
        key.timeIntervalSeconds = maybeNumber()
        key.timeDrift = maybeNumber()
        key.policy = policy()
        return key
    }

    private mutating func policy() -> PSKCDocument.Policy {
        var policy = PSKCDocument.Policy()
        policy.startDate = maybe { _ in "2026-01-01T00:00:00Z" }
        policy.expiryDate = maybe { _ in "2030-12-31T23:59:59.5+01:00" }
        policy.numberOfTransactions = maybeNumber()
        policy.usages = PSKCDocument.Usage.allCases.filter { _ in .random(using: &self) }
        policy.pin = maybe { generator in
            var pin = PSKCDocument.PINPolicy()
            pin.keyID = generator.maybeText()
            pin.usageMode = generator.maybe {
                $0.one(of: PSKCDocument.PINPolicy.UsageMode.allCases)
            }
            pin.format = generator.maybe { $0.one(of: PSKCDocument.ValueFormat.allCases) }
            pin.minimumLength = generator.maybe { $0.length() }
            pin.maximumLength = generator.maybe { $0.length() }
            pin.maximumFailedAttempts = generator.maybe { $0.length() }
            return pin
        }
        return policy
    }

    private mutating func maybeText() -> String? {
        maybe {
            $0.one(of: [
                "", "Bank", "Bánk & <Söhne> \"von\" 'hier' ]]>", "銀行", "a  b", "\u{A0}",
                "&\u{301}<\u{338}>\u{338}\"\u{301}",
                String(repeating: "ü", count: 512),
            ])
        }
    }

    private mutating func maybeNumber() -> UInt64? {
        maybe { $0.one(of: [0, 7, $0.next(), .max]) }
    }

    private mutating func length() -> UInt32 {
        UInt32(truncatingIfNeeded: next())
    }

    private mutating func maybe<Value>(
        _ make: (inout SeededGenerator) throws -> Value
    ) rethrows -> Value? {
        Bool.random(using: &self) ? try make(&self) : nil
    }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &self)]
    }
}
