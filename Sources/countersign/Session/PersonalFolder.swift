import CommandLineTool
import Glibc

/// The folders of a person's files, by the XDG Base Directory Specification.
enum PersonalFolder: String {
    case configuration = "XDG_CONFIG_HOME"
    case data = "XDG_DATA_HOME"
    /// Files that must not be copied together with `data`.
    case state = "XDG_STATE_HOME"

    /// The subfolder of this program, which may not exist yet.
    func path() throws(CommandFailure) -> String {
        // The specification ignores relative paths.
        if let folder = variable(rawValue), folder.hasPrefix("/") { return folder + "/countersign" }
        guard let home = variable("HOME"), home.hasPrefix("/") else {
            throw CommandFailure(
                .usage,
                localized("cannot find your home folder", german: "Ihr Ordner ist unbekannt"),
                hint: localized(
                    "set the environment variable HOME or \(rawValue)",
                    german: "setzen Sie die Umgebungsvariable HOME oder \(rawValue)"
                )
            )
        }
        return "\(home)/\(defaultPath)/countersign"
    }

    /// Creates the folder and its parents, readable by the user only.
    func make() throws(CommandFailure) {
        var folder = ""
        for part in try path().split(separator: "/") {
            folder += "/\(part)"
            guard mkdir(folder, S_IRWXU) != 0 else { continue }
            let reason = String(cString: strerror(errno))
            // On a read-only disk, mkdir fails even if the folder exists.
            guard access(folder, F_OK) != 0 else { continue }
            throw CommandFailure(
                .cannotCreate,
                localized(
                    "cannot create the folder \(folder): \(reason)",
                    german: "der Ordner \(folder) lässt sich nicht anlegen: \(reason)"
                )
            )
        }
    }

    private var defaultPath: String {
        switch self {
        case .configuration: ".config"
        case .data: ".local/share"
        case .state: ".local/state"
        }
    }

    private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
