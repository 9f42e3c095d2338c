import CommandLineTool
import StrictJSON

extension Configuration {
    /// Reads a file in which no member is unknown; relative paths begin where the file lies.
    init(readingFileAt path: String) throws(CommandFailure) {
        let bytes = try ConfigurationFile(path).contents()
        let document: Result<ConfigurationDocument, CommandFailure>
        do throws(StrictJSON.Failure) {
            document = try ConfigurationDocument.read(bytes, ofFileAt: path)
        } catch {
            throw CommandFailure(error, in: bytes, ofFileAt: path)
        }
        try self.init(document.get(), readFrom: path)
    }

    private init(
        _ document: ConfigurationDocument,
        readFrom path: String
    ) throws(CommandFailure) {
        let folder = folder(of: path)
        func resolved(_ member: String, _ name: String) throws(CommandFailure) -> String {
            guard !member.isEmpty else {
                throw CommandFailure(.malformedInput, "\(path): the member \(name) is empty")
            }
            return member.hasPrefix("/") ? member : folder + member
        }
        self.path = path
        switch (document.store.sqlite, document.store.postgresql) {
        case (let file?, nil): store = .sqlite(path: try resolved(file, "store.sqlite"))
        case (nil, let connection?): store = .postgreSQL(connection)
        default:
            let message = "\(path): the member store must hold either sqlite or postgresql"
            throw CommandFailure(.malformedInput, message)
        }
        journal = try resolved(document.journal, "journal")
        encryptionKeys = try resolved(document.encryptionKeys, "encryptionKeys")
        agreementKey = try resolved(document.agreementKey, "agreementKey")
        checkpointKey = try resolved(document.checkpointKey, "checkpointKey")
        guard Set(files).count == files.count else {
            throw CommandFailure(.malformedInput, "\(path): two members name the same file")
        }
    }

    private var files: [String] {
        let keys = [encryptionKeys, agreementKey, checkpointKey]
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
    let checkpointKey: String

    private static let storeNames = ["sqlite", "postgresql"]
    private static let names =
        ["store", "journal", "encryptionKeys", "agreementKey", "checkpointKey"]

    static func read(
        _ bytes: [UInt8],
        ofFileAt path: String
    ) throws(StrictJSON.Failure) -> Result<ConfigurationDocument, CommandFailure> {
        let value = try JSONValue(reading: bytes, limits: .message)
        if let (name, known) = unknownName(in: value) {
            let message = "\(path): the member \(name) is unknown"
            let hint = "known here are " + known.joined(separator: ", ")
            return .failure(CommandFailure(.malformedInput, message, hint: hint))
        }
        return .success(try StrictJSON.decode(from: bytes))
    }

    /// Said apart, since the decoder tells no name that it was not asked for.
    private static func unknownName(in document: JSONValue) -> (name: String, known: [String])? {
        guard case .object(let members) = document else { return nil }
        for member in members {
            guard names.contains(member.name) else { return (member.name, names) }
            guard member.name == "store", case .object(let inner) = member.value else { continue }
            if let unknown = inner.first(where: { !storeNames.contains($0.name) }) {
                return ("store." + unknown.name, storeNames)
            }
        }
        return nil
    }
}

extension CommandFailure {
    fileprivate init(_ failure: StrictJSON.Failure, in bytes: [UInt8], ofFileAt path: String) {
        switch failure {
        case .malformed(let fault, let offset):
            let line = bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
            self.init(.malformedInput, "\(path): line \(line): \(fault.reason)")
        case .mismatch(let mismatch, let pointer):
            let name = pointer.dropFirst().split(separator: "/").joined(separator: ".")
            let member = name.isEmpty ? "the whole" : "the member \(name)"
            self.init(.malformedInput, "\(path): \(member) \(mismatch.reason)")
        }
    }
}

extension StrictJSON.Malformation {
    fileprivate var reason: String {
        switch self {
        case .repeatedName: "a member is there twice"
        case .tooLarge, .tooDeep, .tooManyValues: "this is too large or too deep"
        case .unexpectedEnd: "this ends too early"
        default: "this is not JSON"
        }
    }
}

extension StrictJSON.Mismatch {
    fileprivate var reason: String {
        switch self {
        case .missing: "is missing"
        case .wrongType, .refused: "has the wrong kind"
        case .unknownContent: "holds more than it should"
        }
    }
}
