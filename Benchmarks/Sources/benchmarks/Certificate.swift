import Cryptography
import FoundationEssentials
import HTTPServer

/// A self-signed certificate for localhost, with its key in the same file.
struct Certificate {
    let file: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        file = folder.path + "/certificate.pem"
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        let names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        let files = ["-keyout", file, "-out", file]
        try Program.run("/usr/bin/openssl", ["req", "-x509"] + key + names + files)
    }

    var settings: TLSSettings { TLSSettings(certificateFile: file, keyFile: file) }

    func publicKey() throws -> Cryptography.Certificate.PublicKey {
        let pem = Array(try Data(contentsOf: URL(filePath: file)))
        guard let certificate = try Cryptography.Certificate.all(inPEM: pem).first else {
            throw BenchmarkFailure("\(file) has no certificate")
        }
        return try certificate.publicKey()
    }

    /// The pin of the key, as the file `countersign.json` contains it.
    func pin() throws -> String {
        let script = """
            openssl pkey -in "$0" -pubout -outform der | openssl dgst -sha256 -binary | base64
            """
        return try Program.run("/bin/sh", ["-euc", script, file]).filter { $0 != "\n" }
    }
}
