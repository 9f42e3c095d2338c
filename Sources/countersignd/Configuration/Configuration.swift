import CommandLineTool
import Verification
import VerifierServer

/// Where the parts of one verifier are.
struct Configuration: Equatable, Sendable {
    enum Store: Equatable, Sendable {
        case sqlite(path: String)
        /// A connection string of libpq, without a password.
        case postgreSQL(String)
    }

    /// The file that says so.
    let path: String
    var store: Store
    let journal: String
    /// A path, or what a `KeyDescriptor` reads.
    let encryptionKeys: String
    /// Where the keys are read from; nil where they are in a file.
    let keyDescriptor: Int32?
    let agreementKey: String
    /// What answers to devices are signed with.
    let responseKey: String
    /// What they will be signed with one day, where that is decided.
    let nextResponseKey: String?
    let checkpointKey: String
    /// Nil where nobody is served.
    let server: Server?
    /// Nil where nobody watches it over the network.
    let operation: Listening?
    let logLevel: Log.Level
    let webhooks: [Webhook]
    let push: Push

    static let standardPath = "/etc/countersign/countersignd.json"

    static let option = Option<FilePath?>(
        "config",
        help: "The configuration, if not \(standardPath)."
    )

    static func path(in arguments: ParsedArguments) throws(CommandFailure) -> String {
        try arguments[option]?.text ?? standardPath
    }

    /// What `init` writes where there is no configuration: each kind of thing in a folder that can
    /// be storage of its own, and a server for this machine alone.
    static let standardText = """
        // The configuration of a verifier: JSON, with comments, and commas after the last member.
        // Relative paths begin where this file is. A member that is not described here is refused.
        // A variable takes the place of one: COUNTERSIGND_SERVER_ORIGIN of the server's "origin".
        {
          // All that the verifier knows: {"sqlite": FILE}, or, for a store that several verifiers
          // share, {"postgresql": CONNECTION} as libpq takes it: "host=db.example
          // dbname=countersign passfile=/etc/countersign/pgpass". No password is written here.
          "store": {"sqlite": "store/countersign.db"},

          // What ended since a backup is known from this: let it be on other storage than the store.
          // Each verifier has its own.
          "journal": "journal/journal",

          // The keys that the store's secrets are sealed under: a file, or "descriptor:N" for what
          // whoever begins the program opens as N, or hands over under the name N (OpenFile= of
          // systemd). Not where the store's backups are.
          "encryptionKeys": "keys/encryption",

          // What devices agree on secrets with.
          "agreementKey": "keys/agreement",

          // What answers to devices are signed with.
          "responseKey": "keys/answers",

          // What they will be signed with one day. Absent: that is not decided.
          // "nextResponseKey": "keys/next-answers",

          // What the journal is signed with. Each verifier has its own.
          "checkpointKey": "keys/checkpoint",

          // What countersignd run serves to devices and to the bank's programs. Absent: nothing.
          "server": {
            // What devices call, and what signatures are over: https://HOST or https://HOST:PORT, as
            // the world sees it. http:// is for this machine alone, to try things out.
            "origin": "http://127.0.0.1:8080",

            // Addresses in numbers with their ports; 0.0.0.0 and [::] are all of this machine.
            // Sockets of a service manager take their place.
            "listen": ["127.0.0.1:8080"],

            // Certificate with its chain, and key, in PEM; SIGHUP has them read again. Absent: plain
            // HTTP, which is refused beyond this machine.
            // "tls": {"certificate": "tls/certificate.pem", "key": "tls/key.pem"},

            // How many clients may be connected at once, in all and from one address (of IPv6: from
            // one /64); more are turned away. In all there are no more than there are descriptors for
            // (ulimit -n). Plain HTTP is for a proxy: there the latter is as many as the former.
            "connections": 10000,
            // "connectionsPerAddress": 1000,

            // How long it answers what it was asked, once it is told to stop. To end what it tells
            // others may take 10 seconds more.
            "drainSeconds": 20,
          },

          // Where /health/live, /health/ready and /metrics are, for those who run it: on a port of
          // their own, since whoever asks needs no token. "tls" as above. Absent: nowhere.
          "operation": {"listen": ["127.0.0.1:8081"]},

          // What standard error gets to read: "error" for what somebody must look at, "info" for
          // each request too, "debug" for those of "operation" as well.
          "log": {"level": "info"},

          // Programs of banks that are told things, as Standard Webhooks has it; verifiers of one
          // store tell the same. What nobody is to be told of is done with. Absent: nobody is told.
          // "webhooks": [
          //   {
          //     "enterprise": "bank",
          //     // "events": what happened to accounts; "pushes": which devices to wake, for a
          //     // bank that does so itself. For each a webhook of its own, if any.
          //     "tells": "events",
          //     // https://, or http:// of this machine.
          //     "url": "https://core.bank.example/countersign",
          //     // Files for their owner alone, each with a line: whsec_ and base64 of 24 to 64
          //     // bytes. While it is changed they are two, the next and the one of before.
          //     "secrets": ["keys/webhook"],
          //     // Who vouches for that server, in PEM. Absent: those whom the system trusts.
          //     "authorities": "tls/bank.pem",
          //   },
          // ],

          // How devices are woken that want to be.
          "push": {
            // To how many requests a minute that may lead; more are refused. Each verifier counts
            // for itself.
            "perMinute": 10000,

            // By Firebase Cloud Messaging, with the file that Google gives out for a service
            // account, for its owner alone; "endpoint": if not at https://fcm.googleapis.com.
            // Absent: by the bank's own pusher, where it has one.
            // "fcm": {"serviceAccount": "keys/fcm.json"},
          },
        }

        """
}

extension Configuration {
    /// Read once: a descriptor is closed then.
    var keySource: KeyFile.Source {
        keyDescriptor.map { .descriptor($0) } ?? .file(encryptionKeys)
    }
}

/// The folder that a file lies in, with its slash; nothing where that is the current one.
func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}
