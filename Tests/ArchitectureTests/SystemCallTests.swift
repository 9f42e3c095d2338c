import Testing

/// Calls by which a source opens, locks, creates or removes files itself.
private let fileCalls: Set<Substring> = ["flock", "mkdir", "open", "unlink"]

/// The modules that own descriptors and threads.
private let owners: Set = ["HTTPServer", "PrivateFiles"]

/// The sources that make such calls, each with its reason.
private let callers: [String: Set<Substring>] = [
    // Closed standard descriptors get an owner for the whole life of the process.
    "CommandLineTool/Commands/Program+Main.swift": ["open"],
    // Standard input is a possible source; a named pipe waits for its writer.
    "CommandLineTool/Files/FilePath.swift": ["open"],
    // The file may be missing, and other users may read it.
    "ConfigurationFiles/ConfigurationFile.swift": ["open"],
    // Other users may read the folder.
    "ConfigurationFiles/Folder.swift": ["mkdir"],
    // A key file is locked, which may be read-only, and no link is followed.
    "ServerOperation/InstallationLock.swift": ["open"],
    // A missing file and a missing folder are different here.
    "CommandLineTool/Files/SettingsFile.swift": ["open"],
    // SQLite opens its companion files itself.
    "Storage/SQLite/DatabaseFile.swift": ["unlink"],
    // The parents of a private folder need not be private.
    "countersign/Session/PersonalFolder.swift": ["mkdir"],
    // A document of tokens that stay here must not be used.
    "countersignd/Commands/Store/ExportCommand.swift": ["unlink"],
]

/// The sources that use queues of Dispatch, each with its reason.
///
/// The thread of a serial queue ends without a join. A thread that a library used, and that ends
/// while the process ends, could free the library's thread data a second time.
private let dispatchers: Set = [
    "AuthenticationHandler/AuthenticationHandler.swift", "HTTPClient/TransferQueue.swift",
]

@Suite struct `Files and threads` {
    private func sources() throws -> [String: SwiftSource] {
        try Repository.targets().subtracting(owners).reduce(into: [:]) { sources, target in
            for (file, source) in try Repository.swiftSources(of: target) {
                sources["\(target)/\(file)"] = source
            }
        }
    }

    /// Only a source that imports the C library can call its functions.
    private func calls(of source: SwiftSource) -> Set<Substring> {
        source.imports.contains("Glibc") ? source.calls.intersection(fileCalls) : []
    }

    @Test func `are opened, locked, created and removed by PrivateFiles`() throws {
        let found = try sources().mapValues(calls).filter { !$0.value.isEmpty }
        #expect(found == callers)
    }

    @Test func `need no queue of Dispatch`() throws {
        let found = try sources().filter { $0.value.imports.contains("Dispatch") }.map(\.key)
        #expect(Set(found) == dispatchers)
    }

    /// The thread sanitizer does not understand `Synchronization.Mutex`.
    @Test func `share values by LockedValue`() throws {
        for target in try Repository.targets() {
            let users = try Repository.swiftSources(of: target).filter {
                $0.value.words.contains("Mutex")
            }
            #expect(users.map(\.key) == [], "\(target)")
        }
        let tests = try Repository.tests().filter { $0.value.contains(/\bMutex[<(]/) }
        #expect(tests.map(\.key) == [])
    }

    @Test(arguments: [
        "_ = open(path, O_RDONLY)", "let lock=flock(number, LOCK_EX)", "(mkdir(a, b))",
    ])
    func `are found in a source that calls the C library`(_ text: String) throws {
        #expect(try calls(of: SwiftSource("import Glibc\n\(text)")).count == 1)
    }

    @Test(arguments: [
        "try folder.open(path)", "func open(path: String) {}", "reopen(path)", "// open(path)",
        #"let text = "open(path)""#,
    ])
    func `are not found in other text`(_ text: String) throws {
        #expect(try calls(of: SwiftSource("import Glibc\n\(text)")).isEmpty)
    }
}
