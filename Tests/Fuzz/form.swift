@testable import Cryptography
@testable import ThreeDSProtocol

/// A form that is read has the same message and session data when it is posted again.
@_cdecl("LLVMFuzzerTestOneInput")
func readForm(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let fields = FormFields(reading: input),
        let form = ChallengeForm(fields, message: .request)
    else { return 0 }
    let body = form.fields(message: .request).map { field in
        field.name + "=" + field.value.utf8.map(escaped).joined()
    }.joined(separator: "&")
    // Three characters for each byte can exceed the limit.
    guard body.utf8.count <= FormFields.maximumByteCount else { return 0 }
    let again = FormFields(reading: Array(body.utf8))
        .flatMap { ChallengeForm($0, message: .request) }
    precondition(again?.message == form.message, "another message")
    precondition(again?.sessionData == form.sessionData, "other session data")
    return 0
}

private func escaped(_ byte: UInt8) -> String {
    "%" + TextEncoding.hexadecimal.encode([byte].span)
}
