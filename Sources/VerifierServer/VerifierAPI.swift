package import HTTPServer

/// All that a verifier answers: people's devices, the bank's programs, and whoever wants to know what
/// there is to be asked.
package struct VerifierAPI: Sendable {
    private let devices: DeviceAPI
    private let bank: BankAPI

    package init(devices: DeviceAPI, bank: BankAPI) {
        self.devices = devices
        self.bank = bank
    }

    package func answer(_ request: Request) async -> Response {
        if request.target == Self.descriptionPath { return Self.description(request.method) }
        if request.target.hasPrefix("/device/") { return await devices.answer(request) }
        return await bank.answer(request)
    }

    static let descriptionPath = "/openapi.json"

    /// The document itself (OpenAPI 3.1), which tests hold to the tables of both APIs.
    private static func description(_ method: String) -> Response {
        guard method == "GET" else {
            return Response(status: 405, fields: [Field("allow", "GET")])
        }
        let type = Field("content-type", "application/json")
        return Response(status: 200, fields: [type], body: .bytes(PackageResources.openapi_json))
    }
}
