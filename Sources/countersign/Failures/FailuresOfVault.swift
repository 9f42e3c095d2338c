import AuthenticationHandler
import CommandLineTool
import PrivateFiles

// Details and hints about files and folders of the vault.

extension ExposedFile {
    var details: String {
        if holdsVault {
            return localized(
                " (other users can write to the folder \(path), which holds the vault)",
                german: " (andere Benutzer können in \(path) schreiben, wo der Datenordner liegt)"
            )
        }
        return isFolder
            ? localized(
                " (other users can access the folder \(path))",
                german: " (andere Benutzer haben Zugriff auf den Ordner \(path))"
            )
            : localized(
                " (other users can access \(path), or it is an executable file)",
                german:
                    " (andere Benutzer haben Zugriff auf \(path), oder die Datei ist ausführbar)"
            )
    }

    var remedy: String {
        guard !holdsVault else { return FileFailure.privateFolder }
        let mode = isFolder ? "700" : "600"
        return localized("run chmod \(mode) on it", german: "führen Sie chmod \(mode) dafür aus")
    }
}

extension FileFailure {
    static var privateFolder: String {
        localized(
            "keep the vault in a folder that only you can write to",
            german: "legen Sie den Datenordner dorthin, wo nur Sie schreiben können"
        )
    }

    /// Nil if the cause is not known so exactly.
    var remedyInVault: String? {
        switch self {
        case .missing:
            localized(
                "create the folder that holds the vault, with mkdir -m 700",
                german: "legen Sie den Ordner des Datenordners mit mkdir -m 700 an"
            )
        case .full:
            localized("make room on its disk", german: "schaffen Sie dort Platz")
        case .readOnlyDisk:
            localized(
                "keep the vault on a disk that can be written",
                german: "legen Sie den Datenordner auf ein beschreibbares Laufwerk"
            )
        case .readOnly:
            localized(
                "check the access rights of the vault",
                german: "prüfen Sie die Zugriffsrechte des Datenordners"
            )
        case .unsafe(.notRegular):
            localized(
                "the vault must be a folder and not a link: check --vault",
                german: "der Datenordner muss ein Ordner sein und kein Link: prüfen Sie --vault"
            )
        case .unsafe(.symbolicLink):
            localized(
                "put the file itself there, and not a link to it",
                german: "legen Sie die Datei selbst dorthin und keinen Link darauf"
            )
        default: nil
        }
    }
}
