import Foundation
import Testing

/// What `readelf -d` says a program loads when it starts.
private struct LinkedLibraries {
    let names: [String]

    /// Foundation beyond its essentials makes each start several times slower.
    var forbidden: [String] {
        names.filter { $0.contains("Foundation") && $0 != "libFoundationEssentials.so" }
    }

    init(readelfOutput: String) {
        names = readelfOutput.matches(of: /\(NEEDED\).*\[(.+)\]/).map { String($0.1) }
    }

    init(of program: URL) throws {
        let readelf = Process()
        let output = Pipe()
        readelf.executableURL = URL(filePath: "/usr/bin/readelf")
        readelf.arguments = ["-dW", program.path]
        readelf.standardOutput = output
        try readelf.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        readelf.waitUntilExit()
        try #require(readelf.terminationStatus == 0)
        self.init(readelfOutput: String(decoding: text, as: UTF8.self))
    }
}

/// The names of the executable targets that the manifest declares.
private func programs() throws -> [String] {
    try Repository.manifest()
        .matches(of: /\.executableTarget\(\s*name:\s*"([^"]+)"/).map { String($0.1) }
}

@Suite struct `Linked libraries` {
    /// This very process: SwiftPM puts the programs beside it.
    let testRunner = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()

    @Test(.enabled("Package.swift declares no program yet") { try !programs().isEmpty })
    func `of a program hold no Foundation but its essentials`() throws {
        for name in try programs() {
            let program = testRunner.deletingLastPathComponent().appending(path: name)
            let libraries = try LinkedLibraries(of: program)
            #expect(libraries.names.contains("libc.so.6"))
            #expect(libraries.forbidden == [], "\(name)")
        }
    }

    @Test func `of a program that imports Foundation are refused`() throws {
        #expect(try LinkedLibraries(of: testRunner).forbidden.contains("libFoundation.so"))
    }

    @Test(arguments: [
        "libFoundation.so", "libFoundationInternationalization.so", "libFoundationNetworking.so",
        "libFoundationXML.so", "lib_FoundationICU.so",
    ])
    func `are refused by name`(_ library: String) {
        let output = """
            Dynamic section at offset 0x3da8 contains 33 entries:
              Tag        Type                         Name/Value
             0x0000000000000001 (NEEDED)             Shared library: [libFoundationEssentials.so]
             0x0000000000000001 (NEEDED)             Shared library: [\(library)]
             0x000000000000001d (RUNPATH)            Library runpath: [$ORIGIN]
            """
        #expect(LinkedLibraries(readelfOutput: output).forbidden == [library])
    }
}
