import Storage
import TestSupport
import Testing
import ThreeDSProtocol
import VerifierWorld

@testable import ThreeDSIssuer

@Suite struct `A message without encryption` {
    private static let id = "2f37539c-d82e-4929-88db-2f9e72c7fa62"

    @Test func `names its challenge in either case, and its type exactly`() {
        for (text, id, isError) in [
            (#"{"acsTransID":"\#(Self.id.uppercased())","messageType":"Erro"}"#, Self.id, true),
            (#"{"acsTransID":"\#(Self.id)","messageType":"CReq"}"#, Self.id, false),
            (#"{"acsTransID":"\#(Self.id)0","messageType":"erro"}"#, nil, false),
            (#"{"acsTransID":1,"messageType":["Erro"]}"#, nil, false), ("{", nil, false),
        ] as [(String, String?, Bool)] {
            let message = UnencryptedMessage(reading: Array(text.utf8))
            #expect(message.challenge?.text == id, "\(text)")
            #expect(message.isErrorMessage == isError, "\(text)")
        }
    }

    @Test func `can begin with the white space of JSON`() {
        for text in ["{", " {", "\n{}", "\r\n\t  {\"a\":1}"] {
            #expect(UnencryptedMessage.canBe(Array(text.utf8)), "\(text)")
        }
        for text in ["", " ", "[{}]", "\u{feff}{", "\u{a0}{", "\u{b}{", "eyJ{", "\0{"] {
            #expect(!UnencryptedMessage.canBe(Array(text.utf8)), "\(text)")
        }
    }

    @Test(arguments: ["", " ", "\r\n\t "])
    func `that is an error never causes another one`(_ space: String) async throws {
        let world = try await IssuerWorld()
        for element in [#""acsTransID":"\#(Self.id)""#, #""errorCode":1,"errorCode":2"#] {
            let report = space + #"{"messageType":"Erro",\#(element)}"#
            #expect(try await world.service.response(toApp: Array(report.utf8)) == .none)
        }
    }

    @Test(arguments: ["acsTransID", "messageType"])
    func `SEC-98: is read in a time that grows with its length`(_ name: String) {
        let growth = Growth(from: 4096) { size in
            Array(#"{"\#(name)":"\#(combiningMarks(byteCount: size))"}"#.utf8)
        } _: { body in
            let message = UnencryptedMessage(reading: body)
            #expect(message.challenge == nil && !message.isErrorMessage)
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test func `SEC-98: is refused without the store if its identifier is not a UUID`() async throws
    {
        let world = try await IssuerWorld.over { WatchedDatabase($0) }
        let watched = try #require(world.database as? WatchedDatabase)
        watched.forget()
        let marks = combiningMarks(byteCount: 40)
        for id in [marks, "4711", Self.id + "0"] {
            let report = #"{"messageType":"Erro","acsTransID":"\#(id)"}"#
            #expect(try await world.service.response(toApp: Array(report.utf8)) == .none)
            let request = #"{"messageType":"CReq","acsTransID":"\#(id)"}"#
            let refusal = try await world.service.response(toApp: Array(request.utf8))
            #expect(refusal != .none)
            let form = ChallengeForm(message: Array(request.utf8), sessionData: nil)
                .fields(message: .request).map { "\($0.name)=\($0.value)" }
            guard case .page = try await world.service.response(toForm: Array(form[0].utf8)) else {
                Issue.record("a challenge is found")
                continue
            }
        }
        #expect(watched.statements == [])
    }
}
