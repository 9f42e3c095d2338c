import Cryptography
import OneTimePassword
import OneTimePasswordFormats

extension VectorType {
    static let hotp = VectorType(
        name: "hotp",
        inputs: [
            .bytes("key_hex"), .text("counter"), .integer("digits"), .text("algorithm"),
        ],
        results: [.text("otp")]
    ) { row in
        let hotp = try HOTP(
            secret: row.secret(),
            digits: row.digits(),
            algorithm: row.algorithm()
        )
        return ["otp": .text(hotp.code(at: try row.counter("counter")).text)]
    }

    static let totp = VectorType(
        name: "totp",
        inputs: [
            .bytes("key_hex"), .text("unix_time"), .integer("period"), .integer("digits"),
            .text("algorithm"),
        ],
        results: [.text("otp")]
    ) { row in
        let totp = try TOTP(
            secret: row.secret(),
            digits: row.digits(),
            algorithm: row.algorithm(),
            periodSeconds: row.integer("period")
        )
        let time = try row.counter("unix_time").value
        return ["otp": .text(totp.code(secondsSince1970: time).text)]
    }

    static let ocraSuite = VectorType(
        name: "ocra-suite",
        inputs: [.text("suite")],
        results: []
    ) { row in
        _ = try OCRASuite(row.text("suite"))
        return [:]
    }

    static let ocra = VectorType(
        name: "ocra",
        inputs: [
            .text("suite"), .bytes("key_hex"), .text("question"), .text("counter").optional,
            .text("pin").optional, .bytes("session_hex").optional, .text("time_steps").optional,
        ],
        results: [.text("ocra")]
    ) { row in
        let suite = try OCRASuite(row.text("suite"))
        let ocra = try OCRA(suite: suite, secret: row.secret())
        return ["ocra": .text(try ocra.code(for: row.ocraInput(for: suite)).text)]
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
        try OTPAuthURI(row.text("uri")).vectorFields
    }
}

extension VectorCase {
    fileprivate func secret() throws -> Secret {
        let bytes = try bytes("key_hex")
        return try Secret(copying: bytes.span)
    }

    fileprivate func digits() throws -> HOTP.Digits {
        try orRefused(HOTP.Digits(rawValue: try integer("digits")))
    }

    fileprivate func algorithm() throws -> HMACAlgorithm {
        try orRefused(HMACAlgorithm(rawValue: try text("algorithm")))
    }

    func counter(_ name: String = "counter") throws -> Counter {
        try orRefused(Counter(try text(name)))
    }

    fileprivate func ocraInput(for suite: OCRASuite) throws -> OCRA.Input {
        var input = OCRA.Input(question: try question(for: suite))
        if has("counter") { input.counter = try counter("counter") }
        if has("time_steps") { input.timeSteps = try counter("time_steps").value }
        if has("session_hex") { input.session = try bytes("session_hex") }
        if has("pin") {
            let pin = Array(try text("pin").utf8)
            input.pin = try SecretBytes(copying: pin.span)
        }
        return input
    }

    /// A question longer than the suite allows contains both questions of mutual mode.
    private func question(for suite: OCRASuite) throws -> OCRAQuestion {
        let question = try text("question")
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
