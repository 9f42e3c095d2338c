extension PSKCDocument {
    /// Limits for the use of a key (RFC 6030, section 5).
    ///
    /// The code here reads no clock and counts no uses: the caller must obey the dates, the number
    /// of transactions and the PIN policy.
    public struct Policy: Equatable, Sendable {
        /// A date and time in the form of XML Schema, part 2, section 3.2.7.
        public var startDate: String?
        public var expiryDate: String?
        public var numberOfTransactions: UInt64?
        /// The allowed uses; empty means any use.
        public var usages: [Usage] = []
        public var pin: PINPolicy?
        /// False if the document contains unsupported rules: the key must not be used.
        public internal(set) var isUnderstood = true

        public init() {}
    }

    /// The uses that RFC 6030, section 12.6, registers.
    public enum Usage: String, CaseIterable, Sendable {
        case oneTimePassword = "OTP"
        case challengeResponse = "CR"
        case encrypt = "Encrypt"
        case integrity = "Integrity"
        case verify = "Verify"
        case unlock = "Unlock"
        case decrypt = "Decrypt"
        case keyWrap = "KeyWrap"
        case unwrap = "Unwrap"
        case derive = "Derive"
        case generate = "Generate"
    }

    public struct PINPolicy: Equatable, Sendable {
        /// How the PIN is used.
        public enum UsageMode: String, CaseIterable, Sendable {
            /// The device checks the PIN.
            case local = "Local"
            /// The PIN is sent before the code.
            case prepend = "Prepend"
            /// The PIN is sent after the code.
            case append = "Append"
            /// The PIN is an input of the code.
            case algorithmic = "Algorithmic"
        }

        /// The key in the document that is the PIN.
        public var keyID: String?
        public var usageMode: UsageMode?
        public var format: ValueFormat?
        public var minimumLength: UInt32?
        public var maximumLength: UInt32?
        public var maximumFailedAttempts: UInt32?

        public init() {}
    }
}
