import Cryptography
import ServerOperation
import Transactions

extension Certificate {
    var begin: Timestamp { .earliest + .seconds(begins) }

    var end: Timestamp { .earliest + .seconds(ends) }

    var isFuture: Bool { begin > .ofWallClock }

    var isExpired: Bool { end <= .ofWallClock }

    var isValid: Bool { !isFuture && !isExpired }
}
