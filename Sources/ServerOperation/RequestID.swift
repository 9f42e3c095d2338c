import TransactionApproval

/// The id of a request, in its response and in all its log lines.
package struct RequestID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}
