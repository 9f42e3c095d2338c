import Foundation
import TestSupport
import Testing

/// The libraries that a program loads at its start, from the output of `readelf -d`.
private struct LinkedLibraries {
    let names: [String]
    /// Whether all symbols are bound before `main`.
    let areBoundAtOnce: Bool

    /// The undefined symbols, with their mangled names.
    let symbols: [String]

    /// Foundation makes each start several times slower, and its essentials and the regular
    /// expressions would be a third of the daemon.
    private static let largeModules = ["Foundation", "RegexParser", "StringProcessing"]

    // Swift links the library of regular expressions into every program. If a program calls nothing
    // of it, static linking leaves it out, so only its symbols matter.
    var forbidden: [String] {
        names.filter { $0.contains("Foundation") }
            + symbols.filter { symbol in Self.largeModules.contains(where: symbol.contains) }
    }

    init(readelfOutput: String) {
        names = readelfOutput.matches(of: /\(NEEDED\).*\[(.+)\]/).map { String($0.1) }
        areBoundAtOnce = readelfOutput.contains(/\(FLAGS_1\).* NOW/)
        symbols = readelfOutput.matches(of: /UND ([^@\s]+)/).map { String($0.1) }
    }

    init(of program: String) throws {
        let readelf = try FinishedProcess.run("readelf", ["-dW", "--dyn-syms", program])
        try #require(readelf.exitCode == 0, "\(readelf.errorOutput)")
        self.init(readelfOutput: readelf.output)
    }
}

/// The names of the executable targets in the manifest, without test programs.
private func programs() throws -> [String] {
    let targets = try Repository.targets()
    return try Repository.manifest()
        .matches(of: /\.executableTarget\(\s*name:\s*"([^"]+)"/).map { String($0.1) }
        .filter(targets.contains)
}

@Suite struct `Linked libraries` {
    @Test(.enabled("Package.swift declares no program yet") { try !programs().isEmpty })
    func `of a program include neither Foundation nor regular expressions`() throws {
        for name in try programs() {
            let libraries = try LinkedLibraries(of: BuiltProducts.path(of: name))
            #expect(libraries.names.contains("libc.so.6"))
            #expect(libraries.symbols.contains("EVP_DigestSign"))
            #expect(libraries.forbidden == [], "\(name)")
            #expect(libraries.areBoundAtOnce, "SEC-26: \(name)")
        }
    }

    @Test func `of this test are refused, because it imports Foundation`() throws {
        let thisProcess = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        let forbidden = try LinkedLibraries(of: thisProcess).forbidden
        #expect(forbidden.contains("libFoundation.so"))
        #expect(forbidden.contains { $0.contains("17_StringProcessing") })
    }

    @Test(arguments: [
        "libFoundation.so", "libFoundationEssentials.so", "libFoundationInternationalization.so",
        "libFoundationNetworking.so",
        "libFoundationXML.so", "lib_FoundationICU.so",
    ])
    func `are refused by name`(_ library: String) {
        let output = """
            Dynamic section at offset 0x3da8 contains 33 entries:
              Tag        Type                         Name/Value

            """ + """
                 0x0000000000000001 (NEEDED)             Shared library: [libswift_StringProcessing.so]
                 0x0000000000000001 (NEEDED)             Shared library: [\(library)]
                 0x000000000000001d (RUNPATH)            Library runpath: [$ORIGIN]
                """
        #expect(LinkedLibraries(readelfOutput: output).forbidden == [library])
    }
}
