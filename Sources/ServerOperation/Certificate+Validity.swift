package import Cryptography
package import TransactionApproval

extension Certificate {
    package var begin: Timestamp { .earliest + .seconds(begins) }

    package var end: Timestamp { .earliest + .seconds(ends) }

    package var isFuture: Bool { begin > .ofWallClock }

    package var isExpired: Bool { end <= .ofWallClock }

    package var isValid: Bool { !isFuture && !isExpired }
}
