import TestSupport

/// A client in a separate process.
enum RequestProgram {
    static let path = BuiltProducts.path(of: "RequestProgram")
    /// For `env`: ignores the proxy variables of this process.
    static let withoutProxies = [
        "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ].flatMap { ["-u", $0] }

    struct Ended: Error {
        let exitCode: Int32
        let errorOutput: String
    }

    /// The outcome of a request to each URL.
    static func outcomes(
        _ urls: String...,
        environment: [String: String] = [:]
    ) throws -> [String] {
        try run(urls, environment: environment).map(\.outcome)
    }

    /// With the count of open descriptors afterwards.
    static func run(
        _ urls: [String],
        bodySize: Int = 0,
        environment: [String: String] = [:]
    ) throws -> [(outcome: String, descriptorCount: String)] {
        let authority = try Certificates.shared.get().path(.authority)
        let variables = environment.map { "\($0)=\($1)" }
        let arguments = [authority, "60000", "\(bodySize)"] + urls
        return try read(FinishedProcess.run("env", withoutProxies + variables + [path] + arguments))
    }

    static func read(
        _ process: FinishedProcess
    ) throws -> [(outcome: String, descriptorCount: String)] {
        guard process.exitCode == 0 else {
            throw Ended(exitCode: process.exitCode, errorOutput: process.errorOutput)
        }
        return process.output.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return (words.dropLast().joined(separator: " "), "\(words.last ?? "")")
        }
    }
}
