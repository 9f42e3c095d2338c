package import StrictJSON

/// Returns one pending transaction; a closed one is refused with its outcome.
package enum TransactionExchange: DeviceExchange {
    package static let route = DeviceRoute.transaction

    package struct Request: DeviceMessage {
        package let transaction: TransactionID

        package init(transaction: TransactionID) {
            self.transaction = transaction
        }
    }

    package struct Response: DeviceMessage {
        private let bytes: CanonicalBytes
        /// The number of digits that the person types; nil if there is no number.
        package let typedDigits: TypedNumber.Length?

        package init(canonicalBytes: [UInt8], typedDigits: TypedNumber.Length? = nil) {
            bytes = CanonicalBytes(wireBytes: canonicalBytes)
            self.typedDigits = typedDigits
        }

        /// Read from the canonical bytes; nil if they break a rule that this device knows.
        package var transaction: Transaction? { Transaction(wireBytes: bytes.wireBytes) }

        private enum CodingKeys: String, CodingKey {
            case bytes = "transaction"
            case typedDigits
        }

        /// Base64url has four characters for three bytes, and the largest transaction must fit.
        package static let limits = StrictJSON.Limits(byteCount: 88 << 10, depth: 4, valueCount: 16)
    }
}

/// Unread canonical bytes: a rule that they break must not make the whole message unreadable.
private struct CanonicalBytes: BinaryMember, Equatable, Sendable {
    let wireBytes: [UInt8]
}
