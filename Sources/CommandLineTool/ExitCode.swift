/// What a program tells the shell at its end; from 64 on the numbers are those of `sysexits.h`.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    /// The answer is no: a code was rejected, a self-test failed.
    case refused = 1
    /// There is nothing to answer, so a script can tell "none" from "no".
    case nothingPending = 2
    /// The command line is not one the program takes.
    case usage = 64
    /// What was read is malformed or does not belong together.
    case malformedInput = 65
    /// A file to read is not there.
    case noInput = 66
    /// The verifier cannot be reached.
    case serverUnavailable = 69
    /// Something that cannot happen did, or a library refused.
    case internalFailure = 70
    /// A file to make cannot be made, or is there already.
    case cannotCreate = 73
    /// Reading or writing failed midway, on a full disk for one.
    case inputOutput = 74
    /// The same command may succeed later.
    case tryLater = 75
    /// What answered is not provably the verifier: what became of the request is not known.
    case untrustedResponse = 76
    /// The credential is locked, or the file belongs to somebody else.
    case noPermission = 77
    /// At a question, or before it had stopped, as a shell tells of a program that SIGINT ended.
    case interrupted = 130
}
