import Foundation
import ProgramTesting

extension Premises {
    /// Only a configuration with a store in PostgreSQL and a server.
    init(on connection: String) throws {
        try self.init()
        try use(store: connection)
    }

    func use(store connection: String) throws {
        try write(
            """
            {
              "store": {"postgresql": "\(connection)"},
              "journal": "journal/journal",
              "encryptionKeys": "keys/encryption",
              "agreementKey": "keys/agreement",
              "responseKey": "keys/response",
              "checkpointKey": "keys/checkpoint",
              "server": {"origin": "http://127.0.0.1:8080", "listen": ["127.0.0.1:0"]},
              "operation": {"listen": ["127.0.0.1:0"]}
            }
            """,
            to: "countersignd.json"
        )
    }

    func copyKeys(from other: Premises) throws {
        try FileManager.default.createDirectory(
            atPath: path("keys"),
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        for name in ["keys/encryption", "keys/agreement", "keys/response"] {
            try write(String(decoding: try other.contents(name), as: UTF8.self), to: name)
        }
    }
}
