import CommandLineTool
import Glibc
import StrictJSON

extension Configuration {
    /// Reads a file in which no member is unknown; relative paths begin where the file lies.
    init(readingFileAt path: String) throws(CommandFailure) {
        let bytes = try ConfigurationFile(path).contents()
        let document: ConfigurationDocument
        do throws(ConfigurationDocument.Failure) {
            document = try ConfigurationDocument(reading: bytes)
        } catch {
            throw .malformed(path, error.reason(in: bytes))
        }
        try self.init(document, readFrom: path)
    }

    private init(
        _ document: ConfigurationDocument,
        readFrom path: String
    ) throws(CommandFailure) {
        let folder = folder(of: path)
        func resolved(_ member: String, _ name: String) throws(CommandFailure) -> String {
            guard !member.isEmpty else {
                throw .malformed(path, "the member \(name) is empty")
            }
            return member.hasPrefix("/") ? member : folder + member
        }
        self.path = path
        switch (document.store.sqlite, document.store.postgresql) {
        case (let file?, nil): store = .sqlite(path: try resolved(file, "store.sqlite"))
        case (nil, let connection?): store = .postgreSQL(connection)
        default:
            throw .malformed(path, "the member store must hold either sqlite or postgresql")
        }
        journal = try resolved(document.journal, "journal")
        encryptionKeys =
            Self.isDescriptor(document.encryptionKeys)
            ? document.encryptionKeys
            : try resolved(document.encryptionKeys, "encryptionKeys")
        agreementKey = try resolved(document.agreementKey, "agreementKey")
        answerKey = try resolved(document.answerKey, "answerKey")
        nextAnswerKey = try document.nextAnswerKey.map { key throws(CommandFailure) in
            try resolved(key, "nextAnswerKey")
        }
        checkpointKey = try resolved(document.checkpointKey, "checkpointKey")
        guard Set(files).count == files.count else {
            throw .malformed(path, "two members name the same file")
        }
        try checkKeyDescriptor()
    }

    /// A number that nobody opened may be that of a file of ours, which is closed on `exec`: what
    /// came through one is not.
    private func checkKeyDescriptor() throws(CommandFailure) {
        guard Self.isDescriptor(encryptionKeys) else { return }
        guard let descriptor = keyDescriptor, fcntl(descriptor, F_GETFD) == 0 else {
            throw CommandFailure(
                .noInput,
                "\(encryptionKeys), for the encryption keys, is not open",
                hint: "begin the program with it, from 3 on, as by 3< in a shell"
            )
        }
    }

    private var files: [String] {
        let keys =
            [encryptionKeys, agreementKey, answerKey, checkpointKey]
            + [nextAnswerKey].compactMap { $0 }
        guard case .sqlite(let path) = store else { return keys + [journal] }
        return keys + [journal, path]
    }
}

/// The members of the file, as they stand there.
private struct ConfigurationDocument: Decodable {
    struct Store: Decodable {
        let sqlite: String?
        let postgresql: String?
    }

    let store: Store
    let journal: String
    let encryptionKeys: String
    let agreementKey: String
    let answerKey: String
    let nextAnswerKey: String?
    let checkpointKey: String

    private static let storeNames: Set = ["sqlite", "postgresql"]
    private static let names: Set = [
        "store", "journal", "encryptionKeys", "agreementKey", "answerKey", "nextAnswerKey",
        "checkpointKey",
    ]

    enum Failure: Error {
        case json(StrictJSON.Failure)
        case unknownMember(String)
    }

    init(reading bytes: [UInt8]) throws(Failure) {
        let unknownName = try Self.onJSON { () throws(StrictJSON.Failure) in
            Self.unknownName(in: try JSONValue(reading: bytes, limits: .message))
        }
        if let unknownName { throw .unknownMember(unknownName) }
        self = try Self.onJSON { () throws(StrictJSON.Failure) in
            try StrictJSON.decode(from: bytes)
        }
    }

    private static func onJSON<Outcome>(
        _ body: () throws(StrictJSON.Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        do throws(StrictJSON.Failure) {
            return try body()
        } catch {
            throw .json(error)
        }
    }

    /// Looked for apart, since the decoder tells no name that it was not asked for.
    private static func unknownName(in document: JSONValue) -> String? {
        guard case .object(let members) = document else { return nil }
        for member in members {
            guard names.contains(member.name) else { return member.name }
            guard member.name == "store", case .object(let inner) = member.value else { continue }
            let unknown = inner.first { !storeNames.contains($0.name) }
            if let unknown { return "store." + unknown.name }
        }
        return nil
    }
}

extension CommandFailure {
    fileprivate static func malformed(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "\(path): \(reason)",
            hint: "countersignd help init shows a whole configuration"
        )
    }
}

extension ConfigurationDocument.Failure {
    fileprivate func reason(in bytes: [UInt8]) -> String {
        switch self {
        case .unknownMember(let name): "the member \(name) is unknown"
        case .json(let failure): failure.reason(in: bytes)
        }
    }
}
