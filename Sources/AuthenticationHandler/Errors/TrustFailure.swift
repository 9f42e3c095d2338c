import TransactionApproval

/// The part of a server that is not trusted.
public enum TrustFailure: Equatable, Sendable {
    /// The certificate is not trusted, or the key is not pinned: nothing was sent.
    case connection
    /// The response is not signed by the verifier, or is malformed: the result is unknown.
    case response
    /// The activation names a server that the app does not trust: nothing was sent.
    case activation
}

extension TrustFailure {
    func supportSentence(in language: Language) -> String {
        switch (self, language) {
        case (.response, _): ErrorCode.serverUntrusted.supportSentence(in: language)
        case (.connection, .english):
            """
            The bank's server is not trusted, so nothing was sent; try another network, and call the \
            bank if that fails.
            """
        case (.connection, .german):
            """
            Der Server der Bank ist nicht vertrauenswürdig, daher wurde nichts gesendet; versuchen \
            Sie ein anderes Netz, und rufen Sie sonst die Bank an.
            """
        case (.activation, .english):
            """
            The activation names a server that is not trusted, so nothing was sent; update this app, \
            and call the bank if that fails.
            """
        case (.activation, .german):
            """
            Die Aktivierung nennt einen fremden Server, daher wurde nichts gesendet; aktualisieren \
            Sie diese App, und rufen Sie sonst die Bank an.
            """
        }
    }
}
