package import Cryptography
import FailureTranslation
package import HardwareKeys
package import Sealing

extension VerifierServer.Configuration {
    private typealias Failure = VerifierServer.Failure

    package func privateKey(
        _ place: String,
        for use: SecurityModule.KeyUse
    ) throws(VerifierServer.Failure) -> P256.PrivateKey {
        switch KeyPlace(place) {
        case .file(let path):
            try translating(KeyFile.privateKey(in: .file(path))) {
                Failure(.keyFile($0, path: path))
            }
        case .token(let label): try key(inToken: label, for: use)
        }
    }

    package func hasKey(inToken label: String) throws(VerifierServer.Failure) -> Bool {
        let module = try requiredModule()
        return try onModule(try module.hasKey(label))
    }

    package func createKey(
        inToken label: String,
        for use: SecurityModule.KeyUse
    ) throws(VerifierServer.Failure) {
        let module = try requiredModule()
        try onModule(try module.createKey(label, for: use))
    }

    package func encryptionKeys() throws(VerifierServer.Failure) -> KeyEncryptionKeys {
        try encryptionKeys(sealedUnder: try fileKey())
    }

    /// The encryption keys; a descriptor can be read only once.
    package func keyRing() throws(VerifierServer.Failure) -> KeyRing {
        let fileKey = try fileKey()
        return KeyRing(
            try encryptionKeys(sealedUnder: fileKey),
            readFrom: keys.encryptionPath,
            sealedUnder: fileKey
        )
    }

    /// The key that seals the file of encryption keys; nil if it is not sealed.
    package func fileKey() throws(VerifierServer.Failure) -> KeyEncryptionKeys? {
        guard let label = keys.pkcs11?.sealingKey else { return nil }
        return try fileKey(label)
    }

    /// The same of another key in the token, which sealed the file before.
    package func fileKey(_ label: String) throws(VerifierServer.Failure) -> KeyEncryptionKeys {
        let key = try key(inToken: label, for: .sealing)
        return try translatingSystemFailure(KeyEncryptionKeys.sealingFiles(with: key)) {
            Failure(.system($0))
        }
    }

    private func encryptionKeys(
        sealedUnder fileKey: KeyEncryptionKeys?
    ) throws(VerifierServer.Failure) -> KeyEncryptionKeys {
        let source: KeyFile.Source =
            switch keys.encryption {
            case .file(let path): .file(path)
            case .descriptor(let number): .descriptor(number)
            }
        return try translating(KeyFile.encryptionKeys(in: source, sealedUnder: fileKey)) {
            Failure(.keyFile($0, path: keys.encryptionPath))
        }
    }

    /// Nil without an HSM.
    func securityModule() throws(VerifierServer.Failure) -> SecurityModule? {
        guard let settings = keys.pkcs11?.settings else { return nil }
        return try onModule(try SecurityModule.shared(settings))
    }

    private func requiredModule() throws(VerifierServer.Failure) -> SecurityModule {
        guard let module = try securityModule() else {
            throw Failure(.invalid(member: "pkcs11", rule: "set, because it has a key"))
        }
        return module
    }

    private func key(
        inToken label: String,
        for use: SecurityModule.KeyUse
    ) throws(VerifierServer.Failure) -> P256.PrivateKey {
        let module = try requiredModule()
        return try onModule(try module.key(label, for: use))
    }

    private func onModule<Outcome>(
        _ body: @autoclosure () throws(SecurityModule.Failure) -> Outcome
    ) throws(VerifierServer.Failure) -> Outcome {
        try translating(body()) { Failure(.securityModule($0)) }
    }
}

extension VerifierServer.Configuration.PKCS11 {
    fileprivate var settings: SecurityModule.Settings {
        let token: SecurityModule.Token =
            switch token {
            case .label(let label): .label(label)
            case .slot(let number): .slot(number)
            }
        return SecurityModule.Settings(library: library, token: token, pinFile: pinFile)
    }
}
