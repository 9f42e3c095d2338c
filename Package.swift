// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Countersign",
    targets: [
        // What Swift cannot call by itself: a module map and a shim each.
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CArgon2",
            pkgConfig: "libargon2",
            providers: [.apt(["libargon2-dev"])]
        ),

        // A target imports only from above itself: ArchitectureTests holds the exact table.
        .target(
            name: "Cryptography",
            dependencies: ["COpenSSL", "CArgon2"],
            swiftSettings: settings
        ),
        .target(name: "CommandLineTool", swiftSettings: settings),

        .testTarget(
            name: "CryptographyTests",
            dependencies: ["Cryptography"],
            swiftSettings: settings
        ),
        // A small `countersign`, for tests that need a process.
        .executableTarget(
            name: "SampleProgram",
            dependencies: ["CommandLineTool"],
            path: "Tests/SampleProgram",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CommandLineToolTests",
            dependencies: ["CommandLineTool", "SampleProgram"],
            swiftSettings: settings
        ),
    ]
)
