@testable import TransactionApproval

/// What is read is written back byte for byte, and every text in it can be shown as it is.
@_cdecl("LLVMFuzzerTestOneInput")
func readTransaction(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // A refusal is the right answer to most inputs, so `try?` loses nothing here.
    guard let transaction = try? Transaction(canonicalBytes: input) else { return 0 }
    precondition(transaction.canonicalBytes == input, "two byte strings for one transaction")
    let content = transaction.content
    let texts =
        [content.title] + content.fields.flatMap { [$0.label, $0.value] }
        + content.payees.map(\.name)
    precondition(texts.allSatisfy { visible($0.text) == $0.text }, "a text that hides something")
    return 0
}
