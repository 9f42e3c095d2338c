import Cryptography
import Foundation
import Glibc
import PrivateFiles
import TestSupport
import Testing

@testable import OneTimePassword
@testable import OneTimePasswordFormats

// Exit tests: afterwards the memory of the process is searched.
@Suite(.needsPlainMemory)
struct `SEC-26: a PSKC document leaves no copy of a plain secret in ordinary memory` {
    init() {
        bindSymbolsAtOnce()
    }

    @Test(arguments: Remnant.allCases) func `after it was`(_ remnant: Remnant) async {
        await #expect(processExitsWith: .success) { [remnant] in
            let sample = try SampleSecret()
            // The search would overwrite free blocks in the heap of its own thread.
            try onThreadOfItsOwn { try remnant.leaveBehind(sample.text) }
            #expect(try sample.secret.remnantsOutsideSecureHeap() == 0)
            #expect(try sample.text.remnantsOutsideSecureHeap() == 0)
        }
    }

    @Test func `(control) the search finds a copy`() async {
        await #expect(processExitsWith: .success) {
            let secret = try SecureBytes.random(count: 33)
            let copy = secret.withBytes { $0.array }
            #expect(try secret.remnantsOutsideSecureHeap() > 0)
            #expect(copy.count == 33)
        }
    }
}

/// A secret, and its text in documents.
private final class SampleSecret: Sendable {
    let secret: SecureBytes
    let text: SecureBytes

    init() throws {
        // A multiple of 3, so that the text needs no padding.
        secret = try SecureBytes.random(count: 33)
        text = try secret.withBytes { try TextEncoding.base64.encode(secret: $0) }
    }
}

private func onThreadOfItsOwn(_ body: @escaping @Sendable () throws -> Void) throws {
    let result = LockedValue(Result<Void, any Error>.success(()))
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        result.withLock { $0 = Result(catching: body) }
        end.signal()
    }
    end.wait()
    try result.withLock { $0 }.get()
}

/// The use of a document, whose only copy is wiped afterwards.
enum Remnant: String, CaseIterable, Codable, Sendable {
    case read, refused, refusedAsXML, written

    func leaveBehind(_ secretText: borrowing SecureBytes) throws {
        let change: (String) -> String =
            switch self {
            case .read, .written: { $0 }
            case .refused: { $0.replacing("</Data>", with: "<Other/></Data>") }
            case .refusedAsXML: { $0.replacing("</Data>", with: "") }
            }
        try secretText.withDocument(change, use)
    }

    private func use(_ document: Span<UInt8>) throws {
        switch self {
        case .refused, .refusedAsXML:
            // Another test checks the error.
            #expect((try? PSKCDocument(reading: document)) == nil)
        case .read:
            #expect(try PSKCDocument(reading: document).keys[0].secret?.byteCount == 33)
        case .written:
            var written = try PSKCDocument(reading: document).serialized(protection: .nothing)
            written.withUnsafeMutableBytes { wipe($0) }
        }
    }
}

extension SecureBytes {
    /// Passes the sample document with this text as its secret.
    fileprivate func withDocument(
        _ change: (String) -> String,
        _ body: (Span<UInt8>) throws -> Void
    ) throws {
        let parts = PSKCDocument.sampleText.split(separator: "MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=")
        // The heap reuses a freed block from its start: the end of a large one lasts longest.
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 30_000)
        let head = Array(parts[0].utf8) + spaces
        let tail = Array(change(String(parts[1])).utf8)
        let document = UnsafeMutableBufferPointer<UInt8>
            .allocate(capacity: head.count + count + tail.count)
        defer {
            wipe(UnsafeMutableRawBufferPointer(document))
            document.deallocate()
        }
        let start = document.initialize(fromContentsOf: head)
        let end = withBytes { text in
            text.withUnsafeBufferPointer { document[start...].initialize(fromContentsOf: $0) }
        }
        _ = document[end...].initialize(fromContentsOf: tail)
        try body(UnsafeBufferPointer(document).span)
    }
}

private func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
}

extension SecureBytes {
    fileprivate func remnantsOutsideSecureHeap() throws -> Int {
        try withBytes { bytes in
            try bytes.withUnsafeBytes { try TestSupport.remnantsOutsideSecureHeap(of: $0) }
        }
    }
}
