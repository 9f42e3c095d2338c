import Testing
import TransactionApproval
import Verification

@Suite struct `The shares of delivery slots` {
    private var shares = DeliveryShares()

    private mutating func beginAll(_ name: String) -> Int {
        var count = 0
        while shares.begin(EnterpriseID(checked: name)) { count += 1 }
        return count
    }

    @Test mutating func `give each enterprise at most half of the free slots`() {
        let counts = (1...6).map { beginAll("slow-\($0)") }
        #expect(counts == [8, 4, 2, 1, 1, 0])
        #expect(shares.freeCount == 0)
    }

    @Test mutating func `pass on the slots of the enterprise that holds most of them`() {
        for number in 1...5 { _ = beginAll("slow-\(number)") }
        shares.end(EnterpriseID(checked: "slow-1"))
        let (again, other) = (beginAll("slow-1"), beginAll("other"))
        #expect(again == 0)
        #expect(other == 1)
    }

    @Test mutating func `exclude enterprises that hold as many slots as are free`() {
        _ = beginAll("slow")
        #expect(shares.exhausted == [EnterpriseID(checked: "slow")])
        _ = shares.begin(EnterpriseID(checked: "other"))
        #expect(shares.exhausted == [EnterpriseID(checked: "slow")])
        for _ in 0..<4 { shares.end(EnterpriseID(checked: "slow")) }
        #expect(shares.exhausted.isEmpty)
    }

    @Test mutating func `exclude at most as many enterprises as a statement has parameters`() {
        for number in 0..<100 { _ = shares.begin(EnterpriseID(checked: "\(number)")) }
        #expect(shares.exhausted.count == DeliveryShares.slotCount)
    }
}
