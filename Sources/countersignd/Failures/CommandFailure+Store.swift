import CommandLineTool
import ConfigurationFiles
import Storage
import VerifierServer

extension CommandFailure {
    init(_ failure: StoreFailure, of store: StorePlace) {
        self.init(failure, of: store, by: .verifier)
    }
}

extension VerifierServer.Configuration.Store {
    var place: StorePlace {
        switch self {
        case .sqlite(let path): .sqlite(path)
        case .postgreSQL: .postgreSQL
        }
    }
}

extension StoreOwner {
    fileprivate static let verifier = StoreOwner("a verifier", program: "countersignd") { failure in
        switch failure.reason {
        case .missing:
            "mount its disk, or put a backup back and run countersignd restore; for a new verifier, "
                + "countersignd init creates it"
        case .damaged: "replace it with the last backup, then run countersignd restore"
        case .forged where failure.concernsAllKeys:
            "put the right key file back, or copy it from a verifier that works, and restart; only if "
                + "the file is right, run countersignd audit verify"
        case .forged: "run countersignd audit verify, and then restore the last backup"
        case .rolledBack: "run countersignd restore"
        case .uncertain: "repeat the command: it finds out whether the commit succeeded"
        case .conflict: "stop the other process and repeat the command"
        default: nil
        }
    }
}
