import CReference

extension ApprovalServer {
    /// The sum of the times of an approval's necessary parts, in microseconds.
    ///
    /// Each part runs alone on the whole machine, as often in parallel as in an approval.
    func timeOfParts() async throws -> Double {
        let (decisions, requests) = try await newRound()
        let decided = try await store.decide(decisions, callers: Load.connectionCount).cost.cost
        // This includes the client's own work, as in an approval.
        let carried = try await Load(of: requests, to: [fixedResponsePort]).timePerExchange
        // The signature of the request, and that of the decision, which is stored as evidence.
        let verified = 2 * (try await timeOnAllCores(count: 500, reference_ecdsa_verify))
        let signed = try await timeOnAllCores(count: 500, reference_ecdsa_sign)
        return decided + carried + verified + signed
    }
}
