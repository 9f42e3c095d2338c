import TestSupport
import Testing

/// A change of the sample configuration, and the message that refuses it.
struct BadMember: CustomTestStringConvertible, Sendable {
    let old: String
    let new: String
    let message: String

    init(_ old: String, _ new: String, _ message: String) {
        (self.old, self.new, self.message) = (old, new, message)
    }

    var testDescription: String { message }
}

@Suite struct `The configuration of the ACS` {
    private func expectRefusal(_ member: BadMember) throws {
        // A change that changes nothing would test nothing.
        try #require(SampleConfiguration.text.contains(member.old))
        let folder = try ACSFolder(
            configuration: SampleConfiguration.replacing(member.old, with: member.new)
        )
        let refused = try folder.run("init")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains(member.message), "\(refused.errorOutput)")
        #expect(try folder.files() == ["acs.json"])
    }

    @Test func `is accepted if every member is right`() throws {
        let folder = try ACSFolder(configuration: SampleConfiguration.text)
        let created = try folder.run("init")
        #expect(created.exitCode == 0, "\(created.errorOutput)")
        #expect(try folder.files() == ["acs.db", "acs.json", "encryption", "issuer-token"])
    }

    @Test(arguments: [
        BadMember(#""sqlite": "acs.db""#, "", "must contain either sqlite or postgresql"),
        BadMember(
            #""sqlite": "acs.db""#,
            #""sqlite": "acs.db", "postgresql": "host=db""#,
            "must contain either sqlite or postgresql"
        ),
        BadMember(#""store""#, #""storage""#, "unknown member storage"),
        // "K" is canonically equivalent to the sign of the unit kelvin.
        BadMember(
            #""encryptionKeys": "#,
            #""encryption\#u{212A}eys": "k", "encryptionKeys": "#,
            "unknown member encryption"
        ),
        BadMember(
            #""encryptionKeys": "#,
            #""encryption\#u{212A}eys": "#,
            "unknown member encryption"
        ),
        BadMember(#""encryption""#, #""""#, "the member encryptionKeys is empty"),
        BadMember(#""encryption""#, #""acs.db""#, "two members name the same file"),
        BadMember(
            "127.0.0.1:8456",
            "127.0.0.1:8455",
            "the members server.issuer.listen and operation.listen have the same address and port: "
                + "127.0.0.1:8455"
        ),
        BadMember(
            "192.0.2.1:8454",
            "0.0.0.0:8453",
            "the members server.directories.listen and server.challenges.listen have the same"
        ),
        BadMember(
            #"["127.0.0.1:8456"]"#,
            #"["127.0.0.1:8456", "127.0.0.1:8456"]"#,
            "the member operation.listen has 127.0.0.1:8456 twice"
        ),
        BadMember(#""encryption""#, #""issuer-token""#, "two members name the same file"),
        BadMember(#""issuer-token""#, #""verifier-token""#, "two members name the same file"),
        BadMember(#""bank","#, #""my bank","#, "enterprise is not the name of an enterprise"),
        BadMember(
            "https://verifier.bank.example",
            "http://verifier.bank.example",
            "the member verifier.origin must be https://HOST or https://HOST:PORT"
        ),
        BadMember(#""token": "verifier-token""#, "", "the member verifier.token is missing"),
        BadMember(
            #""token": "verifier-token""#,
            #""token": "verifier-token", "certificate": "c.pem""#,
            "the member verifier.key is required with certificate"
        ),
        BadMember(
            #""token": "verifier-token""#,
            #""token": "verifier-token", "key": "c.pem""#,
            "the member verifier.certificate is required with key"
        ),
        BadMember(
            #""de": "Musterbank""#,
            #""de": "Musterbank mit einem sehr langen Namen, der nie passt""#,
            "the member texts.heading.de must be a text of at most 45 characters"
        ),
        BadMember(
            #", "de": "Musterbank""#,
            "",
            "the member texts.heading.de is missing"
        ),
        BadMember("Example Bank", "Example  Bank", "texts.heading.en must be a text"),
        BadMember(#""medium""#, #""high""#, "the member images.medium is missing"),
        BadMember(
            "https://www.bank.example/logo.png",
            "http://www.bank.example/logo.png",
            "the member images.medium must be a URL with https of at most 128 characters"
        ),
        BadMember(#""language": "en""#, #""language": "fr""#, "language must be one of en, de"),
        BadMember(
            #""eci": "05""#,
            #""resultSeconds": 4, "eci": "05""#,
            "resultSeconds must be between 5 and 30"
        ),
        BadMember(
            #""approvalSeconds": 300"#,
            #""approvalSeconds": 601"#,
            "the member approvalSeconds must be between 30 and 600"
        ),
        BadMember(
            "https://approve.bank.example/approve/",
            "http://localhost:8080/approve/",
            "the member webDevice must be a URL with https of at most 256 characters"
        ),
        BadMember(
            "https://approve.bank.example/approve/",
            "https://approve.bank.example@other.example/",
            "the member webDevice must be a URL with https of at most 256 characters"
        ),
        BadMember(#""consent": false"#, #""consent": 0"#, "consent must be true or false"),
        BadMember(
            #""consent": false"#,
            #""consent": true"#,
            "the member frictionless cannot be set while consent is true"
        ),
        BadMember(
            #""nonPayments": true"#,
            #""nonPayments": "true""#,
            "nonPayments must be true or false"
        ),
        BadMember(#""decoupled": false"#, #""decoupled": null"#, "decoupled must be true or false"),
        BadMember(
            #"["riskAnalysed"]"#,
            #"["mandated"]"#,
            "the member informationOnly can contain only riskAnalysed, alreadyAuthenticated"
        ),
        BadMember(#""EUR""#, #""XTS""#, "frictionless.currency is not the code of a currency"),
        BadMember(#""currency": "EUR", "#, "", "the member frictionless.currency is missing"),
        BadMember(#""maximum": 3000"#, #""maximum": 0"#, "frictionless.maximum must be between 1"),
        BadMember(#""total": 10000"#, #""total": 1.5"#, "total must be a whole number"),
        BadMember(
            #""count": 5"#,
            #""count": 1001"#,
            "frictionless.count must be between 1 and 1000"
        ),
        BadMember(#""level": "info""#, #""level": "all""#, "log.level must be one of debug, info"),
        BadMember(
            #""sandbox": false"#,
            #""sandbox": 1"#,
            "the member sandbox must be true or false"
        ),
    ])
    func `has a message for each bad member`(_ member: BadMember) throws {
        try expectRefusal(member)
    }

    @Test(arguments: [
        BadMember("A000000003", "A00000000G", "rid must be 10 hexadecimal digits"),
        BadMember("A000000003", "a000000003", "rid must be 10 hexadecimal digits"),
        BadMember("A000000003", "A00000000", "rid must be 10 hexadecimal digits"),
        BadMember(#""clients": "clients.pem","#, "", "directories.clients is missing"),
        BadMember("https://ds.example", "http://ds.example", "results must be a URL with https"),
        BadMember("https://ds.example", "http://localhost", "results must be a URL with https"),
        BadMember("https://ds.example", "https://a@ds.example", "results must be a URL with https"),
        BadMember(#""certificate": "client.pem","#, "", "directories.certificate is missing"),
        BadMember(#" "key": "client.key","#, "", "the member directories.key is missing"),
        BadMember(#""key": "signing.key","#, "", "directories.signing.key is missing"),
        BadMember(#""05""#, #""5""#, "the member directories.eci must be two digits"),
        BadMember(#""05""#, #""0A""#, "the member directories.eci must be two digits"),
        BadMember(#""07""#, #""7""#, "the member directories.rejectedECI must be two digits"),
        BadMember(#""2.1.0", "2.3.1""#, #""2.1.0""#, "must contain the first and the last version"),
        BadMember(
            #""2.1.0", "2.3.1""#,
            #""2.3.1", "2.1.0""#,
            "versions does not contain a version"
        ),
        BadMember(
            #""2.1.0", "2.3.1""#,
            #""3.0.0", "3.1.0""#,
            "versions does not contain a version"
        ),
        BadMember(#""2.1.0", "2.3.1""#, #""x", "y""#, "versions does not contain a version"),
        BadMember(
            "4000000000000000-4000009999999999",
            "4000009999999999-4000000000000000",
            "13 to 19 digits, and FIRST not above LAST"
        ),
        BadMember(
            "4000000000000000-4000009999999999",
            "4000000000000000-400000999999999",
            "the member directories.ranges must contain FIRST-LAST"
        ),
        BadMember(
            "4000000000000000-4000009999999999",
            "4000000000000000",
            "the member directories.ranges must contain FIRST-LAST"
        ),
        BadMember(
            "4000000000000000-4000009999999999",
            "400000000000-400000999999",
            "the member directories.ranges must contain FIRST-LAST"
        ),
        BadMember(
            #""ranges": ["4000000000000000-4000009999999999"]"#,
            #""ranges": []"#,
            "the member directories.ranges is empty"
        ),
    ])
    func `has a message for each bad member of a directory`(_ member: BadMember) throws {
        try expectRefusal(member)
    }

    @Test(arguments: [
        BadMember(
            #""https://acs.bank.example""#,
            #""https://acs.bank.example/""#,
            "server.challenges.origin must be https://HOST"
        ),
        BadMember(
            #""https://acs.bank.example""#,
            #""http://localhost:8454""#,
            "must begin with https://, because sandbox is false"
        ),
        BadMember(
            #""192.0.2.1:8454""#,
            #""192.0.2.1""#,
            "challenges.listen must contain IP addresses"
        ),
        BadMember(#""127.0.0.1:8455""#, #""::1:8455""#, "issuer.listen must contain IP addresses"),
        BadMember(#", "token": "issuer-token""#, "", "the member server.issuer.token is missing"),
        BadMember(
            #""operation": {"#,
            #""operation": {"token": "t", "#,
            "unknown member operation.token"
        ),
        BadMember(
            #""sandbox": false"#,
            #""sandbox": true"#,
            "sandbox must be false: server.challenges.listen has an address for other machines"
        ),
    ])
    func `has a message for each bad member of the server`(_ member: BadMember) throws {
        try expectRefusal(member)
    }

    @Test func `needs the CA certificates of the clients of the directories`() throws {
        let member = #""clientAuthorities": "authorities.pem""#
        try #require(SampleConfiguration.text.contains(member))
        let text = SampleConfiguration.replacing(member, with: "")
        let folder = try ACSFolder(configuration: text)
        let refused = try folder.run("init")
        #expect(refused.exitCode == 65)
        let message = "the member server.directories.tls.clientAuthorities is missing"
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
    }

    @Test func `has each directory once, and at least one`() throws {
        let entry = try #require(
            SampleConfiguration.text.firstMatch(of: /(?s)"directories": \[(\{.*?\})\],/)
        )
        for (list, message) in [
            ("[]", "the member directories must contain a directory server"),
            ("[\(entry.1), \(entry.1)]", "two directories have the same rid"),
        ] {
            let text = SampleConfiguration.replacing(
                String(entry.0),
                with: #""directories": \#(list),"#
            )
            let refused = try ACSFolder(configuration: text).run("init")
            #expect(refused.exitCode == 65)
            #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        }
    }

    @Test(arguments: ["http://localhost:8454", "http://127.0.0.1:8454"])
    func `SEC-100: accepts plain HTTP of this machine only, and in a sandbox only`(
        _ origin: String
    ) throws {
        let text = SampleConfiguration.replacing("https://acs.bank.example", with: origin)
            .replacing("192.0.2.1:8454", with: "127.0.0.1:8454")
            .replacing("https://ds.example", with: "http://localhost:9000")
            .replacing("https://approve.bank.example", with: "http://localhost:8080")
            .replacing(#""sandbox": false"#, with: #""sandbox": true"#)
        let folder = try ACSFolder(configuration: text)
        #expect(try folder.run("init").exitCode == 0)
        for (old, new) in [
            (origin, "http://acs.bank.example"), ("localhost:9000", "ds.example:9000"),
            ("localhost:8080", "approve.bank.example"), ("127.0.0.1:8454", "192.0.2.1:8454"),
            (#""sandbox": true"#, #""sandbox": false"#),
        ] {
            try #require(text.contains(old))
            let other = try ACSFolder(configuration: text.replacing(old, with: new))
            #expect(try other.run("init").exitCode == 65, "\(new)")
        }
    }

    @Test func `can be changed by environment variables, with the prefix of this program`() throws {
        let folder = try ACSFolder(configuration: SampleConfiguration.text)
        let changed = try folder.run(
            "init",
            environment: ["COUNTERSIGN_ACS_SERVER_ISSUER_TOKEN": "another-token"]
        )
        #expect(changed.exitCode == 0, "\(changed.errorOutput)")
        #expect(try folder.files() == ["acs.db", "acs.json", "another-token", "encryption"])

        let booleans = ["COUNTERSIGN_ACS_SANDBOX": "yes"]
        let refused = try folder.run("init", environment: booleans)
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("COUNTERSIGN_ACS_SANDBOX is not JSON"))

        let unknown = try folder.run("init", environment: ["COUNTERSIGN_ACS_JOURNAL": "j"])
        #expect(unknown.exitCode == 65)
        #expect(
            unknown.errorOutput == """
                countersign-acs: the environment variable COUNTERSIGN_ACS_JOURNAL is unknown
                hint: countersign-acs help init lists the variables

                """
        )
    }

    @Test func `is not changed by variables of countersignd`() throws {
        let folder = try ACSFolder(configuration: SampleConfiguration.text)
        let kept = try folder.run("init", environment: ["COUNTERSIGND_JOURNAL": "j"])
        #expect(kept.exitCode == 0)
    }
}
