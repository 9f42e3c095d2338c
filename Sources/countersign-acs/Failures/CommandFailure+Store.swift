import CommandLineTool
import ConfigurationFiles
import Storage

extension CommandFailure {
    init(_ failure: StoreFailure, of store: StorePlace) {
        self.init(failure, of: store, by: .acs)
    }

    /// For rows that another program wrote.
    static let hintAfterForgery = "copy the store as evidence, and restore a backup"
}

extension Configuration.Store {
    var place: StorePlace {
        switch self {
        case .sqlite(let path): .sqlite(path)
        case .postgreSQL: .postgreSQL
        }
    }
}

extension StoreOwner {
    fileprivate static let acs = StoreOwner("an ACS", program: "countersign-acs") { failure in
        switch failure.reason {
        case .missing:
            "mount its disk, or restore the backup; for a new ACS, countersign-acs init creates it"
        case _ where failure == .otherKeys:
            "put the key file of this store back, from the backup of the keys"
        case .damaged: "stop the ACS, and replace the store with the last backup"
        case .forged: CommandFailure.hintAfterForgery
        default: nil
        }
    }
}
