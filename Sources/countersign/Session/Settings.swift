import AuthenticationHandler
import CommandLineTool
import StrictJSON

/// The settings file: trusted servers, network and helper programs.
struct Settings: Sendable {
    private(set) var servers: [(origin: String, server: TrustedServer)] = []
    private(set) var pinned: [PinnedServer] = []
    private(set) var network = NetworkSettings()
    /// The program that prompts for a PIN if there is no terminal.
    private(set) var askpass: String?
    /// The program that recognises the person.
    private(set) var biometrics: String?

    /// All settings have their defaults.
    init() {}

    /// Reads the file; without one, all settings have their defaults.
    init(from folder: PersonalFolder) throws(CommandFailure) {
        let folder = try folder.path()
        let path = "\(folder)/countersign.json"
        guard let bytes = try SettingsFile(path).contents() else { return }
        let document: Document
        do throws(StrictJSON.Failure) {
            document = try StrictJSON.decode(from: bytes)
        } catch {
            throw .malformed(path, error.reason(in: bytes))
        }
        func resolved(_ file: String) -> String { file.hasPrefix("/") ? file : "\(folder)/\(file)" }
        askpass = document.askpass.map(resolved)
        biometrics = document.biometrics.map(resolved)
        network.authorities = document.authorities.map(resolved)
        do throws(AuthenticationError) {
            for server in document.servers ?? [] {
                servers.append((server.origin, try server.trusted()))
                if let pins = server.pins {
                    pinned.append(try PinnedServer(origin: server.origin, keys: pins))
                }
            }
        } catch {
            let reason = localized(
                "the origin, a key or the pins of a server are not valid",
                german: "Adresse, Schlüssel oder Pins eines Servers sind ungültig"
            )
            throw .malformed(path, reason)
        }
    }

    /// An example of the file, for help.
    static let example = #"""
            {
                "servers": [
                    {
                        "origin": "https://approve.bank.example",
                        "agreementKey": "BGlr…",
                        "signingKey": "BCsd…",
                        "pins": ["GkRz…=", "mLwF…="]
                    }
                ]
            }
        """#

    private struct Document: Decodable {
        let servers: [Server]?
        let authorities: String?
        let askpass: String?
        let biometrics: String?
    }

    private struct Server: Decodable {
        let origin: String
        let agreementKey: String
        let nextAgreementKey: String?
        let signingKey: String
        let nextSigningKey: String?
        let pins: [String]?

        func trusted() throws(AuthenticationError) -> TrustedServer {
            try TrustedServer(
                origin: origin,
                agreementKey: agreementKey,
                nextAgreementKey: nextAgreementKey,
                signingKey: signingKey,
                nextSigningKey: nextSigningKey
            )
        }
    }
}

extension CommandFailure {
    fileprivate static func malformed(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(.malformedInput, "\(path): \(reason)")
            .suggesting(
                localized(
                    "countersign help activate shows an example of this file",
                    german: "countersign help activate zeigt ein Beispiel dieser Datei"
                )
            )
    }
}
