import Glibc
import HTTPServer

extension Limits {
    /// What store, journal, threads, files of keys and those who watch need, whoever is connected.
    private static let reservedDescriptors = 256 + Configuration.Connections.ofOperation.inAll

    /// No more connections than this process has descriptors for, of which it takes all that it may.
    ///
    /// Plain HTTP is for a proxy on this machine, which all clients then come from.
    init(_ wanted: Configuration.Connections, isForProxy: Bool) {
        self.init()
        let available = Self.raisedDescriptorLimit()
        connections = min(wanted.inAll, max(64, available - Self.reservedDescriptors))
        if isForProxy { connectionsPerAddress = connections }
        connectionsPerAddress = wanted.perAddress ?? connectionsPerAddress
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
