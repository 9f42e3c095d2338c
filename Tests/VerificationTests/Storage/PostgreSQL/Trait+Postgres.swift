import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Reports that a test was not run if the server is not installed.
    static var needsPostgres: Self {
        .enabled(
            if: PostgresServer.isInstalled,
            "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
        )
    }
}
