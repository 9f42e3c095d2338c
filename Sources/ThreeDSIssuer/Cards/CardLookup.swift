package import ThreeDSProtocol

/// The finding about the card of an AReq.
package enum CardLookup: Equatable, Sendable {
    /// The number is in no range of the directory that sent the AReq.
    case outsideRanges
    case noRecord
    case blocked
    case active(Card)

    /// `record` is the store's row for the fingerprint of the number.
    package init(of number: CardNumber, in directory: CardDirectory, record: Card?) {
        guard directory.includes(number) else {
            self = .outsideRanges
            return
        }
        guard let record else {
            self = .noRecord
            return
        }
        self = record.isBlocked ? .blocked : .active(record)
    }
}
