import Testing

/// The folders of pure rules: state in, state and result out.
private let folders = [
    "Accounts", "Activations", "Codes", "Decisions", "Devices", "Locking", "Logins", "Outbox",
    "Policy", "Retention", "Transactions",
].map { "Rules/" + $0 }

/// Modules by which a rule could reach files, threads or the time.
private let modules: Set = ["Dispatch", "Glibc", "Synchronization"]

/// Names of clocks, random numbers and stores, in our code and in Swift's.
private let words: Set<Substring> = [
    "ContinuousClock", "KeyRing", "Ledger", "SQLConnection", "SuspendingClock",
    "SystemRandomNumberGenerator", "Task", "VerifierClock", "async", "clock", "print", "random",
    "randomBytes", "randomElement", "readLine", "shuffled",
]

@Suite struct `The rules of the verifier` {
    private func sources(in folder: String) throws -> [String: SwiftSource] {
        try Repository.swiftSources(of: "Verification").filter { $0.key.hasPrefix(folder + "/") }
    }

    @Test(arguments: folders)
    func `do no I/O, read no clock and draw no random numbers`(_ folder: String) throws {
        let sources = try sources(in: folder)
        #expect(!sources.isEmpty)
        for (file, source) in sources {
            // Its logarithms are the C library's.
            let allowed: Set = file == "Rules/Policy/GuessProbability.swift" ? ["Glibc"] : []
            #expect(source.imports.intersection(modules).subtracting(allowed) == [], "\(file)")
            #expect(source.words.intersection(words) == [], "\(file)")
        }
    }

    @Test func `are checked by a search that finds such words in other sources`() throws {
        let used = try Repository.swiftSources(of: "Verification").values.reduce(into: Set()) {
            $0.formUnion($1.words)
        }
        let ours: Set<Substring> = [
            "KeyRing", "Ledger", "SQLConnection", "VerifierClock", "clock", "random",
        ]
        #expect(ours.subtracting(used) == [])
    }
}

/// Names of random number generators other than OpenSSL's, in Swift and in C.
private let dice: Set<Substring> = [
    "SystemRandomNumberGenerator", "arc4random", "drand48", "getrandom", "lrand48", "rand",
    "rand_r", "randomElement", "shuffle", "shuffled", "srand", "srandom",
]

/// Calls of Swift's own generator.
private var rolls: Regex<Substring> { /random\(in:|Bool\.random\(|\WUUID\(\)/ }

/// The files that use Swift's generator, for waiting times and for the names of temporary files.
private let rollers: Set = [
    "AuthenticationHandler/Operations/AuthenticationHandler+Notifications.swift",
    "PrivateFiles/IncompleteFile.swift", "Storage/PostgreSQL/PostgresSession.swift",
    "Storage/PostgreSQL/PostgresWriter.swift", "ThreeDSIssuer/Service/IssuerService+Events.swift",
    "VerifierServer/Delivery/OutboxDispatcher.swift",
]

@Suite struct `Random bytes` {
    @Test func `SEC-68: come from OpenSSL only`() throws {
        var found: Set<String> = []
        for target in try Repository.targets() {
            for (file, source) in try Repository.swiftSources(of: target) {
                #expect(source.words.intersection(dice) == [], "\(target)/\(file)")
            }
            for (file, text) in try Repository.texts(of: target) where text.contains(rolls) {
                found.insert("\(target)/\(file)")
            }
        }
        #expect(found == rollers)
    }

    @Test func `SEC-68: a generator other than OpenSSL is found`() throws {
        let source = try SwiftSource("let order = cards.shuffled()")
        #expect(source.words.intersection(dice) == ["shuffled"])
        for call in ["UInt8.random(in: .min ... .max)", ".random(in: 1...6)", "id = UUID()"] {
            #expect(call.contains(rolls))
        }
        #expect(!"try AttemptID.random()".contains(rolls))
    }
}

@Suite struct `SEC-38: channels to a person` {
    /// Words for channels that a third party can read or redirect.
    private let channels =
        /\b(?i:sms|e-?mail|mailto|smtp|telephone|voip)|SMS|E-?[mM]ail|SMTP|Telephone|VoIP/

    /// Elements of card messages, which describe a purchase and are never written to.
    private let elements = /"(?:email|deliveryEmailAddress|sellerEmail)"/

    @Test func `never include e-mail, SMS or telephone`() throws {
        for target in try Repository.targets() {
            for (file, text) in try Repository.texts(of: target) {
                let text = target == "ThreeDSProtocol" ? text.replacing(elements, with: "") : text
                #expect(text.firstMatch(of: channels) == nil, "\(target)/\(file)")
            }
        }
    }

    @Test(arguments: [
        "case sms", "smtp://", "an e-mail", "Telephone", "email", "SMSGateway", "sendSMS(",
        "emailAddress", "byEmail",
    ])
    func `are found by the search`(_ text: String) {
        #expect(text.contains(channels))
    }
}
