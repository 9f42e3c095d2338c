import TestSupport
import Testing
import TransactionApproval

@Suite struct `Canonical bytes` {
    @Test func `SEC-40 are read back as the transaction that wrote them`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let transaction = try TransactionParts.random(using: &random).transaction()
            #expect(try Transaction(canonicalBytes: transaction.canonicalBytes) == transaction)
        }
    }

    @Test func `of a login with only a title are read back`() throws {
        var parts = TransactionParts(context: .login, reference: nil, returnURL: nil)
        (parts.fields, parts.amounts, parts.payees) = ([], [], [])
        let transaction = try parts.transaction()
        #expect(try Transaction(canonicalBytes: transaction.canonicalBytes) == transaction)
    }

    @Test func `of the largest transaction stay within the limit`() throws {
        let wide = "𠮷"
        var parts = TransactionParts(
            title: String(repeating: wide, count: 100),
            returnURL: "https://a/" + String(repeating: "b", count: 490)
        )
        let field = (String(repeating: wide, count: 40), String(repeating: wide, count: 200))
        parts.fields = Array(repeating: field, count: 20)
        parts.amounts = Currency.all.prefix(10).map { (Amount.maximumMinorUnits, $0.code) }
        let payee = (String(repeating: wide, count: 70), String(repeating: "9", count: 34))
        parts.payees = Array(repeating: payee, count: 100)
        let bytes = try parts.transaction().canonicalBytes
        #expect((48_000...Transaction.maximumByteCount).contains(bytes.count))
        #expect(try Transaction(canonicalBytes: bytes) == parts.transaction())
    }

    @Test func `start with a name, a version and the first tag`() throws {
        let bytes = try TransactionParts().transaction().canonicalBytes
        let beginning = CanonicalFields.opening + [1, 0, 0, 0, 6] + Array("bank-1".utf8)
        #expect(bytes.starts(with: beginning))
        #expect(CanonicalFields(bytes).bytes == bytes)
        #expect(CanonicalFields(bytes).fields.map(\.tag) == Array(1...16))
    }
}

@Suite struct `Malformed canonical bytes` {
    private let valid: [UInt8]
    private let fields: CanonicalFields

    init() throws {
        valid = try TransactionParts().transaction().canonicalBytes
        fields = CanonicalFields(valid)
    }

    @Test func `that end early are refused`() {
        for count in valid.indices { refuse(Array(valid.prefix(count))) }
    }

    @Test func `with trailing bytes are refused`() {
        for byte in UInt8.min...UInt8.max {
            #expect(throws: Transaction.Failure.notCanonical) {
                try Transaction(canonicalBytes: valid + [byte])
            }
        }
    }

    @Test(arguments: 0..<5) func `with another start are refused`(_ index: Int) {
        for byte in UInt8.min...UInt8.max where byte != valid[index] {
            var changed = valid
            changed[index] = byte
            #expect(throws: Transaction.Failure.notCanonical) {
                try Transaction(canonicalBytes: changed)
            }
        }
    }

    @Test(arguments: Transaction.Field.allCases)
    func `with a missing, repeated, unknown or moved field are refused`(
        _ field: Transaction.Field
    ) throws {
        let index = Int(field.rawValue) - 1
        var missing = fields
        missing.fields.remove(at: index)
        #expect(throws: Transaction.Failure.missing(field)) {
            try Transaction(canonicalBytes: missing.bytes)
        }
        var twice = fields
        twice.fields.insert(twice.fields[index], at: index)
        refuse(twice.bytes)
        for tag in UInt8.min...UInt8.max where tag != field.rawValue {
            var unknown = fields
            unknown.fields[index].tag = tag
            #expect(throws: Transaction.Failure.missing(field)) {
                try Transaction(canonicalBytes: unknown.bytes)
            }
        }
        for other in fields.fields.indices where other != index {
            var swapped = fields
            swapped.fields.swapAt(index, other)
            refuse(swapped.bytes)
        }
    }

    @Test(arguments: Transaction.Field.allCases)
    func `with a wrong length are refused`(_ field: Transaction.Field) {
        let start = fields.fields.prefix(Int(field.rawValue) - 1)
            .reduce(CanonicalFields.opening.count) { $0 + 5 + $1.value.count }
        let count = fields.fields[Int(field.rawValue) - 1].value.count
        for wrong in [count - 1, count + 1, count + 256, 0xffff, 0x7fff_ffff, 0xffff_ffff]
        where wrong >= 0 {
            var changed = valid
            changed.replaceSubrange(start + 1..<start + 5, with: CanonicalFields.length(wrong))
            refuse(changed)
        }
    }

    @Test func `above the maximum size are refused unread`() {
        let bytes = valid + [UInt8](repeating: 0, count: Transaction.maximumByteCount)
        #expect(throws: Transaction.Failure.notCanonical) {
            try Transaction(canonicalBytes: bytes)
        }
    }

    @Test(arguments: WrongValues.all)
    func `with an invalid value are refused`(_ wrong: WrongValues) {
        for value in wrong.values {
            #expect(throws: Transaction.Failure.invalid(wrong.field), "\(value)") {
                try Transaction(canonicalBytes: fields.replacing(wrong.field, by: value))
            }
        }
    }

    private func refuse(_ bytes: [UInt8], at location: SourceLocation = #_sourceLocation) {
        #expect(throws: Transaction.Failure.self, sourceLocation: location) {
            try Transaction(canonicalBytes: bytes)
        }
    }
}
