/// Why a configuration is rejected: a message that names the member.
package struct ConfigurationFailure: Error {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}
