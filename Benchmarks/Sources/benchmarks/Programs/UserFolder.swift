import FoundationEssentials

/// The files of a user who has activated `countersign` for an account of a running verifier.
final class UserFolder {
    private let folder: TemporaryFolder
    private let verifier: VerifierFolder
    private let account: String

    private static let pin = "271905"

    init(_ account: String, at verifier: VerifierFolder) throws {
        folder = try TemporaryFolder()
        self.verifier = verifier
        self.account = "bank/main/\(account)"
        let settings = folder.path + "/.config/countersign"
        try FileManager.default.createDirectory(
            atPath: settings,
            withIntermediateDirectories: true
        )
        try write(try trust, to: ".config/countersign/countersign.json")
        try verifier.countersignd("account", "add", self.account)
        try activate()
    }

    private var trust: String {
        get throws {
            """
            {
              "servers": [{
                "origin": "\(verifier.origin)",
                "agreementKey": "\(try verifier.publicKey("agreement").text)",
                "signingKey": "\(try verifier.publicKey("response").text)",
                "pins": ["\(try verifier.certificate.pin())", "\(String(repeating: "A", count: 43))="]
              }],
              "authorities": "\(verifier.certificate.file)"
            }
            """
        }
    }

    private func activate() throws {
        let (id, code) = try verifier.createActivation(for: account)
        try write("\(code)\n\(Self.pin)\n", to: "secrets")
        try countersign(["activate", id, "--pin-fd", "3"]).run()
        try write(Self.pin + "\n", to: "secrets")
    }

    /// The program with the words of a command; the PIN is on descriptor 3.
    func countersign(_ words: [String]) -> Program {
        Program(
            words: [Repository.program("countersign")] + words,
            environment: [
                "HOME": folder.path, "no_proxy": "localhost",
                "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "",
            ],
            secretsFile: folder.path + "/secrets"
        )
    }

    /// Creates a payment that the user must decide, and returns its identifier.
    func createPayment() throws -> String { try verifier.createPayment(for: account) }

    private func write(_ text: String, to name: String) throws {
        let path = folder.path + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
