import Glibc
import PrivateFiles
import TestSupport

@testable import AuthenticationHandler

extension StepLimit {
    /// Ends every change of a vault at this step.
    var witness: @Sendable (PrivateFolder.WritePoint) throws(FileFailure) -> Void {
        { [self] _ throws(FileFailure) in
            guard takeStep() else { throw .errorNumber(EINTR) }
        }
    }
}
