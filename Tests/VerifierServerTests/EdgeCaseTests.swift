import HTTPServer
import ServerOperation
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

/// The table "Edge cases" in docs/protocol/transport.md, over a socket.
@Suite(.timeLimit(.minutes(2))) struct `Edge cases of HTTP` {
    private let served: ServedBank
    private let phone: Phone
    private let token: [UInt8]

    init() async throws {
        served = try await ServedBank()
        phone = try await served.bank.activate()
        token = try await served.bank.makeToken("edge", for: .administrator)
    }

    @Test func `are all in the table, and nothing else is`() throws {
        #expect(try EdgeCaseRow.all().map(\.request) == EdgeCase.all.map(\.testDescription))
    }

    @Test(arguments: EdgeCase.all)
    func `get the documented responses of both APIs`(_ edge: EdgeCase) async throws {
        let row = try #require(EdgeCaseRow.all().first { $0.request == edge.testDescription })
        let metrics = Metrics()
        let router = try served.router(metrics)
        let reporter = Reporter(metrics: metrics, log: Log(to: -1, metrics: metrics))
        let server = try Server(
            [Listener("127.0.0.1", port: 0)],
            explaining: { reporter.response(to: $0) },
            handler: { await router.respond(to: $0) }
        )
        try await server.start()
        let before = try await served.bank.contents()
        let device = try exchange(try deviceRequest(for: edge), at: server.ports[0])
        let bank = try exchange(bankRequest(for: edge), at: server.ports[0])
        #expect(device.summary == row.device)
        #expect(bank.summary == row.bank)
        #expect(device.isOpen == row.isOpen)
        #expect(bank.isOpen == row.isOpen)
        if !row.isOpen {
            for response in device.responses + bank.responses {
                #expect(response.head.contains("\r\nconnection: close\r\n"))
                #expect(response.body == "")
            }
        }
        #expect(try await served.bank.contents() == before)
        await server.stop(within: .zero)
    }

    private func exchange(_ request: RawRequest, at port: Int) throws -> RawExchange {
        let socket = try LoopbackSocket(.connected, to: port)
        try socket.send(request.text + RawExchange.next)
        return RawExchange(socket.remainingText())
    }

    /// A status request with a valid signature.
    private func deviceRequest(for edge: EdgeCase) throws -> RawRequest {
        let message = RequestMessage(
            method: DeviceRoute.method,
            targetURI: try ServedBank.origin.unwrapped().text + DeviceRoute.status.path,
            contentType: edge.contentType,
            body: Array((edge.body ?? "{}").utf8)
        )
        let request = try Request(phone.signed(message, at: served.bank.clock.now))
        return RawRequest(request, edge)
    }

    /// The policy that is in force, from a valid token.
    private func bankRequest(for edge: EdgeCase) -> RawRequest {
        let fields = [
            Field("Authorization", BankClient.token(token)),
            Field("Content-Type", edge.contentType),
        ]
        let request = Request(
            method: "PUT",
            target: BankClient.enterprise + "/policy",
            fields: fields,
            body: Array((edge.body ?? "{}").utf8)
        )
        return RawRequest(request, edge)
    }
}
