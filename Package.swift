// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
// Libraries look for the exported symbol; see GnuTLS.swift.
//
// Every symbol is bound before `main`. Lazy binding would save the vector registers on the stack,
// with data that was copied last, which may be a secret.
//
// Released programs export only the symbols that libraries look for, and use packed relocations. This
// makes them a sixth smaller.
let linking: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"]),
    .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=_gnutls_global_init_skip"]),
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
            "-Xlinker", "--no-export-dynamic",
        ],
        .when(configuration: .release)
    ),
]

let package = Package(
    name: "Countersign",
    products: [
        .library(name: "OneTimePassword", targets: ["OneTimePassword"]),
        .library(name: "OneTimePasswordFormats", targets: ["OneTimePasswordFormats"]),
        .library(name: "AuthenticationHandler", targets: ["AuthenticationHandler"]),
        .library(name: "VerifierServer", targets: ["VerifierServer"]),
        .executable(name: "countersign", targets: ["countersign"]),
        .executable(name: "countersignd", targets: ["countersignd"]),
        .executable(name: "countersign-3ds", targets: ["countersign-3ds"]),
        .executable(name: "countersign-acs", targets: ["countersign-acs"]),
    ],
    targets: [
        // C libraries: a module map and a shim each.
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "COpenSSLTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CArgon2",
            pkgConfig: "libargon2",
            providers: [.apt(["libargon2-dev"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(name: "CXML", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(
            name: "CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]
        ),
        .systemLibrary(name: "CLinux"),
        // Without pkgConfig, which would link libp11-kit: only the header is used.
        .systemLibrary(name: "CPKCS11", providers: [.apt(["libp11-kit-dev"])]),
        .systemLibrary(
            name: "COATH",
            path: "Benchmarks/Sources/COATH",
            pkgConfig: "liboath",
            providers: [.apt(["liboath-dev"])]
        ),

        // A target imports only from above itself: ArchitectureTests holds the exact table.
        .target(name: "StrictJSON", swiftSettings: settings),
        .target(name: "FailureTranslation", swiftSettings: settings),
        .target(name: "Localization", swiftSettings: settings),
        .target(name: "PrivateFiles", dependencies: ["CLinux"], swiftSettings: settings),
        .target(
            name: "Cryptography",
            dependencies: ["COpenSSL", "CArgon2", "FailureTranslation", "PrivateFiles"],
            swiftSettings: settings
        ),
        .target(
            name: "OneTimePassword",
            dependencies: ["Cryptography", "FailureTranslation"],
            swiftSettings: settings
        ),
        .target(
            name: "OneTimePasswordFormats",
            dependencies: ["CXML", "Cryptography", "FailureTranslation", "OneTimePassword"],
            swiftSettings: settings
        ),
        // `make web` compiles its sources for browsers too.
        .target(name: "Transactions", swiftSettings: settings),
        .target(
            name: "TransactionApproval",
            dependencies: [
                "Cryptography", "FailureTranslation", "Localization", "OneTimePassword",
                "StrictJSON", "Transactions",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPClient",
            dependencies: ["CCurl", "Cryptography", "PrivateFiles"],
            swiftSettings: settings
        ),
        .target(
            name: "AuthenticationHandler",
            dependencies: [
                "CLinux", "Cryptography", "FailureTranslation", "HTTPClient", "OneTimePassword",
                "PrivateFiles", "StrictJSON", "TransactionApproval",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Storage",
            dependencies: [
                "CPostgres", "CSQLite", "Cryptography", "FailureTranslation", "PrivateFiles",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Sealing",
            dependencies: ["Cryptography", "FailureTranslation", "PrivateFiles"],
            swiftSettings: settings
        ),
        .target(
            name: "HardwareKeys",
            dependencies: [
                "CPKCS11", "Cryptography", "FailureTranslation", "PrivateFiles", "Sealing",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Verification",
            dependencies: [
                "Cryptography", "FailureTranslation", "OneTimePassword", "OneTimePasswordFormats",
                "PrivateFiles", "Sealing", "Storage", "StrictJSON", "TransactionApproval",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPServer",
            dependencies: ["CLinux", "COpenSSLTLS", "PrivateFiles"],
            swiftSettings: settings
        ),
        .target(
            name: "ServerOperation",
            dependencies: [
                "Cryptography", "FailureTranslation", "HTTPServer", "PrivateFiles", "StrictJSON",
                "TransactionApproval",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BankIntegration",
            dependencies: [
                "Cryptography", "HTTPClient", "HTTPServer", "PrivateFiles", "ServerOperation",
                "StrictJSON", "TransactionApproval", "Transactions",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "VerifierServer",
            dependencies: [
                "BankIntegration", "CQREncode", "Cryptography", "FailureTranslation", "HTTPClient",
                "HTTPServer", "HardwareKeys", "OneTimePassword", "PrivateFiles", "Sealing",
                "ServerOperation", "Storage", "StrictJSON", "TransactionApproval", "Verification",
            ],
            resources: [.embedInCode("OpenAPI/openapi.json")],
            swiftSettings: settings
        ),
        .target(
            name: "CommandLineTool",
            dependencies: [
                "CLinux", "Cryptography", "FailureTranslation", "Localization", "PrivateFiles",
                "StrictJSON",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "ConfigurationFiles",
            dependencies: [
                "CommandLineTool", "FailureTranslation", "HTTPServer", "PrivateFiles",
                "ServerOperation", "Storage", "StrictJSON",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SelfTest",
            dependencies: [
                "CommandLineTool", "Cryptography", "FailureTranslation", "OneTimePassword",
                "OneTimePasswordFormats", "StrictJSON", "TransactionApproval",
            ],
            exclude: ["Vectors/CardPayments", "Vectors/Protocol", "Vectors/README.md"],
            // A link to Vectors/: the program carries the files that the tests read.
            resources: [.embedInCode("Vectors")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "countersign",
            dependencies: [
                "AuthenticationHandler", "CommandLineTool", "FailureTranslation", "PrivateFiles",
                "SelfTest", "StrictJSON",
            ],
            swiftSettings: settings,
            linkerSettings: linking
        ),
        // Replaces `free` in the program that links it.
        .target(
            name: "WipingAllocator",
            cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "countersignd",
            dependencies: [
                "BankIntegration", "CLinux", "CommandLineTool", "ConfigurationFiles",
                "Cryptography", "FailureTranslation", "HTTPClient", "HTTPServer", "HardwareKeys",
                "OneTimePassword", "OneTimePasswordFormats", "PrivateFiles", "Sealing",
                "ServerOperation", "Storage", "StrictJSON", "TransactionApproval", "Verification",
                "VerifierServer", "WipingAllocator",
            ],
            swiftSettings: settings,
            linkerSettings: linking
        ),

        // Card payments: nothing above depends on these targets.
        .target(
            name: "JOSE",
            dependencies: ["Cryptography", "FailureTranslation", "StrictJSON"],
            swiftSettings: settings
        ),
        .target(
            name: "ThreeDSProtocol",
            dependencies: ["Cryptography", "JOSE", "StrictJSON", "Transactions"],
            swiftSettings: settings
        ),
        .target(
            name: "ThreeDSIssuer",
            dependencies: [
                "BankIntegration", "Cryptography", "HTTPClient", "HTTPServer", "JOSE",
                "Localization", "PrivateFiles", "Sealing", "Storage", "StrictJSON",
                "ThreeDSProtocol", "TransactionApproval", "Transactions",
            ],
            resources: [.embedInCode("OpenAPI/openapi.json")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "countersign-acs",
            dependencies: [
                "BankIntegration", "CommandLineTool", "ConfigurationFiles", "Cryptography",
                "HTTPClient", "HTTPServer", "JOSE", "Localization", "PrivateFiles", "Sealing",
                "ServerOperation", "Storage", "StrictJSON", "ThreeDSIssuer", "ThreeDSProtocol",
                "TransactionApproval", "Transactions", "WipingAllocator",
            ],
            swiftSettings: settings,
            linkerSettings: linking
        ),
        .executableTarget(
            name: "countersign-3ds",
            dependencies: [
                "CommandLineTool", "Cryptography", "JOSE", "SelfTest", "StrictJSON",
                "ThreeDSProtocol",
                "WipingAllocator",
            ],
            resources: [.embedInCode("SelfTest/Vectors")],
            swiftSettings: settings,
            linkerSettings: linking
        ),

        // The same work in C: the benchmarks compare the product with it.
        .target(
            name: "CReference",
            dependencies: ["COATH"],
            path: "Benchmarks/Sources/CReference",
            cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)],
            linkerSettings: [
                .linkedLibrary("crypto"), .linkedLibrary("ssl"), .linkedLibrary("argon2"),
                .linkedLibrary("sqlite3"),
            ]
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "AuthenticationHandler", "CReference", "Cryptography", "HTTPClient", "HTTPServer",
                "JOSE", "OneTimePassword", "PrivateFiles", "Sealing", "ServerOperation", "Storage",
                "StrictJSON", "ThreeDSIssuer", "ThreeDSProtocol", "TransactionApproval",
                "Transactions", "Verification", "VerifierServer",
            ],
            path: "Benchmarks/Sources/benchmarks",
            swiftSettings: settings
        ),

        .target(
            name: "TestSupport",
            dependencies: ["CLinux", "PrivateFiles"],
            path: "Tests/TestSupport",
            exclude: ["deliveries.py", "server.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TestSupportTests",
            dependencies: ["TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ArchitectureTests",
            dependencies: ["PrivateFiles", "ProseCheck", "TestSupport"],
            exclude: ["prose-budget.txt"],
            swiftSettings: settings
        ),
        // Finds breaches of plain English: for a test, and for `make prose`.
        .executableTarget(
            name: "ProseCheck",
            path: "Tests/ProseCheck",
            swiftSettings: settings
        ),
        // The built programs as processes, with a terminal, for the tests of both.
        .target(
            name: "ProgramTesting",
            dependencies: ["PrivateFiles", "TestSupport"],
            path: "Tests/ProgramTesting",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CountersignTests",
            dependencies: [
                "AuthenticationHandler", "CommandLineTool", "Cryptography", "PrivateFiles",
                "ProgramTesting", "TestSupport", "countersign", "countersignd",
            ],
            exclude: [
                "help-countersign.txt", "help-countersign-german.txt", "help-countersignd.txt",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ConfigurationFilesTests",
            dependencies: ["ConfigurationFiles"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CountersigndTests",
            dependencies: [
                "AuthenticationHandler", "BankIntegration", "CommandLineTool", "ConfigurationFiles",
                "Cryptography", "FirstApproval", "HardwareKeys", "OneTimePassword", "PrivateFiles",
                "ProgramTesting", "Sealing", "ServerOperation", "Storage", "StrictJSON",
                "TestSupport", "TransactionApproval", "Verification", "VerifierServer",
                "VerifierWorld", "countersignd",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SelfTestTests",
            dependencies: ["SelfTest"],
            swiftSettings: settings
        ),
        .target(
            name: "VectorTesting",
            dependencies: [
                "Cryptography", "PrivateFiles", "SelfTest", "StrictJSON", "TestSupport",
            ],
            path: "Tests/VectorTesting",
            swiftSettings: settings
        ),
        .testTarget(
            name: "VectorTests",
            dependencies: [
                "Cryptography", "JOSE", "OneTimePassword", "OneTimePasswordFormats", "SelfTest",
                "StrictJSON", "TestSupport", "TransactionApproval", "VectorTesting",
            ],
            exclude: ["ReferenceChecker"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "JOSETests",
            dependencies: ["Cryptography", "JOSE", "StrictJSON", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OneTimePasswordTests",
            dependencies: ["Cryptography", "OneTimePassword", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OneTimePasswordFormatsTests",
            dependencies: [
                "Cryptography", "OneTimePassword", "OneTimePasswordFormats", "PrivateFiles",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TransactionApprovalTests",
            dependencies: [
                "Cryptography", "OneTimePassword", "StrictJSON", "TestSupport",
                "TransactionApproval", "Transactions",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: ["HTTPClient", "RequestProgram", "TestSupport"],
            swiftSettings: settings
        ),
        // A client in a process of its own, whose environment and descriptors tests know.
        .executableTarget(
            name: "RequestProgram",
            dependencies: ["HTTPClient"],
            path: "Tests/RequestProgram",
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "ServerProgram", "TestSupport"],
            swiftSettings: settings
        ),
        // A server in a process of its own, whose memory and descriptors tests know.
        .executableTarget(
            name: "ServerProgram",
            dependencies: ["HTTPServer"],
            path: "Tests/ServerProgram",
            swiftSettings: settings
        ),
        .testTarget(
            name: "AuthenticationHandlerTests",
            dependencies: [
                "AuthenticationHandler", "Cryptography", "HTTPClient", "OneTimePassword",
                "PrivateFiles", "TestSupport", "TransactionApproval",
            ],
            swiftSettings: settings
        ),
        // The access of an app: public declarations only.
        .testTarget(
            name: "SnippetTests",
            dependencies: ["AuthenticationHandler"],
            packageAccess: false,
            swiftSettings: settings
        ),
        // An app as others write it, which a test runs against a real verifier.
        .executableTarget(
            name: "FirstApproval",
            dependencies: ["AuthenticationHandler"],
            path: "Examples/FirstApproval",
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "VerificationTests",
            dependencies: [
                "COpenSSL", "Cryptography", "OneTimePassword", "OneTimePasswordFormats",
                "PrivateFiles", "Sealing", "Storage", "StoreProgram", "StoreTesting", "StrictJSON",
                "TestSupport", "TransactionApproval", "Verification", "VerifierWorld",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ServerOperationTests",
            dependencies: [
                "HTTPServer", "PrivateFiles", "ServerOperation", "TestSupport",
                "TransactionApproval",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "VerifierServerTests",
            dependencies: [
                "BankIntegration", "Cryptography", "EmbeddedVerifier", "HTTPClient", "HTTPServer",
                "OneTimePassword", "PrivateFiles", "ProgramTesting", "Sealing", "ServerOperation",
                "Storage", "StoreTesting", "StrictJSON", "TestSupport", "TransactionApproval",
                "Verification", "VerifierServer", "VerifierWorld", "countersignd",
            ],
            exclude: ["BankAPI/reference_checker.py"],
            swiftSettings: settings
        ),
        // A program that contains a verifier, which a test runs.
        .executableTarget(
            name: "EmbeddedVerifier",
            dependencies: ["VerifierServer"],
            path: "Examples/EmbeddedVerifier",
            packageAccess: false,
            swiftSettings: settings
        ),
        // The library on a device and the verifier's routes, with nothing between them.
        .testTarget(
            name: "DeviceTests",
            dependencies: [
                "AuthenticationHandler", "Cryptography", "HTTPServer", "OneTimePassword",
                "PrivateFiles", "Sealing", "Storage", "StoreTesting", "TestSupport",
                "TransactionApproval", "VaultProgram", "Verification", "VerifierServer",
                "VerifierWorld",
            ],
            swiftSettings: settings
        ),
        // A device in a process of its own, which tests can kill.
        .executableTarget(
            name: "VaultProgram",
            dependencies: ["AuthenticationHandler", "Cryptography", "TransactionApproval"],
            path: "Tests/VaultProgram",
            swiftSettings: settings
        ),
        .testTarget(
            name: "Countersign3DSTests",
            dependencies: [
                "Cryptography", "JOSE", "ProgramTesting", "SelfTest", "StrictJSON", "TestSupport",
                "ThreeDSProtocol", "VectorTesting", "countersign-3ds",
            ],
            exclude: ["help-countersign-3ds.txt"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CountersignACSTests",
            dependencies: [
                "ConfigurationFiles", "Cryptography", "HTTPClient", "HTTPServer", "JOSE",
                "PrivateFiles", "ProgramTesting", "Sealing", "Storage", "StrictJSON", "TestSupport",
                "ThreeDSIssuer", "ThreeDSProtocol", "Transactions", "countersign-acs",
            ],
            exclude: ["help-countersign-acs.txt"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ThreeDSProtocolTests",
            dependencies: [
                "Cryptography", "JOSE", "StrictJSON", "TestSupport", "ThreeDSProtocol",
                "Transactions",
            ],
            exclude: ["reference_checker.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ThreeDSIssuerTests",
            dependencies: [
                "BankIntegration", "Cryptography", "HTTPClient", "HTTPServer", "JOSE",
                "Localization", "PrivateFiles", "ProgramTesting", "Sealing", "Storage",
                "StoreTesting", "StrictJSON", "TestSupport", "ThreeDSIssuer", "ThreeDSProtocol",
                "TransactionApproval", "Transactions", "VerifierWorld",
            ],
            exclude: ["Pages/page_reader.py"],
            swiftSettings: settings
        ),
        // Writes pages of the ACS, for tests in a browser.
        .executableTarget(
            name: "PageProgram",
            dependencies: ["Localization", "ThreeDSIssuer", "ThreeDSProtocol", "Transactions"],
            path: "Tests/PageProgram",
            swiftSettings: settings
        ),
        .testTarget(
            name: "StrictJSONTests",
            dependencies: ["StrictJSON", "TestSupport"],
            swiftSettings: settings
        ),
        // A verifier over a real store, with a device model, for tests and for their programs.
        .target(
            name: "VerifierWorld",
            dependencies: [
                "Cryptography", "OneTimePassword", "PrivateFiles", "Sealing", "Storage",
                "TestSupport", "TransactionApproval", "Verification",
            ],
            path: "Tests/VerifierWorld",
            swiftSettings: settings
        ),
        // Runs a suite on every store.
        .target(
            name: "StoreTesting",
            dependencies: ["TestSupport", "VerifierWorld"],
            path: "Tests/StoreTesting",
            swiftSettings: settings
        ),
        // A store in a process of its own, which tests can kill.
        .executableTarget(
            name: "StoreProgram",
            dependencies: [
                "CSQLite", "OneTimePassword", "Storage", "TransactionApproval", "Verification",
                "VerifierWorld",
            ],
            path: "Tests/StoreProgram",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CryptographyTests",
            dependencies: ["COpenSSL", "Cryptography", "TestSupport"],
            swiftSettings: settings,
            linkerSettings: linking
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
            dependencies: ["CommandLineTool", "PrivateFiles", "SampleProgram", "TestSupport"],
            swiftSettings: settings
        ),
    ]
)
