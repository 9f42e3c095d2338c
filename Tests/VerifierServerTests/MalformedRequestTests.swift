import HTTPServer
import Testing
import TransactionApproval
import Verification
import VerifierServer
import VerifierWorld

@Suite struct `A signed request that is malformed` {
    private static let bodies: [String] = {
        let attempt = String(repeating: "0", count: 32)
        let depth = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        return [
            "", " ", "null", "[]", "1", "\"\"", "{", "{}", "{}{}",
            #"{"attempt":"\#(attempt)","attempt":"\#(attempt)"}"#,
            #"{"attempt":"\#(attempt)","\u0061ttempt":"\#(attempt)"}"#,
            #"{"attempt":"\#(attempt)","more":1}"#, #"{"Attempt":"\#(attempt)"}"#,
            #"{"attempt":"\#(attempt)0"}"#, #"{"attempt":""}"#, #"{"attempt":null}"#,
            #"{"attempt":7}"#, #"{"attempt":["\#(attempt)"]}"#, #"{"attempt":\#(depth)}"#,
            #"{"attempt":"\#(attempt)",}"#, #"{'attempt':'\#(attempt)'}"#,
            #"/**/{"attempt":"\#(attempt)"}"#, "\u{FEFF}" + #"{"attempt":"\#(attempt)"}"#,
        ]
    }()

    @Test(arguments: bodies)
    func `is refused before anything is looked at`(_ body: String) async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let before = try await server.bank.contents()
        #expect(try await phone.send(Array(body.utf8), to: server) == .invalidArgument)
        #expect(try await server.bank.contents() == before)
    }

    @Test func `is one that is no UTF-8 or no JSON by its type, and else it would have counted`()
        async throws
    {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let attempt = String(repeating: "0", count: 32)
        let right = Array(#"{"attempt":"\#(attempt)"}"#.utf8)
        let before = try await server.bank.contents()
        #expect(try await phone.send([0xff] + right, to: server) == .invalidArgument)
        for type in ["text/plain", "application/json; charset=utf-8", "APPLICATION/JSON"] {
            #expect(try await phone.send(right, as: type, to: server) == .invalidArgument)
        }
        #expect(try await server.bank.contents() == before)
        #expect(try await phone.send(right, to: server) == nil)
    }

    @Test(arguments: DeviceRoute.allCases)
    func `is told so at every route, and a stranger's at an activation, which has the key in it`(
        _ route: DeviceRoute
    ) async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let message = RequestMessage(
            method: DeviceRoute.method,
            targetURI: try ServedBank.origin.unwrapped().text + route.path,
            contentType: DeviceRoute.contentType,
            body: Array(#"{"unknown":1}"#.utf8)
        )
        let before = try await server.bank.contents()
        let request = try phone.signed(message, at: server.bank.clock.now)
        let answer = await server.api.answer(try Request(request))
        let isActivation = [.activationClaim, .activationCommit].contains(route)
        #expect(answer.status == (isActivation ? 401 : 400))
        let isSigned = try answer.authentic(to: request, from: server.trusted) != nil
        #expect(isSigned == !isActivation)
        #expect(try await server.bank.contents() == before)
    }
}

extension Phone {
    /// What a deletion with this body is refused with.
    fileprivate func send(
        _ body: [UInt8],
        as contentType: String = DeviceRoute.contentType,
        to server: ServedBank
    ) async throws -> Problem? {
        let message = RequestMessage(
            method: DeviceRoute.method,
            targetURI: try ServedBank.origin.unwrapped().text + DeviceRoute.deletion.path,
            contentType: contentType,
            body: body
        )
        let request = try signed(message, at: server.bank.clock.now)
        let response = await server.api.answer(try Request(request))
        let answer = try response.authentic(to: request, from: server.trusted).unwrapped()
        return try DeletionExchange.outcome(of: answer.message).unwrapped().problem
    }
}
