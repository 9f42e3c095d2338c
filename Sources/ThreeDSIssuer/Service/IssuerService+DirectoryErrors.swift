import Storage
import ThreeDSProtocol

extension IssuerService {
    /// Notes an error message of a directory server; nil for any other message.
    ///
    /// The response shows nothing about authentications of other directories.
    func response(
        toErrorIn body: [UInt8],
        from directory: ServedDirectory
    ) async throws(StoreFailure) -> DirectoryResponse? {
        guard let error = ReceivedError(reading: body) else { return nil }
        var (id, endsChallenge) = ("unknown", false)
        if let found = try await authentication(named: error.ids),
            found.directory == directory.id, error.concerns(found.facts.ids)
        {
            id = found.id
            // A 3DS server reports its errors to the directory, which ends the authentication.
            if error.component == .directory {
                let note = try await step(at: .id(id)) { step throws(StoreFailure) in
                    step.note(error)
                }
                endsChallenge = note ?? false
            }
        }
        observer.report(
            .errorReceived(authentication: id, code: error.code, endsChallenge: endsChallenge)
        )
        return DirectoryResponse(body: [], outcome: "errorReceived")
    }

    private func authentication(
        named ids: TransactionIDs
    ) async throws(StoreFailure) -> Authentication? {
        try await store.database.read { [store] connection throws(StoreFailure) in
            let table = store.authentications(connection)
            if let id = ids.acs.flatMap({ ChallengeID($0) }) {
                return try table.authentication(id.text)
            }
            guard let id = ids.directory else { return nil }
            return try table.authentication(ofDirectory: id)
        }
    }
}

extension ChallengeStep {
    /// Returns whether the challenge ends because of the error message.
    fileprivate mutating func note(_ error: ReceivedError) -> Bool {
        let wasEnded = challenge.progress.state == .ended
        let actions = apply(.refusedByDirectory)
        guard !wasEnded, challenge.progress.state == .ended, challenge.result == nil else {
            return false
        }
        if actions.contains(.withdrawTransaction) { change { $0.isLeftToWithdraw = true } }
        add(.errorReceived, [error.code])
        return true
    }
}
