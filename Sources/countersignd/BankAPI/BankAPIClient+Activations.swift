import CommandLineTool
import TransactionApproval

extension BankAPIClient {
    enum ImageFormat: String {
        case svg, txt
    }

    func qrCode(
        of id: ActivationID,
        of account: AccountPath,
        as format: ImageFormat
    ) async throws(CommandFailure) -> String {
        let path = account.path(of: id) + "/qr.\(format.rawValue)"
        return try await text(APIRequest(.get, path, of: "open activation"))
    }
}
