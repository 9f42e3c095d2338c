import CommandLineTool
import StrictJSON

/// The members of the file, as they stand there.
struct ConfigurationDocument: Decodable {
    struct Store: Decodable {
        let sqlite: String?
        let postgresql: String?
    }

    struct Server: Decodable {
        let origin: String
        let listen: [String]
        let tls: TLS?
        let connections: Int?
        let connectionsPerAddress: Int?
        let drainSeconds: Int?

        var listening: Listening { Listening(listen: listen, tls: tls) }
    }

    struct Listening: Decodable {
        let listen: [String]
        let tls: TLS?
    }

    struct TLS: Decodable {
        let certificate: String
        let key: String
    }

    struct Log: Decodable {
        let level: String?
    }

    struct Webhook: Decodable {
        let enterprise: String
        let tells: String
        let url: String
        let secrets: [String]
        let authorities: String?
    }

    struct Push: Decodable {
        struct FCM: Decodable {
            let serviceAccount: String
            let endpoint: String?
        }

        let perMinute: Int?
        let fcm: FCM?
    }

    let store: Store
    let journal: String
    let encryptionKeys: String
    let agreementKey: String
    let responseKey: String
    let nextResponseKey: String?
    let checkpointKey: String
    let server: Server?
    let operation: Listening?
    let log: Log?
    let webhooks: [Webhook]?
    let push: Push?

    enum Failure: Error {
        case json(StrictJSON.Failure)
        case unknownMember(String)
    }

    /// Reads a file, with variables that take the place of some of its members.
    init(reading bytes: [UInt8], with variables: ConfigurationVariables) throws(Failure) {
        let file = try Self.onJSON { () throws(StrictJSON.Failure) in
            try JSONValue(reading: bytes, limits: .message)
        }
        let whole = variables.applied(to: file)
        if let unknownName = Self.unknownName(in: whole) { throw .unknownMember(unknownName) }
        // Nothing that was read is unwritable.
        guard let written = try? whole.written() else { throw .unknownMember("") }
        self = try Self.onJSON { () throws(StrictJSON.Failure) in
            try StrictJSON.decode(from: written)
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
    private static func unknownName(in value: JSONValue, at path: String = "") -> String? {
        if case .array(let elements) = value {
            return elements.lazy.compactMap { unknownName(in: $0, at: path) }.first
        }
        guard case .object(let members) = value else { return nil }
        for member in members {
            let name = path + member.name
            guard ConfigurationMember(name) != nil else { return name }
            if let inner = unknownName(in: member.value, at: name + ".") { return inner }
        }
        return nil
    }
}

extension ConfigurationDocument.Failure {
    func reason(in bytes: [UInt8]) -> String {
        switch self {
        case .unknownMember(let name): "the member \(name) is unknown"
        case .json(let failure): failure.reason(in: bytes)
        }
    }
}
