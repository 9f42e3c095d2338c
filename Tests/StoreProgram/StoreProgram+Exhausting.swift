import Glibc
import Storage
import TransactionApproval
import Verification
import VerifierWorld

extension StoreProgram {
    /// Decides while the store's disk is full, prints the result, and decides again when space is
    /// free.
    static func exhaust(_ premises: Premises) async throws {
        let bank = try await premises.open()
        let phone = try premises.phones()[0]
        let payment = try await bank.pay()
        let attempt = try await phone.attempt(over: .approval(of: payment), in: bank)
        let ballast = premises.store.text + ".ballast"
        fillDisk(with: ballast)
        let before = try await bank.contents()
        do {
            writeLine(try await phone.send(on: payment, attempt, to: bank.verifier).label)
        } catch {
            writeLine("\(error)")
        }
        writeLine(try await bank.contents() == before ? "as before" : "changed")
        unlink(ballast)
        writeLine(try await phone.send(on: payment, attempt, to: bank.verifier).label)
        await bank.database.close()
    }

    private static func fillDisk(with path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR)
        defer { close(file) }
        for size in [4096, 1] {
            let bytes = [UInt8](repeating: 0, count: size)
            while write(file, bytes, size) > 0 {}
        }
    }
}
