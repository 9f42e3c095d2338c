import Testing

@testable import Cryptography

@Suite struct `SEC-26: values with secrets do not print them` {
    @Test func `a digest is redacted`() throws {
        let digest = try HashAlgorithm.sha256.digest(of: Span())
        expectRedacted(digest)
        #expect("\([digest])" == "[<redacted>]")
        #expect("\(Optional(digest) as Any)" == "Optional(<redacted>)")
    }

    @Test func `a private key is redacted`() throws {
        let key = try P256.PrivateKey()
        expectRedacted(key)
        #expect("\([key])" == "[<redacted>]")
    }

    @Test func `a wrapper does not print its secret`() throws {
        let box = Box(secret: try SecureBytes([UInt8](repeating: 0xA5, count: 32)))
        var texts = [String(describing: box), String(reflecting: box), ""]
        dump(box, to: &texts[2])
        for text in texts {
            // Four bytes, because an address can contain fewer of them by chance.
            #expect(!text.contains("165, 165") && !text.lowercased().contains("a5a5a5a5"))
        }
        let child = try #require(Mirror(reflecting: box).children.first)
        #expect(child.label == "secret")
        #expect(child.value is Void, "what cannot be copied is not handed out")
    }

    @Test func `a failure contains no byte of the input`() throws {
        let failure = #expect(throws: CryptographyFailure.self) {
            _ = try TextEncoding.base32.decode("JBSWY3DP!HPK3PXP")
        }
        #expect(failure == .malformedEncoding(offset: 8))
        #expect("\(try #require(failure))" == "malformedEncoding(offset: 8)")
    }
}

private final class Box {
    let secret: SecureBytes
    init(secret: consuming SecureBytes) { self.secret = secret }
}

private func expectRedacted(_ value: some Any, _ location: SourceLocation = #_sourceLocation) {
    var dumped = ""
    dump(value, to: &dumped)
    #expect(String(describing: value) == "<redacted>", sourceLocation: location)
    #expect(String(reflecting: value) == "<redacted>", sourceLocation: location)
    #expect(dumped == "- <redacted>\n", sourceLocation: location)
    #expect(Mirror(reflecting: value).children.isEmpty, sourceLocation: location)
}
