import Cryptography
import ThreeDSProtocol
import Transactions

extension Authentication {
    /// The first byte of the simplest form.
    private static let form: UInt8 = 1
    /// The same with the `dsTransID`, whose spelling is not the one of the column.
    private static let spellingForm: UInt8 = 2
    /// Each form with the `dsURL` after the directory.
    private static let addressForms: [UInt8] = [3, 4]

    /// The content of the row, without the values of its columns.
    var encoded: [UInt8] {
        var writer = FieldWriter(reserving: 4096)
        let spelling = facts.ids.directory
        let form = spelling == directoryKey ? Self.form : Self.spellingForm
        writer.append(dsURL == nil ? form : Self.addressForms[Int(form) - 1])
        if let spelling, spelling != directoryKey { writer.append(spelling) }
        writer.append(facts.version.rawValue)
        writer.append(facts.channel.rawValue)
        writer.append(facts.category.rawValue)
        writer.append(optional: facts.ids.server)
        writer.append(optional: facts.ids.sdk)
        writer.append(facts.isDecoupled)
        writer.append(facts.ways.rawValue)
        writer.append(directory.text)
        if let dsURL { writer.append(dsURL) }
        writer.append(optional: card?.text)
        writer.append(requestDigest)
        // Earlier rows had their ARes here.
        writer.append(false)
        writer.append(optional: purchase) { $1.writeContent(to: &$0) }
        writer.append(optional: basis) { $1.writeContent(to: &$0) }
        writer.append(optional: valueKey) { $0.append($1) }
        writer.append(isValueUsed)
        writer.append(optional: challenge) { $1.writeContent(to: &$0) }
        return writer.bytes
    }

    init(
        encoded bytes: [UInt8],
        id: String,
        directoryID: String,
        made: Timestamp
    ) throws(FieldReader.Failure) {
        var reader = FieldReader(bytes)
        let form = try reader.byte()
        guard 1...4 ~= form else { throw .malformed(offset: 0) }
        let hasAddress = form >= 3
        let spelling = [1, 3].contains(form) ? directoryID : try reader.text()
        let version = try reader.value(ProtocolVersion.init(rawValue:))
        let channel = try reader.value(DeviceChannel.init(rawValue:))
        let category = try reader.value(MessageCategory.init(rawValue:))
        var ids = TransactionIDs()
        (ids.acs, ids.directory) = (id, spelling)
        let start = reader.offset
        ids.server = try reader.optionalText()
        ids.sdk = try reader.optionalText()
        let facts = CardAuthentication(
            version: version,
            channel: channel,
            category: category,
            ids: ids,
            isDecoupled: try reader.flag(),
            ways: AuthenticationTypes(rawValue: try reader.byte())
        )
        guard let facts else { throw .malformed(offset: start) }
        let directory = try reader.value { DirectoryID($0) }
        let dsURL = hasAddress ? try reader.text() : nil
        self.init(
            facts: facts,
            directory: directory,
            card: try reader.optional { reader throws(FieldReader.Failure) in
                try reader.identifier()
            },
            made: made,
            requestDigest: try reader.field()
        )
        self.dsURL = dsURL
        let place = reader.offset
        guard try !reader.flag() else { throw .malformed(offset: place) }
        purchase = try reader.optional { reader throws(FieldReader.Failure) in
            try AuthenticatedPurchase(contentFrom: &reader, of: facts)
        }
        basis = try reader.optional { reader throws(FieldReader.Failure) in
            try AuthenticationBasis(contentFrom: &reader)
        }
        valueKey = try reader.optional { reader throws(FieldReader.Failure) in
            try reader.byte()
        }
        isValueUsed = try reader.flag()
        challenge = try reader.optional { reader throws(FieldReader.Failure) in
            try StoredChallenge(contentFrom: &reader)
        }
        try reader.end()
    }
}

extension AuthenticatedPurchase {
    fileprivate func writeContent(to writer: inout FieldWriter) {
        writer.append(card.array)
        writer.append(optional: acquirerBIN)
        writer.append(optional: acquirerMerchantID)
        writer.append(optional: merchantName)
        writer.append(optional: amount) { $0.append($1) }
        writer.append(optional: purchaseDate)
    }

    fileprivate init(
        contentFrom reader: inout FieldReader,
        of facts: CardAuthentication
    ) throws(FieldReader.Failure) {
        let start = reader.offset
        let card = try reader.bytesOfField(count: HashAlgorithm.sha256.byteCount)
        guard let dsTransID = facts.ids.directory else { throw .malformed(offset: start) }
        self.init(
            card: Digest(copying: card.span),
            acsTransID: facts.acsTransID,
            dsTransID: dsTransID
        )
        acquirerBIN = try reader.optionalText()
        acquirerMerchantID = try reader.optionalText()
        merchantName = try reader.optionalText()
        amount = try reader.optionalAmount()
        purchaseDate = try reader.optionalText()
    }
}

extension AuthenticationBasis {
    /// An exemption has no transaction.
    fileprivate func writeContent(to writer: inout FieldWriter) {
        switch self {
        case .approval(let transaction, let way):
            writer.append(true)
            writer.append(transaction)
            writer.append(way.rawValue)
        case .exemption: writer.append(false)
        }
    }

    fileprivate init(contentFrom reader: inout FieldReader) throws(FieldReader.Failure) {
        guard try reader.flag() else {
            self = .exemption
            return
        }
        let transaction = try reader.identifier(TransactionID.self)
        self = .approval(transaction, by: try reader.value(AuthenticationType.init(rawValue:)))
    }
}
