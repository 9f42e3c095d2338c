import FoundationEssentials

/// The files of an ACS, created by `countersign-acs init`, with cards.
final class IssuerFolder {
    let folder: TemporaryFolder
    /// For the server, for the directory server as its client, and for signed content.
    let certificate: Certificate
    let directoryPort: Int
    let challengePort: Int
    private let verifier: StandInVerifier

    init(with purchases: [AppPurchase], asking verifier: StandInVerifier) throws {
        folder = try TemporaryFolder()
        certificate = try Certificate()
        (directoryPort, challengePort) = (try freePort(), try freePort())
        self.verifier = verifier
        let key = ["pkey", "-in", certificate.file, "-out", folder.path + "/signing.key"]
        try Program.run("/usr/bin/openssl", key)
        try write(configuration, to: "acs.json")
        try write("a-token-of-the-role-cards-of-this-bank", to: "verifier-token")
        let cards = purchases.enumerated().map { "\($1.card),bank/main/\($0)" }
        try write((["card,account"] + cards).joined(separator: "\n") + "\n", to: "cards.csv")
        try command(["init"]).run()
        try command(["load", folder.path + "/cards.csv"]).run()
    }

    func command(_ words: [String]) -> Program {
        let configuration = ["--config", folder.path + "/acs.json"]
        return Program(words: [Repository.program("countersign-acs")] + words + configuration)
    }

    /// The size of the store, in bytes, after all of its log was copied into it.
    var storeSize: Double {
        get throws {
            let path = folder.path + "/acs.db"
            try Program.run("/usr/bin/sqlite3", [path, "PRAGMA wal_checkpoint"])
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size]
            guard let size = size as? UInt64 else { throw BenchmarkFailure("no size") }
            return Double(size)
        }
    }

    private func write(_ text: String, to name: String) throws {
        let path = folder.path + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private var configuration: String {
        let tls = #""certificate": "\#(certificate.file)", "key": "\#(certificate.file)""#
        return """
            {
              "store": {"sqlite": "acs.db"}, "encryptionKeys": "encryption", "enterprise": "bank",
              "liveChallenges": 100000,
              "verifier": {
                "origin": "\(verifier.origin)", "token": "verifier-token",
                "authorities": "\(verifier.certificate.file)"
              },
              "directories": [{
                "rid": "A000000003", "clients": "\(certificate.file)",
                "results": "https://localhost:1/results",
                "authorities": "\(certificate.file)", \(tls),
                "signing": {"key": "signing.key", "certificates": "\(certificate.file)"},
                "ranges": ["\(AppPurchase.cardRange)"]
              }],
              "server": {
                "directories": {
                  "listen": ["127.0.0.1:\(directoryPort)"],
                  "tls": {\(tls), "clientAuthorities": "\(certificate.file)"}
                },
                "challenges": {
                  "origin": "https://localhost:\(challengePort)",
                  "listen": ["127.0.0.1:\(challengePort)"], "tls": {\(tls)}
                }
              }
            }
            """
    }
}
