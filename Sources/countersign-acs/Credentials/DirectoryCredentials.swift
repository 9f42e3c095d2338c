import CommandLineTool
import ConfigurationFiles
import Cryptography
import JOSE
import ServerOperation
import ThreeDSProtocol

/// The certificates and keys of a directory server, from their files.
struct DirectoryCredentials: Sendable {
    /// They identify the directory server.
    let clientKeys: [Certificate.PublicKey]
    /// For the signature of the content that an app receives.
    let signer: JWS.Signer
}

extension DirectoryConnection {
    /// Most receivers refuse longer chains.
    private static let maximumChain = 10

    /// Reads all files of the directory server, also the files that the HTTP client reads again.
    func credentials() throws(CommandFailure) -> DirectoryCredentials {
        let clientKeys = try clientKeys()
        _ = try read(authorities, "authorities")
        try client.checkClient(
            of: "directories",
            suggesting: "check certificate and key of the directory \(rid)"
        )
        let chain = try read(signing.certificates, "signing.certificates")
        guard chain.count <= Self.maximumChain else {
            throw CommandFailure(
                .malformedInput,
                "\(signing.certificates) has more than \(Self.maximumChain) certificates"
            )
        }
        let key = try signing.signingKey()
        guard try key.belongs(to: chain[0]) else {
            throw CommandFailure(
                .malformedInput,
                "the first certificate in \(signing.certificates) is not for \(signing.key)",
                hint: "write the certificate of the key first, and then its chain"
            )
        }
        guard let signer = try key.signer(with: chain) else {
            throw CommandFailure(
                .malformedInput,
                "the certificates in \(signing.certificates) are too long for an app",
                hint: "leave out the certificate of the root, or use a shorter chain"
            )
        }
        return DirectoryCredentials(clientKeys: clientKeys, signer: signer)
    }

    /// Of the certificates of the directory server.
    fileprivate func clientKeys() throws(CommandFailure) -> [Certificate.PublicKey] {
        var keys: [Certificate.PublicKey] = []
        for certificate in try read(clients, "clients").withoutIssuers {
            do throws(CryptographyFailure) {
                keys.append(try certificate.publicKey())
            } catch {
                if let failure = SystemFailure(cause: error) { throw CommandFailure(failure) }
                throw CommandFailure(
                    .malformedInput,
                    "\(clients) has a certificate with a key of another kind",
                    hint: "use EC keys of P-256, or RSA keys of 2048 to 4096 bits"
                )
            }
        }
        return keys
    }

    private func read(
        _ path: String,
        _ member: String
    ) throws(CommandFailure) -> [Certificate] {
        try CertificateFile(path, namedBy: "\(member) of the directory \(rid)").certificates()
    }
}

extension TLSFiles {
    /// Checks the certificate of the ACS as a client, and its key.
    func checkClient(of name: String, suggesting hint: String) throws(CommandFailure) {
        do throws(ListenerFailure) {
            try check()
        } catch {
            let failure = CommandFailure(error, of: name)
            if case .keyOpenToOthers = error { throw failure }
            throw failure.suggesting(hint)
        }
    }
}

extension [Certificate] {
    /// The certificates of clients, without those of the CAs in their chains.
    ///
    /// A CA can have issued certificates of several clients.
    var withoutIssuers: [Certificate] {
        filter { issuer in
            !contains { $0.der != issuer.der && issuer.issued($0) }
        }
    }
}

extension Configuration {
    /// One key for two directory servers would not identify either.
    func checkClients() throws(CommandFailure) {
        var owners: [(key: Certificate.PublicKey, rid: String)] = []
        for directory in directories {
            for key in try directory.clientKeys() {
                let isShared = owners.contains { $0.key == key && $0.rid != directory.rid }
                guard !isShared else {
                    throw CommandFailure(
                        .malformedInput,
                        "two directories have the same key in \(directory.clients)",
                        hint: "each directory server needs its own client certificate and key"
                    )
                }
                owners.append((key, directory.rid))
            }
        }
    }
}

extension DirectoryConnection.Signing {
    fileprivate func signingKey() throws(CommandFailure) -> JWS.SigningKey {
        let file = SecretFile(
            path: key,
            content: "signing key",
            hint: "use PKCS#8 in PEM without a password: RSA of 2048 to 4096 bits, or EC of P-256"
        )
        let key = try file.text().withBytes { pem throws(CommandFailure) in
            let rsa = try ifReadable { () throws(CryptographyFailure) in
                JWS.SigningKey.ps256(try RSA.PrivateKey(pem: pem))
            }
            if let rsa { return rsa as JWS.SigningKey? }
            return try ifReadable { () throws(CryptographyFailure) in
                JWS.SigningKey.es256(try P256.PrivateKey(pem: pem))
            }
        }
        guard let key else { throw file.malformed }
        return key
    }
}

/// Nil if the bytes are not a key of this kind.
private func ifReadable(
    _ read: () throws(CryptographyFailure) -> JWS.SigningKey
) throws(CommandFailure) -> JWS.SigningKey? {
    do throws(CryptographyFailure) {
        return try read()
    } catch {
        if let failure = SystemFailure(cause: error) { throw CommandFailure(failure) }
        return nil
    }
}

extension JWS.SigningKey {
    /// Nil if content with these certificates is too long for an app.
    fileprivate func signer(with chain: [Certificate]) throws(CommandFailure) -> JWS.Signer? {
        // Two keys and an address.
        let content = [UInt8](repeating: 0, count: 700)
        do throws(JOSEFailure) {
            let signer = try JWS.Signer(self, certificates: chain)
            let token = try signer.signed(content.span)
            return token.utf8.count <= SignedContent.maximumByteCount ? signer : nil
        } catch {
            if case .system(let failure) = error { throw CommandFailure(failure) }
            return nil
        }
    }

    /// Whether the public key of the certificate verifies what this key signs.
    fileprivate func belongs(to certificate: Certificate) throws(CommandFailure) -> Bool {
        do throws(JOSEFailure) {
            let token = try JWS.signed([0].span, by: self)
            let signed = try JWS(reading: Array(token.utf8), maximumByteCount: token.utf8.count)
            _ = try signed.payload(verifiedBy: try JWS.VerificationKey(of: certificate))
            return true
        } catch {
            if case .system(let failure) = error { throw CommandFailure(failure) }
            return false
        }
    }
}

extension JWS.VerificationKey {
    fileprivate init(of certificate: Certificate) throws(JOSEFailure) {
        do throws(CryptographyFailure) {
            self.init(try certificate.publicKey())
        } catch {
            // A key of another kind is another key.
            throw SystemFailure(cause: error).map { .system($0) } ?? .refused
        }
    }
}
