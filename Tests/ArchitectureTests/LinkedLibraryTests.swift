import Foundation
import TestSupport
import Testing

/// What `readelf -d` says a program loads when it starts.
private struct LinkedLibraries {
    let names: [String]
    /// Whether all symbols are found before `main`.
    let areBoundAtOnce: Bool

    /// Foundation beyond its essentials makes each start several times slower.
    var forbidden: [String] {
        names.filter { $0.contains("Foundation") && $0 != "libFoundationEssentials.so" }
    }

    init(readelfOutput: String) {
        names = readelfOutput.matches(of: /\(NEEDED\).*\[(.+)\]/).map { String($0.1) }
        areBoundAtOnce = readelfOutput.contains(/\(FLAGS_1\).* NOW/)
    }

    init(of program: String) throws {
        let readelf = try FinishedProcess.run("readelf", ["-dW", program])
        try #require(readelf.exitCode == 0, "\(readelf.errorOutput)")
        self.init(readelfOutput: readelf.output)
    }
}

/// The names of the executable targets that the manifest declares, but for those of tests.
private func programs() throws -> [String] {
    let targets = try Repository.targets()
    return try Repository.manifest()
        .matches(of: /\.executableTarget\(\s*name:\s*"([^"]+)"/).map { String($0.1) }
        .filter(targets.contains)
}

@Suite struct `Linked libraries` {
    @Test(.enabled("Package.swift declares no program yet") { try !programs().isEmpty })
    func `of a program hold no Foundation but its essentials`() throws {
        for name in try programs() {
            let libraries = try LinkedLibraries(of: BuiltProducts.path(of: name))
            #expect(libraries.names.contains("libc.so.6"))
            #expect(libraries.forbidden == [], "\(name)")
            #expect(libraries.areBoundAtOnce, "SEC-26: \(name)")
        }
    }

    @Test func `of this test, which imports Foundation, are refused`() throws {
        let thisProcess = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        #expect(try LinkedLibraries(of: thisProcess).forbidden.contains("libFoundation.so"))
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
