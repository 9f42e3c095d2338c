import Cryptography

/// What is hashed behind suite and counter: Q, P, S and T, found to fit the suite.
struct OCRADataInput {
    private let question: InlineArray<128, UInt8>
    private let pinDigest: Digest?
    private let session: [UInt8]?
    private let sessionPadding: Int
    private let timeSteps: Counter?

    init(_ input: OCRA.Input, for suite: OCRASuite) throws(OCRA.Mismatch) {
        guard let question = input.question.bytes(for: suite) else { throw .question }
        guard suite.takesCounter == (input.counter != nil) else { throw .counter }
        guard (suite.pinAlgorithm != nil) == (input.pin != nil) else { throw .pin }
        guard
            (suite.sessionByteCount != nil) == (input.session != nil),
            input.session?.count ?? 0 <= suite.sessionByteCount ?? 0
        else { throw .session }
        guard (suite.timeStepSeconds != nil) == (input.timeSteps != nil) else { throw .timeSteps }
        self.question = question
        pinDigest = suite.pinAlgorithm.flatMap { input.pin?.digest($0.hash) }
        session = input.session
        sessionPadding = (suite.sessionByteCount ?? 0) - (input.session?.count ?? 0)
        timeSteps = input.timeSteps.map(Counter.init)
    }

    func append(to message: HMAC.Input) throws(CryptographyFailure) {
        try message.append(question.span)
        try pinDigest?.withBytes { bytes throws(CryptographyFailure) in
            try message.append(bytes)
        }
        if let session {
            for _ in 0..<sessionPadding { try message.append(Self.zero.span) }
            try message.append(session.span)
        }
        if let timeSteps {
            let bytes = timeSteps.bigEndianBytes
            try message.append(bytes.span)
        }
    }

    private static let zero: [UInt8] = [0]
}
