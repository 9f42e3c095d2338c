package import Cryptography

/// The link of an activation for a web browser, which the camera of a phone opens.
///
/// Id and code are in the fragment, which a browser does not send to a server.
package struct WebActivationLink: ~Copyable, Sendable {
    private let server: ServerOrigin
    private let activation: ActivationID
    private let code: ActivationCode?

    package init(
        server: ServerOrigin,
        activation: ActivationID,
        code: consuming ActivationCode? = nil
    ) {
        self.server = server
        self.activation = activation
        self.code = code
    }

    /// In secure memory, because it may contain the code.
    package borrowing func text() throws(CryptographyFailure) -> SecureBytes {
        let beginning = "\(server)/approve/#activation=\(activation)"
        guard let codeText = try code?.text() else {
            return try SecureBytes(copying: Array(beginning.utf8).span)
        }
        let beginningWithCode = Array("\(beginning)&code=".utf8)
        return try codeText.withBytes { code throws(CryptographyFailure) in
            try SecureBytes(joining: beginningWithCode.span, code)
        }
    }
}
