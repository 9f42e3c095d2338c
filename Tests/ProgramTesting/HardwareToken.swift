import Foundation
package import TestSupport

/// A token of SoftHSM, which keeps its keys in a folder, with pkcs11-tool as the judge.
///
/// All tokens of a test process are in one folder, which an environment variable names.
package final class HardwareToken: Sendable {
    package static let pin = "902153"
    package static let library = "/usr/lib/softhsm/libsofthsm2.so"

    package let label: String
    private let folder: String
    /// The folder of a token that is not connected.
    private let drawer: String

    private static let tokens = Result { try makeFolder() }

    /// Set once, before the first program that needs it starts.
    private static func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["connected", "drawer"] { mkdir(folder.path + "/" + name, 0o700) }
        setenv("SOFTHSM2_CONF", try settings(in: folder, for: "connected"), 1)
        return folder
    }

    /// The path of a settings file for the tokens in a folder.
    private static func settings(in folder: TemporaryFolder, for name: String) throws -> String {
        let text = "directories.tokendir = \(folder.path)/\(name)\nlog.level = ERROR\n"
        return try folder.write(text, to: name + ".conf")
    }

    /// `label`: nil for a new one.
    package init(label: String? = nil) throws {
        let root = try Self.tokens.get().path
        let label = label ?? "token-" + UUID().uuidString.prefix(8).lowercased()
        self.label = label
        // Alone in a folder, because other tests remove their tokens meanwhile.
        let new = try TemporaryFolder()
        mkdir(new.path + "/new", 0o700)
        let made = try FinishedProcess.run(
            "softhsm2-util",
            [
                "--init-token", "--free", "--label", label, "--pin", Self.pin, "--so-pin",
                "00000000",
            ],
            environment: ["SOFTHSM2_CONF": try Self.settings(in: new, for: "new")]
        )
        let own = try FileManager.default.contentsOfDirectory(atPath: new.path + "/new").first
        guard made.exitCode == 0, let own else { throw Premises.Failure(output: made.errorOutput) }
        (folder, drawer) = ("\(root)/connected/\(own)", "\(root)/drawer/\(own)")
        rename(new.path + "/new/" + own, folder)
    }

    /// As if the token were pulled out of its reader.
    package func disconnect() { rename(folder, drawer) }

    package func connect() { rename(drawer, folder) }

    /// The objects as another program sees them, one paragraph for each.
    package func objects() throws -> [String] {
        let listed = try tool("--list-objects").output
        return listed.replacing(/(?m)^(?=\S)/, with: "\n").split(separator: "\n\n")
            .map { $0.trimmingCharacters(in: .newlines) + "\n" }
    }

    @discardableResult
    package func tool(_ words: String...) throws -> FinishedProcess { try tool(words) }

    /// As a person who mistypes it, with a program that is independent of the verifier.
    package func enterWrongPIN() throws {
        let run = try FinishedProcess.run(
            "pkcs11-tool",
            [
                "--module", Self.library, "--token-label", label, "--login", "--pin", "111111",
                "--list-objects",
            ]
        )
        guard run.exitCode != 0 else { throw Premises.Failure(output: "the PIN is right") }
    }

    @discardableResult
    private func tool(_ words: [String]) throws -> FinishedProcess {
        let run = try FinishedProcess.run(
            "pkcs11-tool",
            ["--module", Self.library, "--token-label", label, "--login", "--pin", Self.pin] + words
        )
        guard run.exitCode == 0 else { throw Premises.Failure(output: run.errorOutput) }
        return run
    }

    /// Copies a key into the token, and returns its private number.
    package func importKey(
        _ name: String,
        in folder: TemporaryFolder,
        _ words: String...
    ) throws -> [UInt8] {
        let (key, point) = (folder.path + "/\(name).der", folder.path + "/\(name).public.der")
        for command in [
            "ecparam -name prime256v1 -genkey -noout -outform DER -out \(key)",
            "ec -inform DER -in \(key) -pubout -outform DER -out \(point)",
        ] {
            let words = command.split(separator: " ").map(String.init)
            let made = try FinishedProcess.run("openssl", words)
            guard made.exitCode == 0 else { throw Premises.Failure(output: made.errorOutput) }
        }
        try tool(["--label", name, "--type", "privkey", "--write-object", key] + words)
        try tool(["--label", name, "--type", "pubkey", "--write-object", point])
        // RFC 5915: after the version, an OCTET STRING of 32 bytes.
        let encoded = try Data(contentsOf: URL(filePath: key))
        try FileManager.default.removeItem(atPath: key)
        return Array(encoded[7..<39])
    }
}

extension Premises {
    /// Premises without files, but with a configuration for a token.
    ///
    /// `inFiles`: the members whose keys stay in files.
    package init(
        _ token: HardwareToken,
        library: String = HardwareToken.library,
        inFiles: Set<String> = [],
        isSealed: Bool = true
    ) throws {
        let template = try Premises.initialized()
        var text = String(decoding: try template.contents("countersignd.json"), as: UTF8.self)
        for name in ["agreement", "response", "checkpoint"] where !inFiles.contains(name) {
            text.replace("\"keys/\(name)\"", with: "\"pkcs11:\(name)\"")
        }
        let sealing = isSealed ? #", "sealingKey": "sealing""# : ""
        let section = """
            "pkcs11": {"library": "\(library)", "token": "\(token.label)", \
            "pinFile": "keys/pin"\(sealing)},

            """
        text.replace(#"// "pkcs11": {"#, with: section + "// {")
        try self.init()
        try write(text, to: "countersignd.json")
        let keys = path("keys")
        try FileManager.default.createDirectory(
            atPath: keys,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        try write(HardwareToken.pin + "\n", to: "keys/pin")
    }

    /// Changes the text of the configuration.
    package func replace(_ old: String, by new: String) throws {
        let text = String(decoding: try contents("countersignd.json"), as: UTF8.self)
        guard text.contains(old) else { throw Failure(output: "\(old) is not in \(text)") }
        try write(text.replacing(old, with: new), to: "countersignd.json")
    }
}
