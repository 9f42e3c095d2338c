import TestSupport
import Testing
import TransactionApproval

@Suite struct `Transaction hashes` {
    @Test func `SEC-41 differ after any changed bit, or the bytes are refused`() throws {
        var random = SeededGenerator(seed: 41)
        var (refused, accepted) = (0, 0)
        while refused + accepted < 10_000 {
            let transaction = try TransactionParts.random(using: &random).transaction()
            let hash = try TransactionHash(of: transaction)
            let canonicalBytes = transaction.canonicalBytes
            for _ in 0..<20 {
                var bytes = canonicalBytes
                let index = Int.random(in: bytes.indices, using: &random)
                bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                guard let changed = try? Transaction(canonicalBytes: bytes) else {
                    refused += 1
                    continue
                }
                accepted += 1
                #expect(changed.canonicalBytes == bytes)
                #expect(try TransactionHash(of: changed) != hash)
            }
        }
        // Both results must occur often.
        #expect(refused > 1_000 && accepted > 1_000)
    }

    @Test func `SEC-41 differ after any changed field`() throws {
        var random = SeededGenerator(seed: 42)
        var changes = 0
        while changes < 10_000 {
            var parts = TransactionParts.random(using: &random)
            let transaction = try parts.transaction()
            let hash = try TransactionHash(of: transaction)
            for field in Transaction.Field.allCases {
                let original = parts
                parts.change(field, using: &random)
                let changed = try parts.transaction()
                parts = original
                guard changed != transaction else { continue }
                changes += 1
                #expect(try TransactionHash(of: changed) != hash, "\(field)")
            }
        }
    }

    @Test func `are never equal for distinct transactions`() throws {
        var random = SeededGenerator(seed: 43)
        var known: [TransactionHash: Transaction] = [:]
        for _ in 0..<2_000 {
            let transaction = try TransactionParts.random(using: &random).transaction()
            let hash = try TransactionHash(of: transaction)
            #expect(known[hash] == nil || known[hash] == transaction)
            known[hash] = transaction
        }
    }

    @Test func `SEC-43 differ if payees are reordered, removed, added or moved`() throws {
        let payees = [("Ann", "1"), ("Bob", "2"), ("Cleo", "3")]
        let lists = [
            payees, payees.reversed(), [payees[1], payees[0], payees[2]], [payees[0], payees[1]],
            payees + [("Dora", "4")], payees + [payees[2]], [payees[0], payees[0], payees[2]],
            [("Ann", "2"), ("Bob", "1"), ("Cleo", "3")],
            [("An", "1"), ("nBob", "2"), ("Cleo", "3")],
        ]
        try expectDistinct(lists) { $0.payees = $1 }
    }

    @Test func `SEC-43 differ for two shops of one name, and for an account of the same text`()
        throws
    {
        try expectDistinct(["shop 1", "shop 2", "DE89370400440532013000", nil]) {
            $0.payees = [("Shop", "DE89370400440532013000")]
            $0.merchant = $1.map { ("Shop", $0) }
        }
        try expectDistinct([("Shop", "1 A"), ("Shop1", "A"), ("Shop 1", "A")]) { $0.merchant = $1 }
    }

    @Test func `SEC-43 differ if a total of a batch differs`() throws {
        let lists: [[(UInt64, String)]] = [
            [(100, "EUR")], [(101, "EUR")], [(100, "USD")], [(100, "JPY")],
            [(100, "EUR"), (100, "USD")], [(100, "USD"), (100, "EUR")],
        ]
        try expectDistinct(lists) { $0.amounts = $1 }
    }

    @Test func `differ if text moves between two fields`() throws {
        let fields = [
            [("ab", "c")], [("a", "bc")], [("a", "b"), ("c", "d")], [("a", "bc"), ("d", "e")],
            [("a", "b")], [("a", "b"), ("a", "b")], [("b", "a")], [],
        ]
        try expectDistinct(fields) { $0.fields = $1 }
        try expectDistinct([("ab", "c"), ("a", "bc"), ("abc", "x")]) {
            ($0.enterprise, $0.id) = $1
        }
        try expectDistinct([("ab", "c"), ("a", "bc")]) { ($0.accountType, $0.accountID) = $1 }
        try expectDistinct([("Pay", [("a", "b")]), ("Paya", [("b", "a")])]) {
            ($0.title, $0.fields) = $1
        }
    }

    @Test func `SEC-31 differ for transactions that differ only in their ids`() throws {
        try expectDistinct(["tx-1", "tx-2"]) { $0.id = $1 }
        try expectDistinct(["bank-1", "bank-2"]) { $0.enterprise = $1 }
        try expectDistinct([0, 1]) { $0.nonce = [UInt8](repeating: $1, count: 16) }
        try expectDistinct([0, 1]) { $0.epoch = $1 }
        try expectDistinct([nil, "order-1", "order-2"]) { $0.reference = $1 }
        try expectDistinct([nil, "https://a.example/", "https://a.example"]) { $0.returnURL = $1 }
    }

    @Test func `have 32 bytes`() throws {
        let hash = try TransactionHash(of: TransactionParts().transaction())
        #expect(TransactionHash(hash.bytes) == hash)
        #expect(TransactionHash(Array(hash.bytes.dropLast())) == nil)
        #expect(TransactionHash(hash.bytes + [0]) == nil)
    }

    private func expectDistinct<Value>(
        _ values: [Value],
        at location: SourceLocation = #_sourceLocation,
        in change: (inout TransactionParts, Value) -> Void
    ) throws {
        let hashes = try values.map { value in
            var parts = TransactionParts()
            change(&parts, value)
            return try TransactionHash(of: parts.transaction())
        }
        #expect(Set(hashes).count == values.count, sourceLocation: location)
    }
}
