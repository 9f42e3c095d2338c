import Glibc
import HTTPServer

/// How many connections an endpoint may have.
package struct EndpointLimits: Sendable {
    /// The maximum number of connections, if the process may have so many descriptors.
    package var connections: Int
    /// The maximum number from one address (IPv6: from one /64); nil for the default.
    package var connectionsPerAddress: Int?
    /// Whether the default limits each address.
    ///
    /// Behind a proxy all clients have the proxy's address, and the programs of a bank have few
    /// addresses. So these need no limit for each.
    package var limitsEachAddress: Bool
    /// The number of endpoints that have equal parts of the descriptors.
    package var share: Int
    /// The maximum size of a body; nil for the default.
    package var bodyBytes: Int?

    package init(
        connections: Int,
        connectionsPerAddress: Int? = nil,
        limitsEachAddress: Bool,
        share: Int = 1,
        bodyBytes: Int? = nil
    ) {
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.limitsEachAddress = limitsEachAddress
        self.share = share
        self.bodyBytes = bodyBytes
    }

    /// For an endpoint of health checks and metrics, which few programs use.
    package static let ofOperation = EndpointLimits(connections: 64, limitsEachAddress: false)
}

extension HTTPServer.Limits {
    /// For the store, the journal, threads, key files and the operation endpoint.
    private static let reservedDescriptors = 256 + EndpointLimits.ofOperation.connections

    /// For each endpoint.
    private static let minimumDescriptors = 64

    /// At most as many connections as the process may have descriptors, after raising that limit.
    init(_ limits: EndpointLimits) throws(ListenerFailure) {
        self.init()
        let number = Self.raisedDescriptorLimit()
        let minimum = Self.reservedDescriptors + Self.minimumDescriptors * limits.share
        guard number >= minimum else { throw .tooFewOpenFiles(number, minimum: minimum) }
        connections = min(limits.connections, (number - Self.reservedDescriptors) / limits.share)
        if !limits.limitsEachAddress { connectionsPerAddress = connections }
        connectionsPerAddress = limits.connectionsPerAddress ?? connectionsPerAddress
        bodyBytes = limits.bodyBytes ?? bodyBytes
    }

    private static func raisedDescriptorLimit() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        let isRaised = setrlimit(resource, &raised) == 0
        return Int(clamping: isRaised ? raised.rlim_cur : limit.rlim_cur)
    }
}
