import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    /// python3 has the terminal of an interactive shell, which would run what it reads.
    @Suite struct `A PIN that is typed too early` {
        private static let script = """
            import fcntl, os, pty, select, socket, struct, sys, termios, time

            def ready(descriptor):
                return select.select([descriptor], [], [], 30)[0]

            def wait_for(text):
                global seen
                while text not in seen[matched:]:
                    if not ready(master):
                        sys.exit(f"silent after {seen}")
                    seen += os.read(master, 4096)
                return seen.index(text, matched) + len(text)

            def pending_input():
                size = fcntl.ioctl(slave, termios.FIONREAD, b"    ")
                return struct.unpack("i", size)[0]

            network = socket.create_server(("127.0.0.1", 0))
            os.environ["https_proxy"] = f"http://127.0.0.1:{network.getsockname()[1]}"
            os.environ["no_proxy"] = ""
            os.environ["PS1"] = "ready> "
            shell, master = pty.fork()
            if shell == 0:
                os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
            number = fcntl.ioctl(master, termios.TIOCGPTN, b"    ") if hasattr(
                termios, "TIOCGPTN") else fcntl.ioctl(master, 0x80045430, b"    ")
            slave = os.open(f"/dev/pts/{struct.unpack('i', number)[0]}", os.O_RDWR | os.O_NOCTTY)
            seen, matched = b"", 0
            matched = wait_for(b"ready> ")
            os.write(master, sys.argv[1].encode() + b" login\\n")
            matched = wait_for(b"PIN: ")
            os.write(master, b"271905\\n")
            # The program waits for the network when the person types on.
            assert ready(network), f"not connected after {seen}"
            connection, _ = network.accept()
            os.write(master, b"271906\\n2719")
            deadline = time.monotonic() + 30
            while pending_input() < 7:
                assert time.monotonic() < deadline, f"not typed after {seen}"
            # The command fails now.
            network.close()
            connection.close()
            matched = wait_for(b"ready> ")
            # The shell reads only new input.
            os.write(master, b"echo alive $((40 + 2))\\n")
            wait_for(b"alive 42")
            # It read no other input.
            assert b"2719" not in seen, seen
            assert b"not found" not in seen, seen
            assert termios.tcgetattr(slave)[3] & termios.ECHO, "still silent"
            os.write(master, b"exit\\n")
            os.waitpid(shell, 0)
            print("discarded")
            """

        @Test func `is neither shown nor left to the shell`() throws {
            let person = try Person.activated()
            let program = BuiltProducts.path(of: "countersign")
            let result = try person.run("/usr/bin/python3", ["-uc", Self.script, program])
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            #expect(result.output == "discarded\n")
        }
    }
}
