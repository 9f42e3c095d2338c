@testable import Transactions

/// Accepted bytes are written unchanged, and all texts in them are visible.
@_cdecl("LLVMFuzzerTestOneInput")
func readTransaction(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // Most inputs are correctly rejected, so `try?` loses nothing.
    guard let transaction = try? Transaction(canonicalBytes: input) else { return 0 }
    precondition(transaction.canonicalBytes == input, "two byte strings for one transaction")
    let content = transaction.content
    let texts =
        [content.title] + content.fields.flatMap { [$0.label, $0.value] }
        + content.payees.map(\.name)
    precondition(texts.allSatisfy { visible($0.text) == $0.text }, "a text that hides something")
    return 0
}
