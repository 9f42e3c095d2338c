import AuthenticationHandler

extension [PendingTransaction] {
    /// One line per request, with the end of its id.
    var briefLines: [String] { map { "\(end(of: $0))  \($0.summary)" } }

    /// The shortest end of the request's id that names no other request.
    func end(of request: PendingTransaction) -> String {
        let others = map(\.id).filter { $0 != request.id }
        let lengths = Session.minimumIDLength..<request.id.count
        let length = lengths.first { length in
            !others.contains { $0.hasSuffix(request.id.suffix(length)) }
        }
        return String(request.id.suffix(length ?? request.id.count))
    }
}
