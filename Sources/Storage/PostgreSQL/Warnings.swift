import CPostgres

/// Whether the server has sent warnings on a connection, which libpq would print.
///
/// `@unchecked`: it belongs to the thread of the connection.
final class Warnings: @unchecked Sendable {
    private(set) var isEmpty = true

    // PG_DIAG_SEVERITY_NONLOCALIZED, which Swift does not import because it is a character.
    private static let severityField = CInt(UInt8(ascii: "V"))

    func forget() { isEmpty = true }

    /// The connection must not outlive this object.
    func collect(of connection: OpaquePointer) {
        PQsetNoticeReceiver(
            connection,
            { warnings, notice in
                guard
                    let warnings,
                    let severity = PQresultErrorField(notice, Warnings.severityField),
                    String(cString: severity) == "WARNING"
                else { return }
                Unmanaged<Warnings>.fromOpaque(warnings).takeUnretainedValue().isEmpty = false
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
