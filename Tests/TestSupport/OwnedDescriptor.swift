import Glibc
import PrivateFiles

/// A file descriptor that is closed exactly once: by `close`, or with the last reference.
///
/// A second `close` of the same number would close a descriptor of another test.
package final class OwnedDescriptor: Sendable {
    private let open: LockedValue<Int32?>

    /// A system call failed.
    package struct Failure: Error {
        package let code = errno

        package init() {}
    }

    /// Takes ownership of the result of a system call such as `open` or `socket`.
    package init(_ number: Int32) throws(Failure) {
        guard number >= 0 else { throw Failure() }
        open = LockedValue(number)
    }

    /// The number, which must not be kept longer than this value.
    package var number: Int32 {
        guard let number = open.withLock({ $0 }) else {
            preconditionFailure("the descriptor is closed")
        }
        return number
    }

    package func close() {
        guard let number = release() else { preconditionFailure("the descriptor is closed") }
        Glibc.close(number)
    }

    /// Gives the ownership up: the caller or its callee closes the number.
    package func handOver() -> Int32 {
        guard let number = release() else { preconditionFailure("the descriptor is closed") }
        return number
    }

    deinit {
        if let number = release() { Glibc.close(number) }
    }

    private func release() -> Int32? {
        open.withLock { open in
            defer { open = nil }
            return open
        }
    }
}
