import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Says that a test was not run where it cannot be.
    static var needsPostgres: Self {
        .enabled(
            if: PostgresServer.isInstalled,
            "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
        )
    }
}
