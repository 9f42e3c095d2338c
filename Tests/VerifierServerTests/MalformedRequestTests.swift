import HTTPServer
import Testing
import TransactionApproval
import Verification
import VerifierServer
import VerifierWorld

@Suite struct `A malformed request with a valid signature` {
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
    func `is rejected before its content is used`(_ body: String) async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let before = try await server.bank.contents()
        #expect(try await phone.send(Array(body.utf8), to: server) == .invalidArgument)
        #expect(try await server.bank.contents() == before)
    }

    @Test func `includes invalid UTF-8 and a wrong content type`()
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
    func `is reported at every route except activations, whose key is in the content`(
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
        let response = await server.api.respond(to: try Request(request))
        let isActivation = [.activationClaim, .activationCommit].contains(route)
        #expect(response.status == (isActivation ? 401 : 400))
        let isSigned = try response.authentic(to: request, from: server.trusted) != nil
        #expect(isSigned == !isActivation)
        #expect(try await server.bank.contents() == before)
    }
}

extension Phone {
    /// The refusal of a deletion with this body.
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
        let response = await server.api.respond(to: try Request(request))
        let authentic = try response.authentic(to: request, from: server.trusted).unwrapped()
        return try DeletionExchange.outcome(of: authentic.message).unwrapped().problem
    }
}
