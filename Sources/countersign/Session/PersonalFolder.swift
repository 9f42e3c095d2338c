import CommandLineTool
import Glibc

/// Where a person's files are, by the XDG Base Directory Specification.
enum PersonalFolder: String {
    case configuration = "XDG_CONFIG_HOME"
    case data = "XDG_DATA_HOME"
    /// What is not to be copied together with `data`.
    case state = "XDG_STATE_HOME"

    /// Of this program alone; it need not be there.
    func path() throws(CommandFailure) -> String {
        // A path that is not absolute is ignored, as the specification says.
        if let folder = variable(rawValue), folder.hasPrefix("/") { return folder + "/countersign" }
        guard let home = variable("HOME"), home.hasPrefix("/") else {
            throw CommandFailure(
                .usage,
                "it is not known where your files are",
                hint: "set HOME, or \(rawValue)"
            )
        }
        return "\(home)/\(standard)/countersign"
    }

    /// Makes it, and what it is in, for their owner alone, where that is not there.
    func make() throws(CommandFailure) {
        var folder = ""
        for part in try path().split(separator: "/") {
            folder += "/\(part)"
            guard mkdir(folder, S_IRWXU) != 0 else { continue }
            let reason = String(cString: strerror(errno))
            // On a disk that is read-only, what is there is not even said to be.
            guard access(folder, F_OK) != 0 else { continue }
            throw CommandFailure(.cannotCreate, "cannot make the folder \(folder): \(reason)")
        }
    }

    private var standard: String {
        switch self {
        case .configuration: ".config"
        case .data: ".local/share"
        case .state: ".local/state"
        }
    }

    private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
