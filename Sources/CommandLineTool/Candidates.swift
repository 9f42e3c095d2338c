/// What could stand where the cursor is.
package enum Candidates: Equatable, Sendable {
    case files
    case words([Candidate])

    package static let none = Candidates.words([])
}

package struct Candidate: Equatable, Sendable {
    let word: String
    var summary = ""
}
