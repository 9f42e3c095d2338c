import Cryptography
import Testing

@Suite struct `Hash functions` {
    // Examples of FIPS 180-4 for "abc" and for the empty message.
    @Test(arguments: [
        (HashAlgorithm.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        (.sha1, "616263", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (.sha256, "616263", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha512, "616263",
            """
            ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
            2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
            """
        ),
    ])
    func `match the published values`(
        algorithm: HashAlgorithm,
        message: String,
        expected: String
    ) throws {
        let message = try [UInt8](hexadecimal: message)
        let digest = try algorithm.digest(of: message.span)
        #expect(digest.byteCount == algorithm.byteCount)
        #expect(digest.array == (try [UInt8](hexadecimal: expected)))
        #expect(digest.withBytes { $0.array } == digest.array)
    }
}
