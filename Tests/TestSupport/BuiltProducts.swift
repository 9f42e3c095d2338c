import Foundation

/// The folder of the built programs, which also contains the running test bundle.
package enum BuiltProducts {
    private static let directory: URL = {
        let arguments = ProcessInfo.processInfo.arguments
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
    }()

    package static func path(of program: String) -> String {
        directory.appendingPathComponent(program).path
    }
}
