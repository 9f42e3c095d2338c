import Foundation
package import TestSupport

/// A response that curl received.
package struct Fetched: Equatable {
    package let status: Int
    package let body: String

    package init(
        _ url: String,
        _ options: String...,
        trusting authority: Certificates.Name = .authority
    )
        throws
    {
        self = try Fetching(url, options, trusting: authority).end()
    }

    fileprivate init(written: String) {
        let lines = written.split(separator: "\n", omittingEmptySubsequences: false)
        status = lines.last.flatMap { Int($0) } ?? 0
        body = lines.dropLast().joined(separator: "\n")
    }

    package subscript(_ member: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        return object?[member].map { "\($0)" }
    }
}

/// A running curl, which may wait without blocking a thread of the tests.
package final class Fetching {
    private let process = Process()
    private let output = Pipe.closedOnExec()

    package init(
        _ url: String,
        _ options: [String],
        trusting authority: Certificates.Name = .authority
    ) throws {
        let authorities = try Certificates.shared.get().path(authority)
        process.executableURL = URL(filePath: "/usr/bin/curl")
        process.arguments =
            ["-s", "--max-time", "70", "--cacert", authorities, "-w", "\n%{http_code}"]
            + options + [url]
        process.standardOutput = output
        try process.start()
    }

    package func end() throws -> Fetched {
        let written = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Fetched(written: String(decoding: written, as: UTF8.self))
    }
}
