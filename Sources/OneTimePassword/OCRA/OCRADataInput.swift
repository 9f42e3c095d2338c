import Cryptography

/// The parts Q, P, S and T that follow suite and counter, checked against the suite.
///
/// Move-only, because it contains the hash of a PIN.
struct OCRADataInput: ~Copyable {
    private let question: InlineArray<128, UInt8>
    private let pinHash: SecureBytes?
    private let session: [UInt8]?
    private let sessionPadding: Int
    private let timeSteps: Counter?

    init(_ input: OCRA.Input, for suite: OCRASuite) throws(OCRA.Failure) {
        guard let question = input.question.bytes(for: suite) else { throw .question }
        guard suite.takesCounter == (input.counter != nil) else { throw .counter }
        guard
            (suite.sessionByteCount != nil) == (input.session != nil),
            input.session?.count ?? 0 <= suite.sessionByteCount ?? 0
        else { throw .session }
        guard (suite.timeStepSeconds != nil) == (input.timeSteps != nil) else { throw .timeSteps }
        pinHash = try Self.hash(of: input.pin, for: suite)
        self.question = question
        session = input.session
        sessionPadding = (suite.sessionByteCount ?? 0) - (input.session?.count ?? 0)
        timeSteps = input.timeSteps.map(Counter.init)
    }

    private static func hash(
        of pin: SecretBytes?,
        for suite: OCRASuite
    ) throws(OCRA.Failure) -> SecureBytes? {
        switch (suite.pinAlgorithm, pin) {
        case (nil, nil): return nil
        case (let algorithm?, let pin?):
            return try translatingSystemFailure(
                pin.withSecureBytes { pin throws(CryptographyFailure) in
                    try algorithm.hash.secretDigest(of: pin)
                },
                to: OCRA.Failure.system
            )
        default: throw .pin
        }
    }

    borrowing func append(to message: HMAC.Input) throws(CryptographyFailure) {
        try message.append(question.span)
        switch pinHash {
        case .some(let hash):
            try hash.withBytes { bytes throws(CryptographyFailure) in try message.append(bytes) }
        case .none: break
        }
        if let session {
            try message.append(Self.zeros.span.extracting(first: sessionPadding))
            try message.append(session.span)
        }
        if let timeSteps {
            let bytes = timeSteps.bigEndianBytes
            try message.append(bytes.span)
        }
    }

    /// As many zeros as the longest session has bytes.
    private static let zeros = [UInt8](repeating: 0, count: 512)
}
