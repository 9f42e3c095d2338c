@testable import Cryptography
@testable import TransactionApproval

/// An accepted code, in its normal spelling, is read as itself.
@_cdecl("LLVMFuzzerTestOneInput")
func readActivationCode(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    // Most inputs are correctly rejected, so `try?` loses nothing.
    guard let code = try? ActivationCode(typed: input.span) else { return 0 }
    let text = spelling(of: code)
    precondition(
        input.filter { !isSeparator($0) }.map(CrockfordBase32.canonical)
            == text.filter { !isSeparator($0) },
        "another code than the one that was typed"
    )
    // The reason does not matter: it must be accepted.
    guard let again = try? ActivationCode(typed: text.span) else {
        preconditionFailure("a spelling that is refused")
    }
    precondition(spelling(of: again) == text, "a spelling that is not read as itself")
    return 0
}

private func spelling(of code: borrowing ActivationCode) -> [UInt8] {
    // The next line fails if an accepted code cannot be written.
    let text = (try? code.text())?.withBytes { $0.array }
    precondition(text != nil, "read, but not to be written")
    return text ?? []
}
