import CommandLineTool
import HTTPClient
import StrictJSON
import Verification

/// The audit trail of a verifier over the network, which may be longer than any answer that is kept
/// as a whole.
///
/// A stream that ends may have been cut off. So what it brought is taken line by line, and the trail
/// is at its end once an answer came whole.
struct RemoteTrail {
    let connection: RemoteVerifier.Connection

    private static let silence = Duration.seconds(60)
    /// More is read as no record.
    private static let longestLine = StrictJSON.Limits.message.byteCount
    private static let lineEnd = UInt8(ascii: "\n")

    typealias Write = ([UInt8]) throws(CommandFailure) -> Void

    /// Gives whole lines to `write`, of what follows the record `last`, which goes on with them: where
    /// it fails, that is the last one that was written.
    func export(after last: inout UInt64, _ write: Write) async throws(CommandFailure) {
        while true {
            if let rest = try await rest(after: last) {
                if !rest.isEmpty { try hand(rest, to: write, &last) }
                return
            }
            let before = last
            try await stream(after: &last, write)
            guard last > before else {
                throw CommandFailure(
                    .tryLater,
                    "no whole answer came from \(connection.origin)",
                    hint: "repeat it"
                )
            }
        }
    }

    /// Nil where it is more than is taken as a whole, or does not come whole in time.
    private func rest(after sequence: UInt64) async throws(CommandFailure) -> [UInt8]? {
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
        let stream: HTTPStream
        do throws(HTTPFailure) {
            let request = connection.request(request)
            stream = try await connection.client.open(request, silence: Self.silence)
        } catch {
            throw CommandFailure(error, of: request, at: connection.origin)
        }
        try check(stream.status, [], request)
        var unfinished: [UInt8] = []
        for await piece in stream.pieces {
            unfinished += piece
            if let end = unfinished.lastIndex(of: Self.lineEnd) {
                try hand(Array(unfinished[...end]), to: write, &last)
                unfinished.removeSubrange(...end)
            }
            guard unfinished.count <= Self.longestLine else { throw noRecord }
        }
    }

    private func hand(
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
            Bank.Reply(status: status, body: body),
            to: request,
            RemoteVerifier.doubt
        )
    }

    private func number(ofLastLine lines: [UInt8]) throws(CommandFailure) -> UInt64 {
        guard lines.last == Self.lineEnd else { throw noRecord }
        let whole = lines.dropLast()
        let start = whole.lastIndex(of: Self.lineEnd).map { $0 + 1 } ?? whole.startIndex
        do throws(StrictJSON.Failure) {
            return try AuditRecord(exported: Array(whole[start...])).sequence
        } catch {
            throw noRecord
        }
    }

    private var noRecord: CommandFailure {
        CommandFailure(
            .untrustedResponse,
            "what came from \(connection.origin) is no record of an audit trail",
            hint: "ask with the countersignd of the same release"
        )
    }
}

extension APIRequest {
    fileprivate static func trail(after sequence: UInt64) -> APIRequest {
        APIRequest(.get, "/bank/v1/audit?after=\(sequence)", of: "trail for this token")
    }
}
