import OneTimePassword
import OneTimePasswordFormats
import Testing
import VectorTesting

@Suite(.needsExtraVectors(for: "PSKC documents of others"))
struct `PSKC documents of others` {
    private static let all = Result { try ExtraDocuments.load() }

    @Test(arguments: try all.get().documents.filter { refused[$0.file] == nil })
    func `contain the values that another reader found`(_ document: ExtraDocuments.Document) throws
    {
        let read = try document.read(unlockedBy: document.unlock)
        #expect(read.id == document.containerId)
        #expect(read.keys.map(KeyFacts.init) == document.keys)
    }

    @Test(arguments: try all.get().documents.filter { refused[$0.file] != nil })
    func `are rejected if they are invalid, although that reader accepts them`(
        _ document: ExtraDocuments.Document
    ) throws {
        let failure = try #require(Self.refused[document.file])
        #expect(throws: failure) { try document.read(unlockedBy: document.unlock) }
    }

    @Test func `have exceptions only for existing files`() throws {
        let files = try Self.all.get().documents.map(\.file)
        #expect(Set(Self.refused.keys).subtracting(files) == [])
        let hostile = try Self.all.get().mustReject.count
        print("pskc/expected.json: \(files.count) documents and \(hostile) hostile ones checked")
    }

    /// A key or a password for other documents must not help.
    @Test(arguments: try all.get().mustReject)
    func `with hostile content are rejected, whatever key is used`(
        _ document: ExtraDocuments.Document
    ) throws {
        for (key, password) in [
            (nil, nil), ("12345678901234567890123456789012", nil), (nil, "qwerty"),
        ] {
            let unlock = try PSKCDocument.Unlock(preSharedKeyHex: key, password: password)
            #expect(try document.usableKeys(unlockedBy: unlock) == 0)
        }
    }

    /// The key is in a comment of the document, not in the table.
    @Test func `of a vendor open with the key in the document`() throws {
        let document = try #require(
            try Self.all.get().documents.first {
                $0.file == "third_party_lgpl/nagraid/file1.pskcxml"
            }
        )
        let unlock = try PSKCDocument.Unlock(
            preSharedKeyHex: "4A057F6AB6FCB57AB5408E46A9835E68",
            password: nil
        )
        let keys = try document.read(unlockedBy: unlock).keys
        #expect(keys.map(\.id) == document.keys?.map(\.id))
        #expect(keys.allSatisfy { $0.secret?.byteCount == 20 })
    }
}

extension `PSKC documents of others` {
    /// Documents that the other reader accepts, at least in part, and their failures here.
    private static let refused: [String: PSKCDocument.ReadingFailure] = [
        // No MAC key: the encryption key is not used for a second purpose.
        "third_party_lgpl/encryption/no-mac-key.pskcxml": .macMissing(line: 9),
        // MACs by SHA-224 and SHA-384; one over the plaintext, one without its vector.
        "third_party_lgpl/encryption/aes128-cbc.pskcxml": .unsupportedMAC("sha224", line: 15),
        "third_party_lgpl/encryption/aes128-cbc-noiv.pskcxml": .unsupportedMAC("sha224", line: 15),
        "third_party_lgpl/encryption/mac-over-plaintext.pskcxml":
            .unsupportedMAC("sha224", line: 16),
        "third_party_lgpl/encryption/aes256-cbc.pskcxml": .unsupportedMAC("sha384", line: 15),
        // Ciphers other than AES-CBC.
        "rfc6030/figure8.xml": .unsupportedEncryption("rsa_1_5", line: 38),
        "third_party_lgpl/encryption/camellia128-cbc.pskcxml":
            .unsupportedEncryption("camellia128-cbc", line: 28),
        "third_party_lgpl/encryption/camellia192-cbc.pskcxml":
            .unsupportedEncryption("camellia192-cbc", line: 28),
        "third_party_lgpl/encryption/camellia256-cbc.pskcxml":
            .unsupportedEncryption("camellia256-cbc", line: 28),
        "third_party_lgpl/encryption/kw-aes128.pskcxml":
            .unsupportedEncryption("kw-aes128", line: 20),
        "third_party_lgpl/encryption/kw-aes192.pskcxml":
            .unsupportedEncryption("kw-aes192", line: 21),
        "third_party_lgpl/encryption/kw-aes256.pskcxml":
            .unsupportedEncryption("kw-aes256", line: 21),
        "third_party_lgpl/encryption/kw-camellia128.pskcxml":
            .unsupportedEncryption("kw-camellia128", line: 20),
        "third_party_lgpl/encryption/kw-camellia192.pskcxml":
            .unsupportedEncryption("kw-camellia192", line: 20),
        "third_party_lgpl/encryption/kw-camellia256.pskcxml":
            .unsupportedEncryption("kw-camellia256", line: 20),
        "third_party_lgpl/encryption/kw-tripledes.pskcxml":
            .unsupportedEncryption("kw-tripledes", line: 21),
        // Encrypted with an unknown key: the other reader returns the rest.
        "third_party_lgpl/misc/SampleFullyQualifiedNS.xml": .passwordNeeded,
        "third_party_lgpl/nagraid/file1.pskcxml": .preSharedKeyNeeded,
        // `FALSE` is not a Boolean of XML Schema.
        "third_party_lgpl/misc/checkdigits.pskcxml": .malformed("CheckDigits", line: 23),
        // A counter without a value.
        "third_party_lgpl/misc/partialxml.pskcxml": .missing("EncryptedValue", line: 18),
        // A draft of the format, with MACs over the plaintext.
        "third_party_lgpl/actividentity/test.pskcxml": .notPSKC,
    ]
}

extension PSKCDocument.ReadingFailure {
    fileprivate static func unsupportedEncryption(_ name: String, line: Int) -> Self {
        .unsupportedAlgorithm("http://www.w3.org/2001/04/xmlenc#" + name, line: line)
    }

    fileprivate static func unsupportedMAC(_ hash: String, line: Int) -> Self {
        .unsupportedAlgorithm("http://www.w3.org/2001/04/xmldsig-more#hmac-" + hash, line: line)
    }
}

extension ExtraDocuments.Document {
    /// The count of usable keys; a rejected document has none.
    fileprivate func usableKeys(unlockedBy unlock: PSKCDocument.Unlock) throws -> Int {
        do {
            return try read(unlockedBy: unlock).keys.filter(\.isUsable).count
        } catch is PSKCDocument.ReadingFailure {
            return 0
        }
    }
}

extension PSKCDocument.Key {
    fileprivate var isUsable: Bool {
        do {
            _ = try ImportedKey(self)
            return true
        } catch {
            return false
        }
    }
}
