package import Cryptography
package import OneTimePasswordFormats
package import PrivateFiles
package import Sealing

/// Why the load stops.
package enum LoadFailure: Error, Equatable, Sendable {
    case file(FileFailure)
    case system(SystemFailure)
    case verifier(Verifier.Failure)
    case header(HeaderFailure)
    case lineTooLong
    /// The secret that decrypts a PSKC document cannot be read.
    case key(KeyFile.Failure)
    case document(PSKCDocument.ReadingFailure)
    case documentTooLarge
    case noKeys
    /// The earlier load of this name started with different rows.
    case differentFile
    /// Another process loads under the same name now.
    case inUse

    package enum HeaderFailure: Equatable, Sendable {
        case absent
        case quoting
        case unknownColumn(Int)
        case repeatedColumn(String)
        case missingColumn(String)
        /// A secret has one column, either in hexadecimal or in base32.
        case twoSecrets
    }
}
