import OneTimePassword

private let bytes32 = [UInt8](repeating: 7, count: 32)

/// Computes the code for the challenge in the second line with the suite in the first line.
@_cdecl("LLVMFuzzerTestOneInput")
func codeByOCRASuite(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let lines = UnsafeBufferPointer(start: bytes, count: count)
        .split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    // Most inputs are correctly rejected, so `try?` loses nothing.
    guard let suite = try? OCRASuite(lines[0]), let challenge = lines.dropFirst().first else {
        return 0
    }
    precondition(suite.name.utf8.allSatisfy { (0x2d...0x5a).contains($0) }, "another spelling")
    if let code = try? code(for: challenge, by: suite) {
        precondition((try? OneTimeCode(code.text)) == code, "a code that cannot be submitted")
    }
    return 0
}

private func code(for challenge: String, by suite: OCRASuite) throws -> OneTimeCode {
    let secret = try SecretBytes(copying: bytes32.span)
    let input = OCRA.Input(
        question: OCRAQuestion(challenge),
        counter: suite.takesCounter ? Counter(1) : nil,
        pin: suite.pinAlgorithm.map { _ in secret },
        session: suite.sessionByteCount.map { [UInt8](repeating: 1, count: $0 / 2) },
        timeSteps: suite.timeSteps(secondsSince1970: 1_111_111_111)
    )
    return try OCRA(suite: suite, secret: Secret(importing: secret)).code(for: input)
}
