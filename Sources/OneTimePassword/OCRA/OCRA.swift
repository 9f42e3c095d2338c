import Cryptography

/// Codes over a challenge or over data to sign (RFC 6287), with the key kept ready.
///
/// It is not `Sendable`: use one value per task. During its life OpenSSL keeps data derived from
/// the key in ordinary memory, and wipes that data at the end.
public struct OCRA: ~Copyable {
    /// The input for one code; the suite defines which parts are required.
    public struct Input: Sendable {
        public var question: OCRAQuestion
        public var counter: Counter?
        public var pin: SecretBytes?
        /// At most as many bytes as the suite defines; fewer bytes are padded with zeros on the
        /// left.
        public var session: [UInt8]?
        public var timeSteps: UInt64?

        public init(
            question: OCRAQuestion,
            counter: Counter? = nil,
            pin: SecretBytes? = nil,
            session: [UInt8]? = nil,
            timeSteps: UInt64? = nil
        ) {
            self.question = question
            self.counter = counter
            self.pin = pin
            self.session = session
            self.timeSteps = timeSteps
        }
    }

    public enum Failure: Error, Equatable, Sendable {
        /// The part of the input that the suite does not accept, or that is missing.
        case question, counter, pin, session, timeSteps
        case system(SystemFailure)
    }

    public let suite: OCRASuite
    private var hmac: HMAC

    public init(suite: OCRASuite, secret: Secret) throws(SystemFailure) {
        hmac = try secret.keyedHMAC(suite.algorithm)
        self.suite = suite
    }

    /// Switches to another secret, which is faster than another `OCRA`.
    public mutating func setSecret(_ secret: Secret) throws(SystemFailure) {
        try hmac.setSecret(secret)
    }

    public func code(for input: Input) throws(Failure) -> OneTimeCode {
        code(for: try OCRADataInput(input, for: suite), at: input.counter)
    }

    /// Verifies a code of a suite with a counter; `input` contains the minimum counter.
    public func verify(
        _ code: OneTimeCode,
        for input: Input,
        lookAhead: LookAhead
    ) throws(Failure) -> CodeVerdict {
        guard let counter = input.counter else { throw .counter }
        let dataInput = try OCRADataInput(input, for: suite)
        return CodeSearch(first: counter, reach: lookAhead.count)
            .verdict(on: code) { self.code(for: dataInput, at: $0) }
    }

    /// Returns whether a code belongs to exactly this input, for any suite.
    ///
    /// The caller must accept each code only once, and must limit the clock difference.
    public func matches(_ code: OneTimeCode, _ input: Input) throws(Failure) -> Bool {
        try self.code(for: input) == code
    }

    private func code(for dataInput: borrowing OCRADataInput, at counter: Counter?) -> OneTimeCode {
        let mac = hmac.total { message throws(CryptographyFailure) in
            try message.append(suite.prefix.span)
            if let counter {
                let movingFactor = counter.bigEndianBytes
                try message.append(movingFactor.span)
            }
            try dataInput.append(to: message)
        }
        return suite.digitCount == 0
            ? OneTimeCode(whole: mac) : OneTimeCode(mac.truncated, digitCount: suite.digitCount)
    }
}
