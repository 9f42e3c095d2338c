import CommandLineTool
import HTTPClient
import StrictJSON
import Verification

/// The download of an audit trail, which can be too long to keep in memory.
///
/// A stream can end early without a sign. So complete lines are written as they arrive, and the
/// download is complete only after a response of known length.
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
            if let rest = try await completeResponse(after: last) {
                if !rest.isEmpty { try deliver(rest, to: write, &last) }
                return
            }
            let before = last
            try await stream(after: &last, write)
            guard last > before else {
                throw CommandFailure(.tryLater, "\(connection.origin) sent no complete response")
                    .suggesting("repeat the command")
            }
        }
    }

    /// Nil if the response is too large or arrives too slowly.
    private func completeResponse(
        after sequence: UInt64
    ) async throws(CommandFailure) -> [UInt8]? {
        let request = APIRequest.trail(after: sequence)
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await connection.client.send(connection.request(request))
        } catch .responseTooLarge, .responseMissing {
            return nil
        } catch {
            throw CommandFailure(error, of: request, at: connection.origin)
        }
        try check(response.status, response.body, request)
        return response.body
    }

    private func stream(
        after last: inout UInt64,
        _ write: Write
    ) async throws(CommandFailure) {
        let request = APIRequest.trail(after: last)
        let stream = try await connection.sending(
            request,
            try await connection.client.open(connection.request(request), silence: Self.timeout)
        )
        try check(stream.status, [], request)
        var unfinished: [UInt8] = []
        for await piece in stream.pieces {
            unfinished += piece
            if let end = unfinished.lastIndex(of: Self.lineEnd) {
                try deliver(Array(unfinished[...end]), to: write, &last)
                unfinished.removeSubrange(...end)
            }
            guard unfinished.count <= Self.maximumLineByteCount else { throw notARecord }
        }
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

    private func check(
        _ status: Int,
        _ body: [UInt8],
        _ request: APIRequest
    ) throws(CommandFailure) {
        guard status != 200 else { return }
        throw CommandFailure(
            APIResponse(status: status, body: body),
            to: request,
            scopeHint: NetworkVerifier.scopeHint
        )
    }

    private func number(ofLastLine lines: [UInt8]) throws(CommandFailure) -> UInt64 {
        guard lines.last == Self.lineEnd else { throw notARecord }
        let whole = lines.dropLast()
        let start = whole.lastIndex(of: Self.lineEnd).map { $0 + 1 } ?? whole.startIndex
        return try translating(
            try AuditRecord(exported: Array(whole[start...])).sequence
        ) { (_: StrictJSON.Failure) in notARecord }
    }

    private var notARecord: CommandFailure {
        CommandFailure(
            .untrustedResponse,
            "\(connection.origin) sent a line that is not an audit record",
            hint: APIResponse.releaseHint
        )
    }
}

extension APIRequest {
    fileprivate static func trail(after sequence: UInt64) -> APIRequest {
        APIRequest(.get, "/bank/v1/audit?after=\(sequence)", of: "audit trail")
    }
}
