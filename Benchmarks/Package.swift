// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that the peers' libraries are no dependencies of the product.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        // A link to the folder above. SwiftPM knows a package by the last part of its path, and a
        // clone's folder may have any name; through the link that part is always the same.
        .package(path: "countersign")
    ],
    targets: [
        .systemLibrary(name: "COATH", pkgConfig: "liboath", providers: [.apt(["liboath-dev"])]),
        .target(
            name: "CReference",
            dependencies: ["COATH"],
            cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)],
            linkerSettings: [
                .linkedLibrary("crypto"), .linkedLibrary("ssl"), .linkedLibrary("argon2"),
                .linkedLibrary("sqlite3"),
            ]
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CReference",
                .product(name: "AuthenticationHandler", package: "countersign"),
                .product(name: "HTTPServer", package: "countersign"),
                .product(name: "OneTimePassword", package: "countersign"),
                .product(name: "VerifierServer", package: "countersign"),
            ],
            // Cryptography is `package` all through: these benchmarks count themselves to the
            // package above, whose name for the compiler is its path's last part too.
            packageAccess: false,
            swiftSettings: settings + [.unsafeFlags(["-package-name", "countersign"])]
        ),
    ]
)
