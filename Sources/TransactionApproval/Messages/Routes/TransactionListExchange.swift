/// The pending transactions of the account, oldest first.
package enum TransactionListExchange: DeviceExchange {
    package static let route = DeviceRoute.transactionList

    package typealias Request = NoContent

    package struct Response: DeviceMessage {
        package let transactions: [TransactionID]

        package init(transactions: [TransactionID]) {
            self.transactions = transactions
        }
    }
}
