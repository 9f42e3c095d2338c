import Foundation
import TestSupport
import Testing

@testable import OneTimePassword
@testable import OneTimePasswordFormats

/// The tool of the OATH Toolkit, which reads and signs documents but does not decrypt.
@Suite(.enabled("pskctool is not installed") { try isInstalled("pskctool") })
struct `pskctool` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Way.allCases)
    func `validates our documents by the schema of RFC 6030`(_ way: Way) throws {
        let file = try folder.write(try PSKCDocument.complete().text(way), to: "ours.xml")
        #expect(try output("pskctool", "--validate", file) == "OK\n")
    }

    @Test func `rejects documents that break the schema`() throws {
        let text = PSKCDocument.sampleText.replacing("</Issuer>", with: "</Issuer><Other/>")
        let file = try folder.write(text, to: "wrong.xml")
        #expect(try output("pskctool", "--validate", file) == "FAIL\n")
    }

    @Test func `reads the values that we wrote`() throws {
        let file = try folder.write(try PSKCDocument.complete().text(.nothing), to: "ours.xml")
        let lines = try output("pskctool", "--info", "--strict", file)
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(Set(PSKCDocument.completeLines).subtracting(lines) == [])
    }

    @Test func `signs our documents, and we read the result`() throws {
        let document = try PSKCDocument.complete()
        let file = try folder.write(try document.text(.nothing), to: "ours.xml")
        let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
        _ = try output(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-subj",
            "/CN=signer",
            "-keyout",
            key,
            "-out",
            certificate
        )
        let signed = try output(
            "pskctool",
            "--sign",
            "--sign-key",
            key,
            "--sign-crt",
            certificate,
            file
        )
        #expect(signed.contains("<SignatureValue>"))
        #expect(try PSKCDocument(reading: signed) == document)
        let signedFile = try folder.write(signed, to: "signed.xml")
        let verdict = try output(
            "pskctool",
            "--verify",
            "--verify-crt",
            certificate,
            signedFile
        )
        #expect(verdict == "OK\n")
    }
}

/// The tools of python-pskc, which encrypt and decrypt.
@Suite(.enabled("pskc-utils is not installed") { try isInstalled("pskc2csv") })
struct `pskc-utils` {
    private static let secret = "3132333435363738393031323334353637383930"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Way.allCases, HMACAlgorithm.allCases)
    func `decrypts our documents`(_ way: Way, _ mac: HMACAlgorithm) throws {
        let file = try folder.write(try PSKCDocument.complete().text(way, mac), to: "ours.xml")
        let columns = ["-e", "hex", "-c", "id,secret,counter,issuer"]
        let table = try output(["pskc2csv"] + columns + way.pythonOptions + [file])
        #expect(table.contains("K1,\(Self.secret),7,Bánk & <Söhne>"))
    }

    @Test func `does not decrypt with another password`() throws {
        let file = try folder.write(try PSKCDocument.complete().text(.password), to: "ours.xml")
        let arguments = ["-p", "Qwerty", "-c", "secret", file]
        #expect(try FinishedProcess.run("pskc2csv", arguments).exitCode != 0)
    }

    /// It supports only AES-128 for writing.
    @Test(arguments: [Way.nothing, .aes128, .password])
    func `encrypts documents that we read`(_ way: Way) throws {
        let table = "id,secret,counter,serial\nK1,\(Self.secret),7,42\n"
        let file = try folder.write(table, to: "keys.csv")
        let facts = [
            "-x", "algorithm=urn:ietf:params:xml:ns:keyprov:pskc:hotp",
            "-x", "response_encoding=DECIMAL", "-x", "response_length=8",
        ]
        let written = try output(["csv2pskc", "-e", "hex"] + facts + way.pythonOptions + [file])
        #expect(written.contains("EncryptedValue") == (way != .nothing))
        let document = try PSKCDocument(reading: written, unlockedBy: try way.unlock)
        let key = try #require(document.keys.first)
        #expect(try ImportedKey(key).kind == .hotp(.eight, .sha1, counter: Counter(7)))
        #expect(try key.secret == SecretBytes("12345678901234567890"))
        #expect(key.device.serialNumber == "42")
    }
}

extension Way {
    /// The arguments for the key or the password.
    fileprivate var pythonOptions: [String] {
        switch self {
        case .nothing: []
        case .aes128, .aes192, .aes256:
            ["-s", preSharedKey.map { String($0, radix: 16) }.joined()]
        case .password: ["-p", "qwerty"]
        }
    }
}

extension PSKCDocument {
    fileprivate func text(_ way: Way, _ mac: HMACAlgorithm = .sha256) throws -> String {
        let written = try serialized(protection: try way.protection, authenticatedBy: mac)
        return String(decoding: written, as: UTF8.self)
    }
}

private func isInstalled(_ program: String) throws -> Bool {
    try FinishedProcess.run("sh", ["-c", "command -v \(program)"]).exitCode == 0
}

/// The output of a successful command.
private func output(_ command: String...) throws -> String {
    try output(command)
}

private func output(_ command: [String]) throws -> String {
    let process = try FinishedProcess.run(command[0], Array(command.dropFirst()))
    try #require(process.exitCode == 0, "\(process.errorOutput)")
    return process.output
}
