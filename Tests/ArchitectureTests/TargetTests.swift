import Testing

/// Every target, in the order of the design, with every module that it imports.
///
/// SwiftPM enforces none of this: a target can import whatever happens to be built before it.
private let table: KeyValuePairs<String, Set<String>> = [
    "COpenSSL": [],
    "COpenSSLTLS": [],
    "CArgon2": [],
    "CSQLite": [],
    "CPostgres": [],
    "CCurl": [],
    "CXML": [],
    "CQREncode": [],
    "CLinux": [],
    "CPKCS11": [],
    "StrictJSON": [],
    "FailureTranslation": [],
    "Localization": [],
    "PrivateFiles": ["CLinux", "Glibc"],
    "Cryptography": [
        "COpenSSL", "CArgon2", "FailureTranslation", "Glibc", "PrivateFiles", "Synchronization",
    ],
    "OneTimePassword": ["Cryptography", "FailureTranslation"],
    "OneTimePasswordFormats": [
        "CXML", "Cryptography", "FailureTranslation", "Glibc", "OneTimePassword",
    ],
    // The normalizer of the standard library, which browsers have too.
    "Transactions": ["Swift"],
    "TransactionApproval": [
        "Cryptography", "FailureTranslation", "Localization", "OneTimePassword", "StrictJSON",
        "Transactions",
    ],
    "HTTPClient": ["CCurl", "Cryptography", "Dispatch", "PrivateFiles"],
    "AuthenticationHandler": [
        "CLinux", "Cryptography", "Dispatch", "FailureTranslation", "Glibc", "HTTPClient",
        "OneTimePassword", "PrivateFiles", "StrictJSON", "TransactionApproval",
    ],
    "Storage": [
        "CPostgres", "CSQLite", "Cryptography", "FailureTranslation", "Glibc", "PrivateFiles",
    ],
    "Sealing": ["Cryptography", "FailureTranslation", "Glibc", "PrivateFiles"],
    "HardwareKeys": [
        "CPKCS11", "Cryptography", "FailureTranslation", "Glibc", "PrivateFiles", "Sealing",
    ],
    "Verification": [
        "Cryptography", "FailureTranslation", "Glibc", "OneTimePassword", "OneTimePasswordFormats",
        "PrivateFiles", "Sealing", "Storage", "StrictJSON", "TransactionApproval",
    ],
    "HTTPServer": ["CLinux", "COpenSSLTLS", "Glibc", "PrivateFiles"],
    "ServerOperation": [
        "Cryptography", "FailureTranslation", "Glibc", "HTTPServer", "PrivateFiles", "StrictJSON",
        "TransactionApproval",
    ],
    "BankIntegration": [
        "Cryptography", "HTTPClient", "HTTPServer", "PrivateFiles", "ServerOperation",
        "StrictJSON", "TransactionApproval", "Transactions",
    ],
    "VerifierServer": [
        "BankIntegration", "CQREncode", "Cryptography", "FailureTranslation", "Glibc", "HTTPClient",
        "HTTPServer", "HardwareKeys", "OneTimePassword", "PrivateFiles", "Sealing",
        "ServerOperation", "Storage", "StrictJSON", "TransactionApproval", "Verification",
    ],
    // Not a target of SwiftPM: `make web` compiles it together with `Transactions`.
    "Web": [],
    "CommandLineTool": [
        "CLinux", "Cryptography", "FailureTranslation", "Glibc", "Localization", "PrivateFiles",
        "StrictJSON", "Synchronization",
    ],
    "ConfigurationFiles": [
        "CommandLineTool", "FailureTranslation", "Glibc", "HTTPServer", "PrivateFiles",
        "ServerOperation", "Storage", "StrictJSON",
    ],
    "SelfTest": [
        "CommandLineTool", "Cryptography", "FailureTranslation", "OneTimePassword",
        "OneTimePasswordFormats", "StrictJSON", "TransactionApproval",
    ],
    "countersign": [
        "AuthenticationHandler", "CommandLineTool", "FailureTranslation", "Glibc", "PrivateFiles",
        "SelfTest", "StrictJSON",
    ],
    "WipingAllocator": [],
    // CLinux: the doctor reads the state of the kernel's clock.
    "countersignd": [
        "BankIntegration", "CLinux", "CommandLineTool", "ConfigurationFiles", "Cryptography",
        "FailureTranslation", "Glibc", "HTTPClient", "HTTPServer", "HardwareKeys",
        "OneTimePassword", "OneTimePasswordFormats", "PrivateFiles", "Sealing", "ServerOperation",
        "Storage", "StrictJSON", "TransactionApproval", "Verification", "VerifierServer",
        "WipingAllocator",
    ],
    // Card payments: no target above imports these.
    "JOSE": ["Cryptography", "FailureTranslation", "StrictJSON"],
    "ThreeDSProtocol": ["Cryptography", "JOSE", "StrictJSON", "Transactions"],
    "ThreeDSIssuer": [
        "BankIntegration", "Cryptography", "HTTPClient", "HTTPServer", "JOSE", "Localization",
        "PrivateFiles", "Sealing", "Storage", "StrictJSON", "ThreeDSProtocol",
        "TransactionApproval", "Transactions",
    ],
    "countersign-acs": [
        "BankIntegration", "CommandLineTool", "ConfigurationFiles", "Cryptography", "Glibc",
        "HTTPClient", "HTTPServer", "JOSE", "Localization", "PrivateFiles", "Sealing",
        "ServerOperation", "Storage", "StrictJSON", "ThreeDSIssuer", "ThreeDSProtocol",
        "TransactionApproval", "Transactions", "WipingAllocator",
    ],
    "countersign-3ds": [
        "CommandLineTool", "Cryptography", "Glibc", "JOSE", "SelfTest", "StrictJSON",
        "ThreeDSProtocol", "WipingAllocator",
    ],
]

/// System modules that a target may import; Foundation is not one of them.
private let systemModules: Set = ["Dispatch", "Glibc", "Swift", "Synchronization"]

@Suite struct `Targets` {
    @Test func `each folder of Sources has a row and each row a folder`() throws {
        #expect(try Repository.targets().symmetricDifference(table.map(\.key)) == [])
    }

    @Test(arguments: table.map(\.key))
    func `a target imports exactly the modules in its row`(_ target: String) throws {
        let row = try #require(table.first { $0.key == target }).value
        let sources = try Repository.swiftSources(of: target)
        for (file, source) in sources {
            #expect(source.imports.subtracting(row) == [], "\(target)/\(file)")
        }
        let imported = sources.values.reduce(into: Set()) { $0.formUnion($1.imports) }
        #expect(row.subtracting(imported) == [], "in the row of \(target), but not imported")
    }

    @Test func `a row names only system modules and targets above itself`() {
        var known = systemModules
        for (target, row) in table {
            #expect(row.subtracting(known) == [], "in the row of \(target)")
            known.insert(target)
        }
    }

    @Test(arguments: ["COpenSSL", "CArgon2"])
    func `only Cryptography reaches a cryptographic library`(_ library: String) {
        #expect(table.filter { $0.value.contains(library) }.map(\.key) == ["Cryptography"])
    }

    @Test func `only HTTPServer reaches OpenSSL's TLS`() {
        #expect(table.filter { $0.value.contains("COpenSSLTLS") }.map(\.key) == ["HTTPServer"])
    }

    @Test func `only HardwareKeys reaches PKCS#11`() {
        #expect(table.filter { $0.value.contains("CPKCS11") }.map(\.key) == ["HardwareKeys"])
    }

    @Test func `only HTTPClient reaches libcurl`() {
        #expect(table.filter { $0.value.contains("CCurl") }.map(\.key) == ["HTTPClient"])
    }

    /// Targets for card payments by EMV 3-D Secure: the core does not know of them.
    private static let cardTargets: Set = [
        "JOSE", "ThreeDSProtocol", "ThreeDSIssuer", "countersign-3ds", "countersign-acs",
    ]
    private var cardWords: Regex<Substring> { /\b(?:ThreeDS\w*|AReq|ACS)\b/ }

    @Test func `only targets for card payments have the words of 3-D Secure`() throws {
        for target in try Repository.targets().subtracting(Self.cardTargets) {
            for (file, text) in try Repository.texts(of: target) {
                #expect(text.firstMatch(of: cardWords) == nil, "\(target)/\(file)")
            }
            let row = table.first { $0.key == target }?.value ?? []
            #expect(row.isDisjoint(with: Self.cardTargets), "in the row of \(target)")
        }
    }

    @Test(arguments: ["import ThreeDSProtocol", "an AReq", "the ACS."])
    func `a word of 3-D Secure is found`(_ text: String) {
        #expect(text.contains(cardWords))
    }

    @Test func `a C module is a module map and a shim`() throws {
        for target in try Repository.targets() {
            let files = try Repository.files(of: target)
            guard files.contains("module.modulemap") else { continue }
            #expect(files == ["module.modulemap", "shim.h"], "\(target)")
        }
    }
}
