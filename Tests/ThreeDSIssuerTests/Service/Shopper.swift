import Cryptography
import HTTPServer
import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

/// A shopper whose browser got the address of the ACS.
struct Shopper {
    let world: IssuerWorld
    let response: JSONValue

    init(_ world: IssuerWorld, _ version: ProtocolVersion = .twoTwo) async throws {
        try await self.init(world, SampleRequest(version, .browser))
    }

    init(_ world: IssuerWorld, _ request: SampleRequest) async throws {
        self.world = world
        response = try await world.answer(request)
        try #require(response["transStatus"]?.text == "C")
        #expect(response["acsURL"]?.text == "https://acs.example/3ds/browser")
    }

    static func new(_ version: ProtocolVersion = .twoTwo) async throws -> Shopper {
        let world = try await IssuerWorld()
        try await world.addCard()
        return try await Shopper(world, version)
    }

    var acsTransID: String { response["acsTransID"]?.text ?? "" }

    func form(
        _ changes: [String: String?] = [:],
        sessionData: String? = "c2Vzc2lvbg"
    ) throws -> [UInt8] {
        var elements: [String: String] = [
            "messageType": #""CReq""#, "challengeWindowSize": #""02""#,
        ]
        for name in ["messageVersion", "threeDSServerTransID", "acsTransID"] {
            elements[name] = #""\#(response[name]?.text ?? "")""#
        }
        for (name, value) in changes { elements[name] = value }
        let members = elements.sorted { $0.key < $1.key }.map { #""\#($0)":\#($1)"# }
        let creq = Array("{\(members.joined(separator: ","))}".utf8)
        let text = "creq=\(TextEncoding.base64URL.encode(creq.span))"
        return Array((text + (sessionData.map { "&threeDSSessionData=\($0)" } ?? "")).utf8)
    }

    /// Posts the form, and returns the handle to which the browser is sent.
    func enter() async throws -> PageHandle {
        guard case .redirection(let path) = try await world.service.response(toForm: form())
        else { throw Unexpected() }
        let text = path.dropFirst(ChallengeAddresses.pagePath.count)
        return try #require(PageHandle(String(text)))
    }

    func text(of handle: PageHandle) async throws -> String {
        String(decoding: try await world.service.page(handle).body, as: UTF8.self)
    }

    func token(of handle: PageHandle) async throws -> String {
        let page = try await text(of: handle)
        return String(try #require(page.firstMatch(of: /name="token" value="([^"]+)"/)?.1))
    }

    /// Presses a button of the page, and returns the address to which the browser is sent.
    func press(
        _ action: PageAction,
        on handle: PageHandle,
        _ token: String? = nil
    ) async throws -> String? {
        let own = if let token { token } else { try await self.token(of: handle) }
        let response = try await world.service.response(
            to: action,
            on: handle,
            form: Array("token=\(own)".utf8)
        )
        guard case .redirection(let address) = response else { return nil }
        return address
    }

    /// The page at the address to which a button leads.
    func text(at address: String) async throws -> String {
        let request = Request(method: "GET", target: address, fields: [], body: [])
        let routed = await ChallengeRoutes(world.service).respond(to: request)
        guard case .bytes(let bytes) = routed.response.body else { throw Unexpected() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The message that the last page brings to the shop, and its session data.
    func result(of handle: PageHandle) async throws -> (JSONValue, sessionData: String?) {
        try result(in: await text(of: handle))
    }

    func result(in page: String) throws -> (JSONValue, sessionData: String?) {
        let cres = try #require(page.firstMatch(of: /name="cres" value="([^"]+)"/)?.1)
        let data = page.firstMatch(of: /name="threeDSSessionData" value="([^"]*)"/)?.1
        let bytes = try TextEncoding.base64URL.decode(String(cres))
        return (try JSONValue(reading: bytes, limits: .message), data.map { String($0) })
    }

    /// The error that a form brings to the shop.
    func error(of form: [UInt8]) async throws -> JSONValue {
        guard case .page(let page) = try await world.service.response(toForm: form) else {
            throw Unexpected()
        }
        return try result(in: String(decoding: page.body, as: UTF8.self)).0
    }

    struct Unexpected: Error {}
}
