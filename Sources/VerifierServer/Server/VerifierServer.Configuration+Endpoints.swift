import HTTPServer
import ServerOperation

extension VerifierServer.Configuration {
    /// The endpoint of devices and browsers, and of the bank if it has none of its own.
    func apiEndpoint(
        serving apis: APIs,
        _ reporter: Reporter
    ) throws(VerifierServer.Failure) -> VerifierEndpoint {
        let router = Router(
            devices: apis.devices,
            bank: bank == nil ? apis.bank : nil,
            web: apis.web,
            reporter: reporter
        )
        return try VerifierEndpoint(
            .api,
            api,
            limits.ofAPI(hasTLS: api.tls != nil, share: share),
            reporter
        ) {
            await router.respond(to: $0)
        }
    }

    func bankEndpoint(
        serving api: BankAPI,
        _ reporter: Reporter
    ) throws(VerifierServer.Failure) -> VerifierEndpoint? {
        guard let bank else { return nil }
        let router = Router(devices: nil, bank: api, reporter: reporter)
        return try VerifierEndpoint(.bank, bank, limits.ofBank(share: share), reporter) {
            await router.respond(to: $0)
        }
    }

    func operationEndpoint(
        serving api: OperationAPI,
        _ reporter: Reporter
    ) throws(VerifierServer.Failure) -> VerifierEndpoint? {
        guard let operation else { return nil }
        return try VerifierEndpoint(.operation, operation, .ofOperation, reporter, threadCount: 1) {
            await api.respond(to: $0)
        }
    }

    /// How many endpoints share the limits.
    private var share: Int { bank == nil ? 1 : 2 }
}
