import Foundation
import TestSupport
import Testing

/// Every file that the sample configuration names.
enum DoctorFiles {
    private static let certificates = Result { try madeCertificates() }

    static func make(in folder: ACSFolder) throws {
        try copyFiles(to: folder.path(""), from: certificates.get())
        let made = try folder.shell(
            """
            "$PROGRAM" init --config acs.json
            printf 'cstk_0123456789\\n' >verifier-token
            chmod 600 verifier-token
            """
        )
        try #require(made.exitCode == 0, "\(made.errorOutput)")
    }

    private static func madeCertificates() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let made = try FinishedProcess.run("sh", ["-ec", "cd \"$0\"\n\(script)", folder.path])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        return folder
    }

    private static let script = """
        key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
        certificate() {
            openssl req -x509 -key "$1.key" -subj "/CN=$1" -days 90 -out "$1.pem" \\
                -addext subjectAltName=DNS:acs.bank.example
        }
        for name in authorities clients client server signing other; do
            key $name
            certificate $name
        done
        issue() {
            openssl req -new -key clients.key -subj /CN=clients |
                openssl x509 -req -CA authorities.pem -CAkey authorities.key -days 90 "$@" \\
                    -out clients.pem
        }
        issue
        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key
        certificate rsa
        chmod 600 *.key
        """
}

@Suite struct `countersign-acs doctor` {
    private let folder: ACSFolder

    /// Nothing listens at its verifier.
    private static let configuration = SampleConfiguration.replacing(
        "https://verifier.bank.example",
        with: "http://127.0.0.1:1"
    )

    init() throws {
        folder = try ACSFolder(configuration: Self.configuration)
        try DoctorFiles.make(in: folder)
    }

    /// Expects one problem of this part, after `command` changed a file.
    private func expect(_ problem: String, after command: String) throws {
        let changed = try folder.shell(command)
        try #require(changed.exitCode == 0, "\(changed.errorOutput)")
        let run = try folder.run("doctor")
        #expect(run.exitCode == 1)
        #expect(run.output.contains(problem), "\(run.output)")
        #expect(run.errorOutput == "countersign-acs: found 1 problem\n")
    }

    @Test func `checks files, the store, and then the verifier`() throws {
        let run = try folder.run("doctor")
        #expect(run.exitCode == 1)
        let parts = [
            "configuration", "encryption keys", "verifier", "directory A000000003", "directories",
            "server.directories", "server.challenges", "server.issuer", "operation",
            "issuer's token", "certificates", "store",
        ]
        let failure = """
            verifier's API: cannot connect to http://127.0.0.1:1
              hint: check that countersignd is running, and check verifier.origin

            """
        #expect(run.output == parts.map { "\($0): ok\n" }.joined() + failure)
    }

    @Test(arguments: ["signing", "client", "clients", "server", "authorities"])
    func `finds a certificate that ends within 30 days`(_ name: String) throws {
        let renew = "openssl req -x509 -key \(name).key -subj /CN=\(name) -days 29 -out \(name).pem"
        #expect(try folder.shell(renew).exitCode == 0)
        #expect(try folder.run("doctor").output.contains("\(name).pem ends at 20"))
    }

    private func expectCertificate(_ problem: String, after change: String) throws {
        let changed = try folder.shell(change)
        try #require(changed.exitCode == 0, "\(changed.errorOutput)")
        let run = try folder.run("doctor")
        #expect(run.output.contains("\ncertificates: \(problem)"), "\(run.output)")
        // The other one is the verifier, which is not running.
        #expect(run.errorOutput == "countersign-acs: found 2 problems\n", "\(run.output)")
    }

    @Test(arguments: ["signing", "client", "clients", "server", "authorities"])
    func `finds a certificate that is not valid yet`(_ name: String) throws {
        let settings = [
            "[ca]", "default_ca=ca", "database=index", "new_certs_dir=.", "policy=names",
            "rand_serial=yes", "default_md=sha256", "[names]", "commonName=supplied", "",
        ]
        try folder.write(settings.joined(separator: "\n"), to: "ca.cnf")
        try folder.write("", to: "index")
        let change = """
            openssl req -new -key \(name).key -subj /CN=\(name) -out request
            openssl ca -config ca.cnf -batch -notext -selfsign -keyfile \(name).key -in request \\
                -startdate 20890101000000Z -enddate 20900101000000Z -out \(name).pem
            """
        let problem =
            "a certificate in \(folder.path("\(name).pem")) is not valid before 2089-01-01T"
        try expectCertificate(problem, after: change)
    }

    @Test(arguments: [
        ("server", "extendedKeyUsage=clientAuth", "a server with TLS", "serverAuth"),
        ("client", "extendedKeyUsage=serverAuth", "a client with TLS", "clientAuth"),
        ("signing", "keyUsage=keyAgreement", "signatures", "digitalSignature"),
    ])
    func `finds a certificate for another use`(
        _ name: String,
        _ usage: String,
        _ use: String,
        _ requirement: String
    ) throws {
        let change = """
            openssl req -x509 -key \(name).key -subj /CN=\(name) -days 90 -out \(name).pem \\
                -addext \(usage) -addext subjectAltName=DNS:acs.bank.example
            """
        let problem = "the certificate in \(folder.path("\(name).pem")) is not for \(use)\n"
        try expectCertificate(problem, after: change)
        #expect(try folder.run("doctor").output.contains("  hint: it needs the"))
        #expect(try folder.run("doctor").output.contains(requirement))
    }

    @Test func `finds a certificate for another host than that of the challenges`() throws {
        let change = """
            openssl req -x509 -key server.key -subj /CN=acs.bank.example -days 90 -out server.pem \\
                -addext subjectAltName=DNS:bank.example
            """
        let path = folder.path("server.pem")
        let problem = "the certificate in \(path) is not valid for acs.bank.example\n"
        try expectCertificate(problem, after: change)
    }

    @Test func `accepts the old certificate of a CA that is being replaced`() throws {
        let old = """
            openssl req -x509 -newkey rsa:2048 -nodes -keyout old.key -subj /CN=old -days 1 -out old.pem
            cat old.pem authorities.pem >both.pem && mv both.pem authorities.pem
            """
        #expect(try folder.shell(old).exitCode == 0)
        let output = try folder.run("doctor").output
        #expect(output.contains("\ncertificates: ok\n"), "\(output)")
    }

    @Test func `finds a client certificate that clientAuthorities did not issue`() throws {
        let change = """
            openssl req -x509 -key clients.key -subj /CN=clients -days 90 -out clients.pem
            """
        #expect(try folder.shell(change).exitCode == 0)
        let output = try folder.run("doctor").output
        let problem = "the directory A000000003 cannot connect with a certificate in"
        #expect(output.contains("\ncertificates: \(problem)"), "\(output)")
        #expect(output.contains("clients.pem: self-signed certificate\n"), "\(output)")
        #expect(output.contains("issued it in server.directories.tls.clientAuthorities, or in"))
    }

    /// As a CA by its constraints, it could be taken for one in the chain of the other.
    @Test func `finds a self-signed client certificate among others`() throws {
        let change = """
            openssl req -x509 -key other.key -subj /CN=old -days 90 >>clients.pem
            """
        #expect(try folder.shell(change).exitCode == 0)
        let output = try folder.run("doctor").output
        #expect(output.contains("clients.pem: self-signed certificate\n"), "\(output)")
    }

    @Test(arguments: [("serverAuth", false), ("clientAuth", true), ("serverAuth,clientAuth", true)])
    func `finds a client certificate for another purpose`(
        _ purpose: String,
        _ isAccepted: Bool
    ) throws {
        let change = """
            printf 'extendedKeyUsage=\(purpose)' >extensions
            openssl req -new -key clients.key -subj /CN=clients |
                openssl x509 -req -CA authorities.pem -CAkey authorities.key -days 90 \\
                    -extfile extensions -out clients.pem
            """
        #expect(try folder.shell(change).exitCode == 0)
        let output = try folder.run("doctor").output
        #expect(output.contains("\ncertificates: ok\n") == isAccepted, "\(output)")
        #expect(output.contains("clients.pem: unsuitable certificate purpose\n") != isAccepted)
    }

    /// Makes an intermediate CA, and client certificates of it with their chains.
    private static let intermediate = """
        key() { openssl genpkey -algorithm EC -pkeyopt "ec_paramgen_curve:$2" -out "$1.key"; }
        issue() {
            openssl req -new -key "$1.key" -subj "/CN=$1" |
                openssl x509 -req -CA "$2.pem" -CAkey "$2.key" -days 90 -extfile "$3" -out "$1.pem"
        }
        printf 'basicConstraints=CA:FALSE' >leaf
        printf 'basicConstraints=critical,CA:TRUE\\nkeyUsage=keyCertSign' >ca
        key intermediate P-384
        issue intermediate authorities ca
        for name in clients others; do
            key $name P-256
            issue $name intermediate leaf
            cp $name.pem $name-alone.pem
            cat intermediate.pem >>$name.pem
        done

        """

    @Test func `accepts the CA that issued a client certificate in its chain`() throws {
        let made = try folder.shell(Self.intermediate)
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        let list = try #require(
            SampleConfiguration.text.firstMatch(of: /(?s)"directories": \[(\{.*?\})\],\n/)
        )
        let second = list.1.replacing("A000000003", with: "A000000004")
            .replacing("clients.pem", with: "others.pem")
            .replacing(
                /"ranges": \[.*?\]/,
                with: #""ranges": ["5000000000000000-5000009999999999"]"#
            )
        let text = Self.configuration.replacing(list.1, with: "\(list.1), \(second)")
        try folder.write(text, to: "acs.json")
        let output = try folder.run("doctor").output
        #expect(output.contains("\ncertificates: ok\n"), "\(output)")
        #expect(output.contains("\ndirectories: ok\n"), "\(output)")
        // Without the intermediate certificate, there is no chain.
        #expect(try folder.shell("cp others-alone.pem others.pem").exitCode == 0)
        let alone = try folder.run("doctor").output
        let problem = "the directory A000000004 cannot connect with a certificate in"
        #expect(alone.contains("\ncertificates: \(problem)"), "\(alone)")
    }

    @Test func `does not claim that a store without access has no card`() throws {
        #expect(try folder.shell("rm acs.db*").exitCode == 0)
        let output = try folder.run("doctor").output
        #expect(output.contains("\nstore: the store "), "\(output)")
        #expect(output.contains("hint: mount its disk, or restore the backup; for a new ACS, "))
        #expect(!output.contains("has no card"))
    }

    @Test func `accepts an RSA key for the signature`() throws {
        let changed = try folder.shell("cp rsa.key signing.key\ncp rsa.pem signing.pem")
        #expect(changed.exitCode == 0)
        #expect(try folder.run("doctor").output.contains("\ndirectory A000000003: ok\n"))
    }

    @Test func `reports a bad configuration, and then nothing else`() throws {
        try folder.write("{}", to: "acs.json")
        let run = try folder.run("doctor")
        #expect(run.exitCode == 1)
        #expect(run.output.contains("configuration: "))
        #expect(run.output.contains("the member store is missing"))
        #expect(run.output.split(separator: "\n").count == 2)
    }

    @Test(arguments: [
        (
            "encryption keys: the list of encryption keys",
            "rm encryption"
        ),
        (
            "does not contain a list of encryption keys",
            "echo '1 00' >encryption"
        ),
        ("other users can access", "chmod 640 encryption"),
        ("verifier: the token", "rm verifier-token"),
        ("other users can access", "chmod 644 verifier-token"),
        ("verifier-token does not contain a token", "printf 'two words\\n' >verifier-token"),
        ("verifier-token does not contain a token", "printf 'a\\nb\\n' >verifier-token"),
        ("verifier-token does not contain a token", ": >verifier-token"),
        ("is shorter than 32 characters", "echo 0123456789 >issuer-token"),
        ("verifier-token is a symbolic link", "mv verifier-token t\nln -s t verifier-token"),
    ])
    func `finds secrets that cannot be used`(_ problem: String, _ command: String) throws {
        try expect(problem, after: command)
    }

    @Test(arguments: [
        ("clients.pem: No such file", "rm clients.pem"),
        ("hint: check the member clients of the directory A000000003\n", "rm clients.pem"),
        ("check the member signing.certificates of the directory", "rm signing.pem"),
        ("clients.pem has no certificate in PEM", "cp client.key clients.pem"),
        (
            "clients.pem has an unreadable certificate",
            "printf -- '-----BEGIN CERTIFICATE-----\\nAAAA\\n-----END CERTIFICATE-----\\n' >clients.pem"
        ),
        (
            "clients.pem has a certificate with a key of another kind",
            """
            openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out c.key
            openssl req -x509 -key c.key -subj /CN=c -days 9 -out clients.pem
            """
        ),
        (
            "client.pem has a certificate with a key that is too short",
            """
            openssl req -x509 -newkey rsa:1024 -nodes -keyout client.key -subj /CN=client -days 90 \\
                -out client.pem
            """
        ),
        ("other users can access the key", "chmod 644 client.key"),
        ("does not belong to the certificate", "cp other.key client.key"),
        ("signing.key does not contain a signing key", "cp signing.pem signing.key"),
        (
            "signing.key does not contain a signing key",
            """
            openssl pkcs8 -topk8 -in other.key -out signing.key -passout pass:secret
            chmod 600 signing.key
            """
        ),
        ("other users can access", "chmod 644 signing.key"),
        (
            "the first certificate in",
            "cp other.pem signing.pem"
        ),
        ("the first certificate in", "cp rsa.pem signing.pem"),
        (
            "signing.pem has more than 10 certificates",
            "for i in 1 2 3 4 5 6 7 8 9 10; do cat other.pem >>signing.pem; done"
        ),
    ])
    func `finds files of a directory that cannot be used`(
        _ problem: String,
        _ command: String
    ) throws {
        try expect(problem, after: command)
    }

    @Test(arguments: [
        ("clients.pem", "check the member clients of the directory A000000003"),
        ("authorities.pem", "check the member authorities of the directory A000000003"),
        ("signing.pem", "check the member signing.certificates of the directory A000000003"),
        ("client.pem", "check certificate and key of the directory A000000003"),
    ])
    func `run names the member of a missing file, too`(_ name: String, _ hint: String) throws {
        #expect(unlink(folder.path(name)) == 0)
        let run = try folder.run("run")
        #expect(run.exitCode == 66, "\(run.errorOutput)")
        #expect(run.errorOutput.contains(name) && run.errorOutput.contains("hint: \(hint)\n"))
    }

    @Test(arguments: [
        ("verifier: cannot open the certificate ", "rm v.pem"),
        ("hint: check verifier.certificate and verifier.key\n", "rm v.pem"),
        ("does not belong to the certificate", "cp other.key v.key"),
        ("other users can access the key", "chmod 644 v.key"),
    ])
    func `finds files for the verifier that cannot be used`(
        _ problem: String,
        _ command: String
    ) throws {
        try useVerifierClient()
        try expect(problem, after: command)
    }

    @Test func `finds a certificate for the verifier that ends within 30 days`() throws {
        try useVerifierClient()
        let renew = "openssl req -x509 -key v.key -subj /CN=v -days 29 -out v.pem"
        #expect(try folder.shell(renew).exitCode == 0)
        let output = try folder.run("doctor").output
        #expect(output.contains("v.pem ends at 20"), "\(output)")
    }

    private func useVerifierClient() throws {
        let token = #""token": "verifier-token""#
        let text = Self.configuration.replacing(
            token,
            with: token + #", "certificate": "v.pem", "key": "v.key""#
        )
        try folder.write(text, to: "acs.json")
        #expect(try folder.shell("cp client.pem v.pem; cp client.key v.key").exitCode == 0)
    }

    @Test(arguments: [(66, "rm -f ca.pem"), (65, "cp client.key ca.pem")])
    func `run needs the CA certificates of the verifier`(
        _ exitCode: Int32,
        _ command: String
    ) throws {
        let verifier = #""origin": "http://127.0.0.1:1","#
        let text = Self.configuration.replacing(
            verifier,
            with: #""origin": "https://127.0.0.1:1", "authorities": "ca.pem","#
        )
        try folder.write(text, to: "acs.json")
        #expect(try folder.shell(command).exitCode == 0)
        let run = try folder.run("run")
        #expect(run.exitCode == exitCode, "\(run.errorOutput)")
        #expect(run.errorOutput.contains("hint: check the member verifier.authorities\n"))
    }

    @Test func `names a listener once`() throws {
        #expect(try folder.shell("cp server.pem server.key").exitCode == 0)
        let problem = ": \(folder.path("server.key")) is not a key in PEM, or has a password\n"
        let output = try folder.run("doctor").output
        for section in ["server.directories", "server.challenges"] {
            #expect(output.contains("\n\(section)\(problem)"), "\(output)")
        }
    }

    @Test(arguments: [
        "printf '0123456789\\r\\n' >verifier-token", "printf '0123456789 \\n' >verifier-token",
        "printf '\\357\\273\\2770123456789\\n' >verifier-token",
        "printf 'a\\nb\\n' >verifier-token", "head -c 5000 /dev/zero >verifier-token",
    ])
    func `names the form of a token`(_ command: String) throws {
        try expect("  hint: write only the token, in one line without spaces", after: command)
    }

    @Test func `run does not start with two listeners at one address`() throws {
        let text = Self.configuration.replacing("127.0.0.1:8456", with: "127.0.0.1:8455")
        try folder.write(text, to: "acs.json")
        let run = try folder.run("run")
        #expect(run.exitCode == 65)
        #expect(run.errorOutput.contains("server.issuer.listen and operation.listen have the same"))
        let doctor = try folder.run("doctor")
        #expect(doctor.exitCode == 1)
        #expect(doctor.output.contains("server.issuer.listen and operation.listen have the same"))
    }

    @Test func `finds a listener without TLS that others can reach`() throws {
        let text = Self.configuration.replacing(#""127.0.0.1:8456""#, with: #""192.0.2.1:8456""#)
        try folder.write(text, to: "acs.json")
        try expect("operation: operation needs TLS: other machines can reach", after: "true")
    }

    @Test func `finds a certificate in two directories`() throws {
        let list = try #require(
            SampleConfiguration.text.firstMatch(of: /(?s)"directories": \[(\{.*?\})\],\n/)
        )
        let second = list.1.replacing("A000000003", with: "A000000004")
        let text = Self.configuration.replacing(list.1, with: "\(list.1), \(second)")
        try folder.write(text, to: "acs.json")
        try expect("two directories have the same key in", after: "true")
    }

    @Test func `shows no token and no key`() throws {
        let secret = "cstk_very-secret-token"
        for name in ["verifier-token", "encryption", "signing.key", "issuer-token"] {
            try folder.write(secret + " x\n", to: name)
        }
        let run = try folder.run("doctor")
        #expect(run.exitCode == 1)
        #expect(!(run.output + run.errorOutput).contains("secret"))
    }
}
