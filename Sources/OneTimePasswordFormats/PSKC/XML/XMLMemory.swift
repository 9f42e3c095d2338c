import CXML
import Glibc

extension XML_Memory_Handling_Suite {
    /// The ordinary heap, wiped before blocks are freed: expat's buffers contain the input.
    static var wiped: XML_Memory_Handling_Suite {
        XML_Memory_Handling_Suite(
            malloc_fcn: { malloc($0) },
            realloc_fcn: { reallocate($0, $1) },
            free_fcn: { wipeAndFree($0) }
        )
    }
}

/// Unlike `realloc`, wipes the old block when it moves.
private func reallocate(
    _ block: UnsafeMutableRawPointer?,
    _ byteCount: Int
) -> UnsafeMutableRawPointer? {
    guard let larger = malloc(byteCount) else { return nil }
    if let block {
        memcpy(larger, block, min(byteCount, malloc_usable_size(block)))
        wipeAndFree(block)
    }
    return larger
}

private func wipeAndFree(_ block: UnsafeMutableRawPointer?) {
    guard let block else { return }
    explicit_bzero(block, malloc_usable_size(block))
    free(block)
}
