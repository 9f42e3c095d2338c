// Each function takes the address and the number of its bytes. Its result is JSON, for the caller
// to release: the length in 4 bytes, then the text.

/// Memory for the bytes of a call, until `release`.
@_expose(wasm, "allocate")
@_cdecl("allocate")
func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: byteCount, alignment: 4)
}

@_expose(wasm, "release")
@_cdecl("release")
func release(_ memory: UnsafeMutableRawPointer) { memory.deallocate() }

/// The content of a transaction, from its canonical bytes, or why they are refused.
@_expose(wasm, "read")
@_cdecl("read")
func read(_ start: UnsafePointer<UInt8>, _ count: Int) -> UnsafeMutableRawPointer {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(Transaction.Failure) {
        return JSONText(try Transaction(canonicalBytes: bytes)).memory
    } catch {
        return JSONText(error).memory
    }
}

/// The number of characters of a displayed text, or why it is refused.
@_expose(wasm, "check")
@_cdecl("check")
func check(_ start: UnsafePointer<UInt8>, _ count: Int) -> UnsafeMutableRawPointer {
    do throws(DisplayText.Refusal) {
        return JSONText(try DisplayText(text(start, count))).memory
    } catch {
        return JSONText(error).memory
    }
}

/// The page sends valid UTF-8.
private func text(_ start: UnsafePointer<UInt8>, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
}
