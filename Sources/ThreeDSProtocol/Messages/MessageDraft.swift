import Cryptography
import StrictJSON

/// A message of a known type that is being checked, in the order of the errors.
struct MessageDraft {
    let type: MessageType
    let version: ProtocolVersion
    private let members: [JSONValue.Member]
    private let repeated: [RepeatedMember]
    private let byteCount: Int
    private let facts: TransactionFacts?
    /// Those of the message, with those of its transaction that it lacks.
    private let ids: TransactionIDs

    init(
        _ type: MessageType,
        _ members: [JSONValue.Member],
        _ repeated: [RepeatedMember],
        byteCount: Int,
        supported: [ProtocolVersion],
        fallback: ProtocolVersion,
        _ facts: TransactionFacts?,
        _ ids: TransactionIDs
    ) {
        (self.type, self.members, self.repeated) = (type, members, repeated)
        (self.byteCount, self.facts, self.ids) = (byteCount, facts, ids)
        let written = members.code(of: "messageVersion").flatMap(ProtocolVersion.init)
        // An error message has a version that this component supports.
        let isSupported = written.map { supported.contains($0) } ?? false
        version = facts?.version ?? (isSupported ? written : nil) ?? fallback
    }

    private func value(_ name: String) -> JSONValue? {
        members.value(of: name)
    }

    private func fault(
        _ code: MessageErrorCode,
        _ detail: String,
        isReported: Bool = true
    ) -> MessageFault {
        MessageFault(
            code,
            detail: detail,
            in: type,
            version: version,
            ids: ids,
            isReported: isReported
        )
    }

    private func fault(_ code: MessageErrorCode, naming names: [String]) -> MessageFault {
        fault(code, names.joined(separator: ","))
    }
}

// MARK: Checks

extension MessageDraft {
    func checkVersion(_ supported: [ProtocolVersion]) throws(MessageFault) {
        let value = value("messageVersion")
        guard let value, !value.isEmpty else {
            throw fault(.elementMissing, naming: ["messageVersion"])
        }
        guard let text = value.text else {
            throw fault(.elementInvalid, naming: ["messageVersion"])
        }
        guard supported.contains(where: { $0.rawValue.hasBytes(of: text) }) else {
            throw fault(.versionNotSupported, naming: supported.map(\.rawValue))
        }
    }

    func elementCheck(by reader: MessageReader) -> ElementCheck {
        ElementCheck(
            type,
            version,
            members,
            byteCount: byteCount,
            reader: reader,
            facts: facts
        )
    }

    func checkRepetitions(_ check: ElementCheck) throws(MessageFault) {
        let names = repeated.map { reportable($0.path) } + (check.names[.repeated] ?? [])
        guard names.isEmpty else {
            throw fault(.elementRepeated, naming: withoutRepetitions(names))
        }
    }

    func checkExtensions(_ recognised: Set<String>) throws(MessageFault) {
        let elements = value("messageExtension")?.elements ?? []
        let critical = elements.filter { element in
            guard case .boolean(true) = element["criticalityIndicator"] else { return false }
            guard let id = element["id"]?.text else { return false }
            return !recognised.contains { $0.hasBytes(of: id) }
        }
        guard critical.isEmpty else {
            let ids = critical.map { reportableID($0["id"]?.text ?? "") }
            throw fault(.extensionNotRecognised, naming: withoutRepetitions(ids))
        }
    }

    /// Nil if the message has none, or an invalid one.
    func cardNumber() throws(MessageReader.Failure) -> CardNumber? {
        guard type == .areq, let text = value("acctNumber")?.text else { return nil }
        do throws(CryptographyFailure) {
            return try CardNumber(Array(text.utf8).span)
        } catch {
            throw .system(error)
        }
    }

    func checkElements(_ check: ElementCheck, hasCardNumber: Bool) throws(MessageFault) {
        var invalid = check.names[.invalid] ?? []
        if type == .areq, !hasCardNumber, value("acctNumber")?.isEmpty == false {
            invalid.append("acctNumber")
        }
        if value("messageVersion")?.text != version.rawValue { invalid.append("messageVersion") }
        let status = StatusRule(type, members, facts)
        invalid += status.invalidNames
        invalid += CombinationRule(type, version, members, facts).invalidNames
        if let missing = check.names[.missing] { throw fault(.elementMissing, naming: missing) }
        guard !status.endsWithoutError else {
            throw fault(.elementInvalid, "transStatus", isReported: false)
        }
        guard invalid.isEmpty else {
            throw fault(.elementInvalid, naming: withoutRepetitions(invalid))
        }
        if let reserved = check.names[.reserved] { throw fault(.valueReserved, naming: reserved) }
        if let codes = check.names[.noISOCode] { throw fault(.isoCodeInvalid, naming: codes) }
        let strangers = facts.map { ids.conflicts(with: $0.ids) } ?? []
        guard strangers.isEmpty else { throw fault(.transactionIDNotRecognised, naming: strangers) }
    }

    /// All elements except the card number and the security code.
    var openMembers: [JSONValue.Member] {
        var open: [JSONValue.Member] = []
        open.reserveCapacity(members.count)
        for member in members
        where !member.name.hasBytes(of: "acctNumber")
            && !member.name.hasBytes(of: "cardSecurityCode")
        {
            open.append(member)
        }
        return open
    }
}

// MARK: Names for the sender

extension MessageDraft {
    /// The sender chooses unknown names, which could be numbers of cards.
    private func reportable(_ path: [String]) -> String {
        let names = FieldTable.names
        // Hashing a long name could take long.
        return path.allSatisfy { $0.utf8.count <= 64 && names.contains($0) }
            ? path.joined(separator: ".") : "an unknown element"
    }

    private func reportableID(_ id: String) -> String {
        let isPlain =
            id.utf8.count <= 64
            && id.utf8.allSatisfy { isInBase64URL($0) || ".:/".utf8.contains($0) }
        guard isPlain else { return "an unknown extension" }
        // Separators could stand between the digits of a card number.
        let runs = id.utf8.split { isLetter($0) }
        let digits = runs.map { run in run.count { isDigit($0) } }.max() ?? 0
        return digits < 13 ? id : "an unknown extension"
    }
}

private func withoutRepetitions(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
}
