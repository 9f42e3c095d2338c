extension PSKCDocument {
    /// How the use of a key is limited (RFC 6030, section 5).
    ///
    /// Nothing here looks at a clock or counts uses: whoever uses the key keeps to its dates, its
    /// number of transactions and its PIN policy.
    public struct Policy: Equatable, Sendable {
        /// A date and time as XML Schema, part 2, section 3.2.7, writes it.
        public var startDate: String?
        public var expiryDate: String?
        public var numberOfTransactions: UInt64?
        /// What the key may be used for; empty means anything.
        public var usages: [Usage] = []
        public var pin: PINPolicy?
        /// False where the document says more than is understood here: the key must not be used.
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
        /// Where the PIN goes.
        public enum UsageMode: String, CaseIterable, Sendable {
            /// The device checks it.
            case local = "Local"
            /// It is sent before the code.
            case prepend = "Prepend"
            /// It is sent after the code.
            case append = "Append"
            /// The code is computed from it.
            case algorithmic = "Algorithmic"
        }

        /// Which key of the document is the PIN.
        public var keyID: String?
        public var usageMode: UsageMode?
        public var format: ValueFormat?
        public var minimumLength: UInt32?
        public var maximumLength: UInt32?
        public var maximumFailedAttempts: UInt32?

        public init() {}
    }
}
