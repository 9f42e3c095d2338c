@testable import Cryptography
@testable import TransactionApproval

private let message = RequestMessage(
    method: "POST",
    targetURI: "https://approve.example.com/",
    contentType: "application/json",
    body: []
)

// Fuzzing needs a key, and the fuzzer reports a failure to generate one.
// swift-format-ignore: NeverUseForceTry
private let key = try! P256.PrivateKey()

/// An accepted `Signature-Input` equals our own for the same device, time and nonce.
///
/// Most inputs are correctly rejected, so `try?` loses nothing.
@_cdecl("LLVMFuzzerTestOneInput")
func readSignatureInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let text = String(validating: input, as: UTF8.self), let request = try? read(text) else {
        return 0
    }
    let written = try? SignedRequest(message, parameters: request.parameters, signedWith: key)
    precondition(written?.fields[2].name == "signature-input")
    precondition(written?.fields[2].value.utf8.elementsEqual(input) == true, "another spelling")
    return 0
}

private func read(_ signatureInput: String) throws -> UnverifiedRequest {
    try UnverifiedRequest(
        method: message.method,
        targetURI: message.targetURI,
        fields: [
            HTTPField("content-type", message.contentType),
            HTTPField("content-digest", ContentDigest(of: message.body).fieldValue),
            HTTPField("signature-input", signatureInput),
            HTTPField("signature", "countersign=:" + String(repeating: "A", count: 86) + "==:"),
        ],
        body: message.body
    )
}
