import CommandLineTool
import Cryptography
import ServerOperation
import ThreeDSIssuer
import TransactionApproval
import Transactions

extension Configuration {
    /// The service, with all files that it needs.
    func service(
        over store: IssuerStore,
        reporting observer: IssuerObserver = .none
    ) throws(CommandFailure) -> IssuerService {
        try checkClients()
        var directories: [ServedDirectory] = []
        for connection in self.directories {
            directories.append(try connection.served(isSandbox: isSandbox))
        }
        let clock = ForwardClock.system()
        return IssuerService(
            store,
            asking: try verifier.client(of: enterprise),
            for: directories,
            at: ChallengeAddresses(origin: server.origin.text, isSandbox: isSandbox),
            by: settings,
            notifying: try notifications?.webhook(),
            clock: { clock.now },
            observer: observer
        )
    }
}

extension Configuration.VerifierAccess {
    func client(of enterprise: EnterpriseID) throws(CommandFailure) -> VerifierClient {
        let token = try accessToken()
        try checkAuthorities()
        do throws(VerifierFailure) {
            return try VerifierClient(
                of: enterprise,
                at: origin,
                showing: token.text,
                trusting: authorities,
                waitingUpTo: IssuerService.longestWait
            )
        } catch {
            throw CommandFailure(.malformedInput, "the member verifier.authorities cannot be used")
        }
    }

    /// The HTTP client reads them only with the first call.
    func checkAuthorities() throws(CommandFailure) {
        guard let authorities else { return }
        _ = try CertificateFile(authorities, namedBy: "verifier.authorities").certificates()
    }
}

extension DirectoryConnection {
    fileprivate func served(isSandbox: Bool) throws(CommandFailure) -> ServedDirectory {
        let credentials = try credentials()
        return ServedDirectory(
            directory,
            signingKey: credentials.signingKey,
            certificates: credentials.signingCertificates,
            clientKeys: credentials.clientKeys,
            sendingResultsBy: try sender(isSandbox: isSandbox)
        )
    }
}
