/// The exit code of a program; from 64 on, the numbers of `sysexits.h`.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    /// A negative result: a rejected code, a failed self-test.
    case refused = 1
    /// Nothing is pending; a script can distinguish this from a negative result.
    case nothingPending = 2
    /// The command line is wrong.
    case usage = 64
    /// Input is malformed or inconsistent.
    case malformedInput = 65
    /// An input file is missing, or the input ended.
    case noInput = 66
    /// Cannot connect to the verifier.
    case serverUnavailable = 69
    /// A library failed, or the program has a bug.
    case internalFailure = 70
    /// A file cannot be created, or exists already.
    case cannotCreate = 73
    /// Reading or writing failed, for example because the disk is full.
    case inputOutput = 74
    /// The same command may succeed later.
    case tryLater = 75
    /// The result of a request is unknown: there is no response, or none that is provably the
    /// verifier's.
    case unknownResult = 76
    /// The credential is locked, the device may not approve, or the file belongs to another user.
    case noPermission = 77
    /// Interrupted at a prompt: the number that a shell gives a program ended by SIGINT.
    case interrupted = 130
}
