import TestSupport
import Testing

@testable import Cryptography

@Suite struct `Single-step key derivation` {
    private static let program = """
        import sys
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash

        for line in sys.stdin:
            count, secret, info = line.rstrip("\\n").split(",")
            derivation = ConcatKDFHash(SHA256(), int(count), bytes.fromhex(info))
            print(derivation.derive(bytes.fromhex(secret)).hex())
        """

    @Test func `has the results of another implementation`() throws {
        var random = SeededGenerator(seed: 1)
        func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        let inputs = (1...100).map { (count: $0, secret: bytes($0), info: bytes($0 * 7 % 90)) }
        let lines = inputs.map { input in
            let parts = [input.secret, input.info].map { TextEncoding.hexadecimal.encode($0.span) }
            return ([String(input.count)] + parts).joined(separator: ",")
        }
        let python = try FinishedProcess.run(
            "/usr/bin/python3",
            ["-c", Self.program],
            input: Array(lines.joined(separator: "\n").utf8)
        )
        let derived = try inputs.map { input in
            let key = try ConcatKDF.derive(
                from: SecureBytes(input.secret),
                fixedInfo: input.info.span,
                byteCount: input.count
            )
            return TextEncoding.hexadecimal.encode(key.array.span)
        }
        #expect(python.output.split(separator: "\n").map(String.init) == derived)
    }

    @Test(arguments: [0, -1, 255 * 32 + 1, .max])
    func `refuses other counts of bytes`(count: Int) throws {
        let secret = try SecureBytes([1])
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try ConcatKDF.derive(from: secret, fixedInfo: Span(), byteCount: count)
        }
    }

    @Test func `refuses an empty secret`() throws {
        let secret = try SecureBytes([])
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try ConcatKDF.derive(from: secret, fixedInfo: Span(), byteCount: 32)
        }
    }
}
