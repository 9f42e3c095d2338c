import Foundation
import TestSupport
import Testing

/// The manifest, as SwiftPM evaluates it.
private struct Manifest: Decodable {
    struct Product: Decodable {
        let name: String
        let targets: [String]
        let type: [String: Strings?]

        var isLibrary: Bool { type.keys.contains("library") }
    }

    struct Target: Decodable {
        struct Setting: Decodable {
            let kind: [String: Ignored]
        }

        struct Dependency: Decodable {
            /// The name, and a condition.
            let byName: [String?]
        }

        let name: String
        let dependencies: [Dependency]
        let settings: [Setting]
    }

    /// Any value of a setting or of a product's type.
    struct Ignored: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    typealias Strings = Ignored

    let products: [Product]
    let targets: [Target]

    static let evaluated = Result {
        // `swift test` locks the scratch folder of the package.
        let scratch = try TemporaryFolder()
        let run = try FinishedProcess.run(
            "swift",
            [
                "package", "--package-path", Repository.path, "--scratch-path", scratch.path,
                "dump-package",
            ]
        )
        return try JSONDecoder().decode(Manifest.self, from: Data(run.output.utf8))
    }

    static func libraries() throws -> [Product] {
        try evaluated.get().products.filter(\.isLibrary)
    }

    /// The targets of a product and all their dependencies.
    func closure(of product: Product) -> [Target] {
        var names = Set<String>()
        var open = product.targets
        while let name = open.popLast() {
            guard names.insert(name).inserted else { continue }
            let target = targets.first { $0.name == name }
            open += target?.dependencies.compactMap { $0.byName.first ?? nil } ?? []
        }
        return targets.filter { names.contains($0.name) }
    }
}

/// `Tests/FreshPackage/run` builds each of them in a new package.
@Suite struct `A library product` {
    @Test func `uses no unsafe flags, which a dependency must not have`() throws {
        let manifest = try Manifest.evaluated.get()
        let libraries = try Manifest.libraries()
        #expect(libraries.count >= 4)
        for product in libraries {
            for target in manifest.closure(of: product) {
                let kinds = target.settings.flatMap { $0.kind.keys }
                #expect(!kinds.contains("unsafeFlags"), "\(product.name): \(target.name)")
            }
        }
        // The programs use such flags, so the check is able to find them.
        let programs = manifest.targets.filter { $0.name == "countersignd" }
        #expect(programs.flatMap(\.settings).contains { $0.kind.keys.contains("unsafeFlags") })
    }

    @Test func `has public declarations in each of its targets`() throws {
        for product in try Manifest.libraries() {
            for target in product.targets {
                let isPublic = try Repository.texts(of: target).values.contains {
                    $0.contains(#/(?m)^ *public (actor|class|enum|final|func|protocol|struct) /#)
                }
                #expect(isPublic, "\(product.name): \(target)")
            }
        }
    }

    @Test func `for one-time passwords alone needs no XML`() throws {
        let manifest = try Manifest.evaluated.get()
        let targets = Dictionary(
            uniqueKeysWithValues: try Manifest.libraries().map { product in
                (product.name, manifest.closure(of: product).map(\.name))
            }
        )
        #expect(targets["OneTimePassword"]?.contains("CXML") == false)
        #expect(targets["OneTimePasswordFormats"]?.contains("CXML") == true)
    }
}

/// `Tests/FreshPackage/run` builds programs with the manifest of this page.
@Suite struct `The page for apps` {
    private static let address = "https://git.bank.example/countersign.git"

    private func snippet() throws -> String {
        let page = try Repository.text(of: "docs/integrate/app-in-swift.md")
        let blocks = page.matches(of: /(?ms)^```swift\n(.*?)^```$/)
        try #require(blocks.count == 1)
        return String(blocks[0].1)
    }

    private func manifest(_ product: String, _ address: String) throws -> String {
        let script = Repository.root.appending(path: "Tests/FreshPackage/run").path
        return try FinishedProcess.run(script, ["--manifest", product, address]).output
    }

    @Test func `has the manifest that a new package is built with`() throws {
        let snippet = try snippet()
        #expect(try manifest("AuthenticationHandler", Self.address) == snippet)
        #expect(
            try manifest("OneTimePassword", "file:///copy")
                == snippet.replacing(Self.address, with: "file:///copy")
                .replacing("AuthenticationHandler", with: "OneTimePassword")
        )
    }

    @Test func `names a product, the current version and the version of Swift`() throws {
        let snippet = try snippet()
        let source = try Repository.text(of: "Sources/CommandLineTool/Version.swift")
        let version = try #require(source.firstMatch(of: /release = "([0-9.]+)"/)).1
        #expect(snippet.contains("(url: \"\(Self.address)\", exact: \"\(version)\")"))
        let product = try #require(snippet.firstMatch(of: /\.product\(name: "(\w+)"/)).1
        #expect(try Manifest.libraries().map(\.name).contains(String(product)))
        let tools = try #require(Repository.manifest().split(separator: "\n").first)
        #expect(snippet.hasPrefix(tools + "\n"))
    }

    @Test func `has a manifest that SwiftPM evaluates`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(try snippet(), to: "Package.swift")
        let run = try FinishedProcess.run(
            "swift",
            ["package", "--package-path", folder.path, "dump-package"]
        )
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        #expect(run.output.contains(Self.address))
    }

    @Test func `names the Debian packages of the library`() throws {
        let product = try #require(
            Manifest.libraries().first { $0.name == "AuthenticationHandler" }
        )
        let closure = try Manifest.evaluated.get().closure(of: product).map(\.name)
        let manifest = try Repository.manifest()
        let needed = manifest.matches(
            of: /\.systemLibrary\(\s*name: "(\w+)"[^)]*\[\.apt\(\["([\w.-]+)"/
        )
        .filter { closure.contains(String($0.1)) }.map { String($0.2) }
        #expect(needed.count >= 3)
        let page = try Repository.text(of: "docs/integrate/app-in-swift.md")
        let listed = try #require(page.firstMatch(of: /sudo apt-get install (.*)\n/)).1
        let packages = listed.split(separator: " ").map(String.init)
        #expect(packages.sorted() == (needed + ["pkg-config"]).sorted())
    }

    @Test func `and the README name the platforms`() throws {
        for path in ["README.md", "docs/integrate/app-in-swift.md"] {
            let text = try Repository.text(of: path)
            for name in [
                "Linux with Swift 6.2 or later", "Apple platforms", "Windows", "Android", "Glibc",
                "Debian's OpenSSL 3",
            ] {
                #expect(text.contains(name), "\(path): \(name)")
            }
        }
    }
}
