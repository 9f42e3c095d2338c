import CommandLineTool
import HTTPClient
import StrictJSON
import Verifier

/// The audit trail of a verifier over the network, which may be longer than any answer that is kept
/// as a whole.
///
/// A stream that ends may have been cut off. So what it brought is taken line by line, and the trail
/// is at its end once an answer came whole.
struct RemoteTrail {
    let connection: RemoteVerifier.Connection

    private static let silence = Duration.seconds(60)

    /// Gives whole lines to `write`, of what follows a record.
    func export(
        after sequence: UInt64,
        _ write: ([UInt8]) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        var last = sequence
        while true {
            if let rest = try await rest(after: last) { return try write(rest) }
            let before = last
            try await stream(after: &last, write)
            guard last > before else {
                throw CommandFailure(
                    .tryLater,
                    "no whole answer came from \(connection.origin)",
                    hint: "repeat it with --after \(last) for what is missing"
                )
            }
        }
    }

    /// Nil where it is more than is taken as a whole.
    private func rest(after sequence: UInt64) async throws(CommandFailure) -> [UInt8]? {
        let question = Question.trail(after: sequence)
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await connection.client.send(connection.request(question))
        } catch .responseTooLarge {
            return nil
        } catch {
            throw CommandFailure(error, of: question, at: connection.origin)
        }
        try check(response.status, response.body, question)
        return response.body
    }

    private func stream(
        after sequence: inout UInt64,
        _ write: ([UInt8]) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        let question = Question.trail(after: sequence)
        let stream: HTTPStream
        do throws(HTTPFailure) {
            let request = connection.request(question)
            stream = try await connection.client.open(request, silence: Self.silence)
        } catch {
            throw CommandFailure(error, of: question, at: connection.origin)
        }
        try check(stream.status, [], question)
        var unfinished: [UInt8] = []
        for await piece in stream.pieces {
            unfinished += piece
            guard let end = unfinished.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            let lines = Array(unfinished[...end])
            sequence = try number(ofLastLine: lines)
            try write(lines)
            unfinished.removeSubrange(...end)
        }
    }

    private func check(
        _ status: Int,
        _ body: [UInt8],
        _ question: Question
    ) throws(CommandFailure) {
        guard status != 200 else { return }
        throw CommandFailure(
            Bank.Reply(status: status, body: body),
            to: question,
            RemoteVerifier.doubt
        )
    }

    private func number(ofLastLine lines: [UInt8]) throws(CommandFailure) -> UInt64 {
        let line = lines.dropLast().split(separator: UInt8(ascii: "\n")).last ?? []
        do throws(StrictJSON.Failure) {
            return try AuditRecord(exported: Array(line)).sequence
        } catch {
            throw CommandFailure(
                .untrustedAnswer,
                "what came from \(connection.origin) is no record of an audit trail",
                hint: "ask with the countersignd of the same release"
            )
        }
    }
}

extension Question {
    fileprivate static func trail(after sequence: UInt64) -> Question {
        Question(.get, "/bank/v1/audit?after=\(sequence)", of: "trail for this token")
    }
}
