import CommandLineTool
import Cryptography
import HTTPClient
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
        let token = try accessToken(of: enterprise)
        try checkCertificates()
        do throws(VerifierFailure) {
            return try VerifierClient(
                of: enterprise,
                at: origin,
                showing: token.text,
                trusting: authorities,
                as: client.map {
                    HTTPClient.ClientCertificate(certificates: $0.certificate, privateKey: $0.key)
                },
                waitingUpTo: IssuerService.longestWait
            )
        } catch {
            throw CommandFailure(.malformedInput, "the files of the verifier cannot be used")
        }
    }

    /// The HTTP client reads the files only with the first call.
    func checkCertificates() throws(CommandFailure) {
        if let authorities {
            _ = try CertificateFile(authorities, namedBy: "verifier.authorities").certificates()
        }
        try client?.checkClient(
            of: "the client certificate",
            suggesting: "check verifier.certificate and verifier.key"
        )
    }
}

extension DirectoryConnection {
    fileprivate func served(isSandbox: Bool) throws(CommandFailure) -> ServedDirectory {
        let credentials = try credentials()
        let sender = try ResultSender(self, isSandbox: isSandbox)
        return ServedDirectory(
            directory,
            signer: credentials.signer,
            clientKeys: credentials.clientKeys,
            respondingWithin: responseTime,
            sendingResultsTo: { sender.sender(to: $0) },
            sendingResultsBy: sender.sender
        )
    }
}
