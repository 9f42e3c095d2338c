@testable import StrictJSON
@testable import ThreeDSProtocol

@_silgen_name("__lsan_disable") private func ignoreAllocations()
@_silgen_name("__lsan_enable") private func watchAllocations()

/// Makes the field table, which is never freed.
///
/// Its pointers have tags, so the search for leaks does not follow them.
@_cdecl("LLVMFuzzerInitialize")
func makeFieldTable(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutableRawPointer?
) -> CInt {
    ignoreAllocations()
    defer { watchAllocations() }
    return FieldTable.names.isEmpty || FieldTable.rows(of: .areq, in: .twoTwo).rows.isEmpty ? 1 : 0
}

private let readers = Component.allCases.map { MessageReader(for: $0) }

/// The facts of an AReq that was accepted.
private func facts(_ version: ProtocolVersion) -> TransactionFacts {
    TransactionFacts(version: version, channel: .app, category: .payment)
}

/// The first byte selects the receiver, the version and the facts; every input has a verdict.
///
/// An accepted message is accepted again after it is written, and every error can be sent.
@_cdecl("LLVMFuzzerTestOneInput")
func readMessage(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let first = input.first else { return 0 }
    let reader = readers[Int(first & 3)]
    let versions = ProtocolVersion.allCases
    let version = versions[Int(first >> 3) % versions.count]
    let context = first & 4 == 0 ? MessageContext.alone(version) : .transaction(facts(version))
    read(Array(input.dropFirst()), by: reader, in: context)
    return 0
}

private func read(_ bytes: [UInt8], by reader: MessageReader, in context: MessageContext) {
    let types = Set(MessageType.allCases)
    do throws(MessageReader.Failure) {
        let message = try reader.read(bytes, as: types, in: context)
        let written = try? message.written()
        precondition(written != nil, "what is read cannot be written")
        let again = written.flatMap { try? reader.read($0, as: types, in: context) }
        precondition(again != nil, "what is written is refused")
        precondition((try? again?.written()) == written, "written otherwise")
    } catch {
        guard case .fault(let fault) = error else { return }
        precondition(fault.detail.unicodeScalars.count <= 2048, "a detail without bounds")
        guard let answer = fault.errorMessage(from: reader.receiver) else { return }
        let written = try? answer.written()
        let sent = written.flatMap { try? readers[0].read($0, as: [.erro], in: .first) }
        precondition(sent != nil, "an error message that no component accepts")
    }
}
