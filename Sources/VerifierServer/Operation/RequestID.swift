import TransactionApproval

/// The name of one request, which its answer and every line about it carry.
package struct RequestID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}
