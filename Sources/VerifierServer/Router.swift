package import HTTPServer

/// All that a verifier answers to people's devices, to the bank's programs, and to whoever wants to
/// know what there is to be asked.
package struct Router: Sendable {
    private let devices: DeviceAPI
    private let bank: BankAPI
    private let reporter: Reporter

    package init(devices: DeviceAPI, bank: BankAPI, reporter: Reporter) {
        self.devices = devices
        self.bank = bank
        self.reporter = reporter
    }

    package func answer(_ request: Request) async -> Response {
        if request.target == Self.descriptionPath {
            return await reporter.report(.operation) { Self.description(request.method) }
        }
        if request.target.hasPrefix("/device/") {
            return await reporter.report(.device) { await devices.answered(request) }
        }
        return await reporter.report(.bank) { await bank.answered(request) }
    }

    static let descriptionPath = "/openapi.json"

    /// The document itself (OpenAPI 3.1), which tests hold to the tables of both APIs.
    private static func description(_ method: String) -> Answered {
        guard method == "GET" else { return .wrongMethod(allowed: "GET") }
        let type = Field("content-type", "application/json")
        return Answered(
            Response(status: 200, fields: [type], body: .bytes(PackageResources.openapi_json)),
            by: "GET \(descriptionPath)"
        )
    }
}
