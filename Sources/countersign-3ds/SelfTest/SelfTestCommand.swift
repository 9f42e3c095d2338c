import CommandLineTool
import SelfTest

struct SelfTestCommand: SelfTesting {
    static let vectors = VectorSet.cardPayments
    static let summary = "Check the cryptography of this machine with test vectors."
    static let discussion = """
        Without a file, it runs the built-in vectors. They are of RFC 7515, 7518 and 7520, and of
        secure channels of EMV 3-D Secure. Many of them are malformed and must be rejected.

        The types of files are aes-cbc-hmac, ecdh-es, jwe, jws and emv-channel. Vectors/README.md
        describes their format. One malformed row rejects the whole file.
        """

    @Argument(help: "Vector files to run; - reads standard input.")
    var files: [FilePath]
}
