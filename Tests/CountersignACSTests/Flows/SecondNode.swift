import ProgramTesting
import TestSupport

/// Another ACS on the store of the premises, in a process of its own.
struct SecondNode {
    let process: RunningServer
    let ports: IssuerPremises.Ports

    /// Its public address stays the one of the first node.
    init(of premises: IssuerPremises) throws {
        ports = IssuerPremises.Ports(
            directories: try freePort(),
            challenges: try freePort(),
            issuer: try freePort(),
            operation: try freePort()
        )
        let (first, second) = (premises.ports, ports)
        var configuration = try premises.folder.text("acs.json")
        for (old, new) in [
            (first.directories, second.directories), (first.challenges, second.challenges),
            (first.issuer, second.issuer), (first.operation, second.operation),
        ] {
            configuration.replace("127.0.0.1:\(old)", with: "127.0.0.1:\(new)")
        }
        try premises.folder.write(configuration, to: "second.json")
        process = try RunningServer(acs: premises.folder.path("second.json"))
    }
}

extension IssuerPremises.Ports {
    /// For AReqs.
    var directoryURL: String { "https://localhost:\(directories)/3ds/authentication" }

    /// For the messages of apps.
    var challengeURL: String { "https://localhost:\(challenges)/3ds/challenge" }
}
