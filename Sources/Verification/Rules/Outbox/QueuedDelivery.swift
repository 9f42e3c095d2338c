/// An unfinished delivery with its place in the order of its account.
package struct QueuedDelivery: Sendable {
    package let delivery: Delivery
    /// The record of the delivery that comes first; nil if it waits for none.
    package let waitsFor: UInt64?
}
