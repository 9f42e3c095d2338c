import BankIntegration
import CommandLineTool
import Cryptography
import Sealing
import Storage
import Testing
import Verification
import VerifierServer

@testable import countersignd

@Suite struct `Failures of this machine` {
    @Test(arguments: [
        VerifierServer.Failure.Cause.keyFile(.system(.secureMemoryFull), path: "key"),
        .webhookSecret(.system(.secureMemoryFull), path: "secret"),
        .serviceAccount(.system(.secureMemoryFull), path: "account"),
        .store(.system(.secureMemoryFull)),
        .journal(.system(.secureMemoryFull)), .journal(.store(.system(.secureMemoryFull))),
        .verifier(.system(.secureMemoryFull)), .verifier(.store(.system(.secureMemoryFull))),
        .verifier(.journal(.system(.secureMemoryFull))), .system(.secureMemoryFull),
    ])
    func `are not failures of a file or of the store`(_ cause: VerifierServer.Failure.Cause) {
        let failure = VerifierServer.Failure(cause)
        #expect(failure.code == .system)
        let explained = CommandFailure(failure.cause, of: .unused)
        #expect(explained == CommandFailure(.secureMemoryFull))
        #expect(explained.exitCode == .internalFailure)
    }

    @Test func `of an HSM do not advise more memory`() {
        let lost = CommandFailure(
            SystemFailure(.keyUnavailable(reason: "C_Sign of pkcs11.library failed with 0x5"))
        )
        #expect(lost.message == "C_Sign of pkcs11.library failed with 0x5")
        #expect(lost.hint == "check the HSM, and read the documents of its vendor")
        #expect(lost.exitCode == .tryLater)
        #expect(CommandFailure(SystemFailure(.keyBusy)).exitCode == .tryLater)
    }

    @Test func `leave the failures of a file as they are`() {
        let failure = VerifierServer.Failure(.serviceAccount(.notJSON, path: "account"))
        #expect(failure.code == .unusableFile)
        #expect(CommandFailure(failure.cause, of: .unused).exitCode == .malformedInput)
    }
}

extension Configuration {
    fileprivate static let unused = Configuration(
        path: "",
        origin: nil,
        verifier: VerifierServer.Configuration(
            origin: "",
            store: .sqlite(path: ""),
            journal: "",
            keys: .init(encryption: .file(""), agreement: "", response: "", checkpoint: ""),
            api: .init(addresses: [])
        )
    )
}
