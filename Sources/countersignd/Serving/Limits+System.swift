import Glibc
import HTTPServer

extension Limits {
    /// What store, journal, threads and files of keys need, whoever is connected.
    private static let reservedDescriptors = 256

    /// As many connections as this process has descriptors for, of which it takes all that it may.
    static func withinDescriptors() -> Limits {
        var limits = Limits()
        let available = raisedDescriptorLimit()
        limits.connections = min(limits.connections, max(64, available - reservedDescriptors))
        return limits
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
