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
