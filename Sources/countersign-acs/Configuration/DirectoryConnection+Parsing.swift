import ConfigurationFiles
import ServerOperation
import ThreeDSIssuer
import ThreeDSProtocol

extension DirectoryConnection {
    init(_ section: ConfigurationSection, isSandbox: Bool) throws(ConfigurationFailure) {
        let results = try section.text("results")
        guard WebAddress(results, isSandbox: isSandbox) != nil else {
            throw section.failure(
                "results",
                isSandbox
                    ? "must be a URL with https, or with http of this machine"
                    : "must be a URL with https"
            )
        }
        let signing = try section.section("signing")
        self.init(
            rid: try section.text("rid"),
            directory: try CardDirectory(section),
            clients: try section.file("clients"),
            results: results,
            responseTime: .seconds(try section.number("resultSeconds")),
            authorities: try section.file("authorities"),
            client: TLSFiles(
                certificate: try section.file("certificate"),
                key: try section.file("key")
            ),
            signing: Signing(
                key: try signing.file("key"),
                certificates: try signing.file("certificates")
            ),
            logo: try section.logo("images", isSandbox: isSandbox)
        )
    }
}

extension CardDirectory {
    fileprivate init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        guard let id = DirectoryID(try section.text("rid")) else {
            throw section.failure("rid", "must be 10 hexadecimal digits, such as A000000003")
        }
        let ranges = try section.ranges("ranges")
        let (start, end) = try section.versions("versions")
        let directory = CardDirectory(
            id,
            ranges: ranges,
            versionsFrom: start,
            to: end,
            eci: try section.eci("eci") ?? .authenticated,
            rejectedECI: try section.eci("rejectedECI") ?? .notAuthenticated
        )
        guard let directory else {
            throw section.failure("versions", "does not contain a version from 2.1.0 to 2.3.1")
        }
        self = directory
    }
}

extension ConfigurationSection {
    fileprivate func eci(_ name: String) throws(ConfigurationFailure) -> ECI? {
        guard let text = try optionalText(name) else { return nil }
        guard let eci = ECI(text) else { throw failure(name, "must be two digits") }
        return eci
    }

    fileprivate func ranges(_ name: String) throws(ConfigurationFailure) -> [CardRange] {
        let ranges = try texts(name).map { text throws(ConfigurationFailure) in
            let ends = text.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let range = CardRange(from: String(ends[0]), to: String(ends[1]))
            else {
                throw failure(
                    name,
                    "must contain FIRST-LAST of equal length, 13 to 19 digits, and FIRST not above LAST"
                )
            }
            return range
        }
        guard !ranges.isEmpty else { throw failure(name, "is empty") }
        return ranges
    }

    /// The first and the last version.
    fileprivate func versions(
        _ name: String
    ) throws(ConfigurationFailure) -> (start: String, end: String) {
        guard let versions = try optionalTexts(name) else {
            return (DefaultVersions.start, DefaultVersions.end)
        }
        guard versions.count == 2 else {
            throw failure(name, "must contain the first and the last version")
        }
        return (versions[0], versions[1])
    }
}

/// The versions of the protocol without the member `versions`.
enum DefaultVersions {
    static let start = ProtocolVersion.twoOne.rawValue
    static let end = ProtocolVersion.twoThree.rawValue
}
