import CommandLineTool
import FailureTranslation
import HTTPClient
import StrictJSON
import Verification

/// The download of an audit trail, which can be too long to keep in memory.
///
/// Complete lines are written as they arrive; after a broken connection, another request continues.
struct AuditTrailDownload {
    let connection: NetworkVerifier.Connection

    private static let timeout = Duration.seconds(60)
    /// A longer line is not a record.
    private static let maximumLineByteCount = StrictJSON.Limits.message.byteCount
    private static let lineEnd = UInt8(ascii: "\n")

    typealias Write = ([UInt8]) throws(CommandFailure) -> Void

    /// Writes the records after `last`, and keeps `last` at the last record that was written.
    func write(after last: inout UInt64, to write: Write) async throws(CommandFailure) {
        while true {
            let before = last
            if try await isComplete(after: &last, write) { return }
            guard last > before else {
                throw CommandFailure(.tryLater, "\(connection.origin) sent no complete response")
                    .suggesting("repeat the command")
            }
        }
    }

    /// Sends one request; returns whether its response was complete.
    private func isComplete(
        after last: inout UInt64,
        _ write: Write
    ) async throws(CommandFailure) -> Bool {
        let request = APIRequest(.get, "/bank/v1/audit?after=\(last)", of: "audit trail")
        let stream = try await connection.sending(
            request,
            try await connection.client.open(connection.request(request), silence: Self.timeout)
        )
        var unfinished: [UInt8] = []
        for await piece in stream.pieces {
            unfinished += piece
            if stream.status == 200, let end = unfinished.lastIndex(of: Self.lineEnd) {
                try deliver(Array(unfinished[...end]), to: write, &last)
                unfinished.removeSubrange(...end)
            }
            guard unfinished.count <= Self.maximumLineByteCount else { throw notARecord }
        }
        guard stream.status == 200 else {
            let response = APIResponse(status: stream.status, body: unfinished)
            throw CommandFailure(response, to: request, scopeHint: NetworkVerifier.scopeHint)
        }
        guard await stream.isComplete() else { return false }
        guard unfinished.isEmpty else { throw notARecord }
        return true
    }

    private func deliver(
        _ lines: [UInt8],
        to write: Write,
        _ last: inout UInt64
    ) throws(CommandFailure) {
        let number = try number(ofLastLine: lines)
        try write(lines)
        last = number
    }

    private func number(ofLastLine lines: [UInt8]) throws(CommandFailure) -> UInt64 {
        guard lines.last == Self.lineEnd else { throw notARecord }
        let whole = lines.dropLast()
        let start = whole.lastIndex(of: Self.lineEnd).map { $0 + 1 } ?? whole.startIndex
        return try translating(AuditRecord(exported: Array(whole[start...])).sequence) {
            (_: StrictJSON.Failure) in notARecord
        }
    }

    private var notARecord: CommandFailure {
        CommandFailure(
            .unknownResult,
            "\(connection.origin) sent a line that is not an audit record",
            hint: APIResponse.releaseHint
        )
    }
}
