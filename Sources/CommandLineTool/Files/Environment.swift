import CLinux

/// The environment variables of this process.
package enum Environment {
    /// If a variable is set twice, the first value counts, as for getenv(3).
    package static func variables(beginningWith prefix: String) -> [String: String] {
        var variables: [String: String] = [:]
        var place = countersign_environment()
        while let here = place, let entry = here.pointee {
            place = here + 1
            let parts = String(cString: entry).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard parts.count == 2, parts[0].hasPrefix(prefix) else { continue }
            let name = String(parts[0])
            if variables[name] == nil { variables[name] = String(parts[1]) }
        }
        return variables
    }
}
