package import TransactionApproval

/// How many deliveries each enterprise has in progress, and how many more it may begin.
///
/// An enterprise may hold at most as many slots as are free. So a slow receiver holds at most half
/// of all slots, and further ones at most half of the rest. The slots that the largest holder
/// gives back go to the others, until all hold the same.
package struct DeliveryShares: Sendable {
    /// Statements that exclude enterprises have this many parameters.
    package static let slotCount = 16

    private var held: [EnterpriseID: Int] = [:]

    package init() {}

    package var freeCount: Int { Self.slotCount - held.values.reduce(0, +) }

    /// The enterprises that must finish a delivery before they may begin another one.
    package var exhausted: [EnterpriseID] {
        let freeCount = freeCount
        return held.filter { $0.value >= freeCount }.map(\.key)
    }

    /// Returns false, and changes nothing, if the enterprise has used up its share.
    package mutating func begin(_ enterprise: EnterpriseID) -> Bool {
        let count = held[enterprise, default: 0]
        guard count < freeCount else { return false }
        held[enterprise] = count + 1
        return true
    }

    package mutating func end(_ enterprise: EnterpriseID) {
        let count = held[enterprise, default: 0] - 1
        held[enterprise] = count > 0 ? count : nil
    }
}
