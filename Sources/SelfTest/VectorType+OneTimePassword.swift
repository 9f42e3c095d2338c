import Cryptography
import OneTimePassword

extension VectorType {
    static let hotp = VectorType(
        name: "hotp",
        inputs: [
            .bytes("key_hex"), .text("counter"), .integer("digits"), .text("algorithm"),
        ],
        results: [.text("otp")]
    ) { row in
        guard
            let secret = row.secret, let digits = row.digits, let algorithm = row.algorithm,
            let counter = row.text("counter").flatMap(Counter.init),
            let hotp = try? HOTP(secret: secret, digits: digits, algorithm: algorithm)
        else { return nil }
        return ["otp": .text(hotp.code(at: counter).text)]
    }

    static let totp = VectorType(
        name: "totp",
        inputs: [
            .bytes("key_hex"), .text("unix_time"), .integer("period"), .integer("digits"),
            .text("algorithm"),
        ],
        results: [.text("otp")]
    ) { row in
        guard
            let secret = row.secret, let digits = row.digits, let algorithm = row.algorithm,
            let period = row.integer("period"),
            let time = row.text("unix_time").flatMap(Counter.init),
            let totp = try? TOTP(
                secret: secret,
                digits: digits,
                algorithm: algorithm,
                periodSeconds: period
            )
        else { return nil }
        return ["otp": .text(totp.code(secondsSince1970: time.value).text)]
    }

    static let ocraSuite = VectorType(
        name: "ocra-suite",
        inputs: [.text("suite")],
        results: []
    ) { row in
        row.suite == nil ? nil : [:]
    }

    static let ocra = VectorType(
        name: "ocra",
        inputs: [
            .text("suite"), .bytes("key_hex"), .text("question"), .text("counter").optional,
            .text("pin").optional, .bytes("session_hex").optional, .text("time_steps").optional,
        ],
        results: [.text("ocra")]
    ) { row in
        guard
            let suite = row.suite, let secret = row.secret, let input = row.ocraInput(for: suite),
            let ocra = try? OCRA(suite: suite, secret: secret),
            let code = try? ocra.code(for: input)
        else { return nil }
        return ["ocra": .text(code.text)]
    }

    static let otpauth = VectorType(
        name: "otpauth",
        inputs: [.text("uri")],
        results: [
            .text("kind"), .text("label"), .text("issuer").optional, .text("algorithm"),
            .integer("digits"), .text("counter").optional, .integer("period").optional,
            .bytes("secret_hex"),
        ]
    ) { row in
        row.text("uri").flatMap { try? OTPAuthURI($0) }?.vectorFields
    }
}

extension VectorCase {
    fileprivate var secret: Secret? {
        bytes("key_hex").flatMap { try? Secret(copying: $0.span) }
    }

    fileprivate var digits: HOTP.Digits? { integer("digits").flatMap(HOTP.Digits.init) }

    fileprivate var algorithm: HMACAlgorithm? {
        text("algorithm").flatMap(HMACAlgorithm.init)
    }

    fileprivate var suite: OCRASuite? { text("suite").flatMap { try? OCRASuite($0) } }

    /// Nil where a field is there that cannot be read.
    fileprivate func ocraInput(for suite: OCRASuite) -> OCRA.Input? {
        var input = OCRA.Input(question: question(for: suite))
        if let text = text("counter") {
            guard let counter = Counter(text) else { return nil }
            input.counter = counter
        }
        if let text = text("time_steps") {
            guard let steps = Counter(text) else { return nil }
            input.timeSteps = steps.value
        }
        if let text = text("pin") {
            guard let pin = try? ForeignSecret(copying: Array(text.utf8).span) else { return nil }
            input.pin = pin
        }
        input.session = bytes("session_hex")
        return input
    }

    /// A question longer than the suite's is the two of mutual mode, one behind the other.
    private func question(for suite: OCRASuite) -> OCRAQuestion {
        let question = text("question") ?? ""
        guard question.utf8.count > suite.questionLength else { return OCRAQuestion(question) }
        return OCRAQuestion(
            mutual: String(question.prefix(suite.questionLength)),
            String(question.dropFirst(suite.questionLength))
        )
    }
}

extension OTPAuthURI {
    fileprivate var vectorFields: [String: VectorCase.Value] {
        var fields: [String: VectorCase.Value] = [
            "label": .text(label),
            "algorithm": .text(algorithm.rawValue),
            "digits": .integer(digits.rawValue),
            "secret_hex": .text(secret.withBytes { TextEncoding.hexadecimal.encode($0) }),
        ]
        fields["issuer"] = issuer.map { .text($0) }
        switch kind {
        case .hotp(let counter):
            fields["kind"] = .text("hotp")
            fields["counter"] = .text(counter.description)
        case .totp(let periodSeconds):
            fields["kind"] = .text("totp")
            fields["period"] = .integer(periodSeconds)
        }
        return fields
    }
}
