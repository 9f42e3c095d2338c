import Cryptography
import OneTimePassword
import TransactionApproval

extension AccountRecord {
    /// Why a record cannot be read.
    enum Failure: Error, Equatable, Sendable {
        /// A later version wrote the record.
        case newer(version: UInt16)
        /// The bytes are not a record.
        case damaged
    }

    /// Reads exactly the form that `bytes` writes.
    init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.starts(with: Self.opening) else { throw .damaged }
        var reader = FieldReader(Array(bytes.dropFirst(Self.opening.count)))
        // All errors are reported alike: `try?`.
        guard let version = try? reader.number(UInt16.self) else { throw .damaged }
        guard version <= Self.version else { throw .newer(version: version) }
        guard
            version == Self.version, let record = try? Self(&reader), (try? reader.end()) != nil
        else { throw .damaged }
        self = record
    }

    private init(_ reader: inout FieldReader) throws {
        device = try reader.identifier()
        place = try reader.number()
        enterprise = try reader.identifier()
        account = AccountKey(type: try reader.identifier(), id: try reader.identifier())
        server = try ServerOrigin(try reader.text(atMost: ServerOrigin.maximumByteCount)).read()
        agreementKey = try reader.key().read()
        signingKey = try reader.key().read()
        nextSigningKey = try reader.key()
        state = try State(&reader)
        awaitsPINChange = try reader.flag()
        policy = try DevicePolicy(
            try reader.field(atMost: ActivationOffer.maximumPolicy)
        ).read()
        user = try CredentialRecord(&reader)
        deviceCredential = try CredentialRecord(&reader)
        biometric = try reader.flag() ? try CredentialRecord(&reader) : nil
    }
}

extension AccountRecord.State {
    fileprivate init(_ reader: inout FieldReader) throws {
        guard try !reader.flag() else {
            self = .active
            return
        }
        self = .pending(
            SentCommit(
                activation: try reader.identifier(),
                claim: try Digest(sha256: try reader.field(of: 32)).read(),
                deviceKey: try reader.key().read()
            )
        )
    }
}

extension CredentialRecord {
    fileprivate init(_ reader: inout FieldReader) throws {
        id = try reader.identifier()
        counter = Counter(try reader.number())
        epoch = Epoch(try reader.number())
        ingredients = try SeedIngredients(&reader)
        proposed = try reader.flag() ? try SeedIngredients(&reader) : nil
    }
}

extension SeedIngredients {
    /// An attacker may have written a cost outside these limits.
    fileprivate init(_ reader: inout FieldReader) throws {
        generation = Generation(try reader.number())
        share = try reader.field(of: Self.shareByteCount)
        salt = try reader.field(of: Self.saltByteCount)
        cost = try Argon2id.Cost(
            passes: Int(try reader.number(UInt32.self)),
            memoryKiB: Int(try reader.number(UInt32.self)),
            lanes: Int(try reader.number(UInt32.self))
        )
        guard cost.isEnoughForPIN else { throw AccountRecord.Failure.damaged }
    }
}

extension Argon2id.Cost {
    var isEnoughForPIN: Bool {
        passes >= Self.floor.passes && memoryKiB >= Self.floor.memoryKiB
    }
}

extension FieldReader {
    fileprivate mutating func flag() throws -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw AccountRecord.Failure.damaged
        }
    }

    fileprivate mutating func field(of count: Int) throws -> [UInt8] {
        let field = try field(atMost: count)
        guard field.count == count else { throw AccountRecord.Failure.damaged }
        return field
    }

    /// Nil if the field is empty.
    fileprivate mutating func key() throws -> P256.PublicKey? {
        let point = try field(atMost: P256.uncompressedPointByteCount)
        return point.isEmpty ? nil : try P256.PublicKey(uncompressedPoint: point.span)
    }
}

extension Optional {
    fileprivate func read() throws -> Wrapped {
        guard let self else { throw AccountRecord.Failure.damaged }
        return self
    }
}
