import Glibc
import TestSupport
import Testing

@Suite struct `An owned descriptor` {
    @Test func `is closed with its last reference`() throws {
        let reader: OwnedDescriptor
        do {
            let pipe = try TestPipe()
            reader = pipe.reading
        }
        var byte: UInt8 = 0
        // The writing end is closed, so the reader sees the end of the stream.
        #expect(read(reader.number, &byte, 1) == 0)
    }

    // Exit tests, because the number of a closed descriptor belongs to other tests.
    @Test func `is not closed again by its last reference`() async {
        await #expect(processExitsWith: .success) {
            var number: Int32 = -1
            do {
                let pipe = try TestPipe()
                number = pipe.reading.number
                pipe.reading.close()
                // The system gives the lowest free number out again.
                #expect(dup2(pipe.writing.number, number) == number)
            }
            #expect(fcntl(number, F_GETFD) >= 0)
        }
    }

    @Test func `cannot be closed twice`() async {
        await #expect(processExitsWith: .failure) {
            let pipe = try TestPipe()
            pipe.reading.close()
            pipe.reading.close()
        }
    }

    @Test func `cannot be used after it was closed`() async {
        await #expect(processExitsWith: .failure) {
            let pipe = try TestPipe()
            pipe.reading.close()
            _ = pipe.read()
        }
    }

    @Test func `does not exist for a failed system call`() {
        #expect(throws: OwnedDescriptor.Failure.self) { try OwnedDescriptor(-1) }
    }
}

@Suite struct `A free port` {
    @Test func `is given out once, below the ephemeral range`() throws {
        let ports = try (0..<50).map { _ in try freePort() }
        #expect(Set(ports).count == ports.count)
        #expect(ports.allSatisfy { $0 < 32_768 })
    }

    @Test func `is not given to another test process`() async throws {
        let port = try freePort()
        let name = "\0countersign-test-port-\(port)"
        let lock = try OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
        #expect(withUnixAddress(Array(name.utf8)) { bind(lock.number, $0, $1) } == -1)
    }
}
