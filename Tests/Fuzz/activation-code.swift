@testable import Cryptography
@testable import TransactionApproval

/// What is read is what was typed, in the one spelling that is read as itself.
@_cdecl("LLVMFuzzerTestOneInput")
func readActivationCode(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    // A refusal is the right answer to most inputs, so `try?` loses nothing here.
    guard let code = try? ActivationCode(typed: input.span) else { return 0 }
    let text = spelling(of: code)
    precondition(
        input.filter { !isSeparator($0) }.map(CrockfordBase32.canonical)
            == text.filter { !isSeparator($0) },
        "another code than the one that was typed"
    )
    // Why it is refused does not matter: it must not be.
    guard let again = try? ActivationCode(typed: text.span) else {
        preconditionFailure("a spelling that is refused")
    }
    precondition(spelling(of: again) == text, "a spelling that is not read as itself")
    return 0
}

private func spelling(of code: borrowing ActivationCode) -> [UInt8] {
    // A machine that cannot spell a code that it has read is what the next line says.
    let text = (try? code.text())?.withBytes { $0.array }
    precondition(text != nil, "read, but not to be written")
    return text ?? []
}
