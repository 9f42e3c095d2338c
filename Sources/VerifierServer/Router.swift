package import HTTPServer

/// Routes requests to the APIs of one endpoint, to the web device and to the OpenAPI document.
///
/// An API that the endpoint does not serve looks like any unknown path.
package struct Router: Sendable {
    private let devices: DeviceAPI?
    private let bank: BankAPI?
    private let web: WebPages?
    private let reporter: Reporter

    init(devices: DeviceAPI?, bank: BankAPI?, web: WebPages?, reporter: Reporter) {
        self.devices = devices
        self.bank = bank
        self.web = web
        self.reporter = reporter
    }

    package init(devices: DeviceAPI?, bank: BankAPI?, reporter: Reporter) {
        self.init(devices: devices, bank: bank, web: nil, reporter: reporter)
    }

    package func respond(to request: Request) async -> Response {
        if request.target == Self.descriptionPath {
            return await reporter.report(.operation) { Self.description(request.method) }
        }
        if let devices, request.target.hasPrefix("/device/") {
            return await reporter.report(.device) { await devices.reportedResponse(to: request) }
        }
        if let web, WebPages.contains(request.target) {
            return await reporter.report(.web) { web.response(to: request) }
        }
        guard let bank else { return await reporter.report(.operation) { .unknownPath } }
        return await reporter.report(.bank) { await bank.reportedResponse(to: request) }
    }

    static let descriptionPath = "/openapi.json"

    /// Tests compare the document (OpenAPI 3.1) with the route tables of both APIs.
    private static func description(_ method: String) -> ReportedResponse {
        guard method == "GET" else { return ReportedResponse(.wrongMethod(allowed: [.get])) }
        let type = Field("content-type", "application/json")
        return ReportedResponse(
            Response(status: 200, fields: [type], body: .bytes(PackageResources.openapi_json)),
            by: "GET \(descriptionPath)"
        )
    }
}
