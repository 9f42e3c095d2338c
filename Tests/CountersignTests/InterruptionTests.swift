import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    /// python3 has the terminal, runs the program like a job of a shell, and checks the result.
    @Suite struct `A silenced terminal` {
        private static let shell = """
            import faulthandler, fcntl, os, pty, select, signal, sys, termios

            question = os.environb.get(b"QUESTION", b"PIN: ")
            response = os.environb.get(b"RESPONSE", b"271905\\n")
            master, slave = pty.openpty()

            def echoes():
                return bool(termios.tcgetattr(slave)[3] & termios.ECHO)

            def wait_for(text):
                seen = b""
                while text not in seen:
                    if not select.select([master], [], [], 20)[0]:
                        sys.exit(f"silent after {seen}")
                    seen += os.read(master, 4096)

            def have_terminal(group):
                os.tcsetpgrp(slave, group)

            def begin(in_foreground):
                job = os.fork()
                if job == 0:
                    os.setpgid(0, 0)
                    if in_foreground:
                        have_terminal(os.getpid())
                    # Whoever started the tests may ignore signals, as nohup does.
                    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
                        signal.signal(number, signal.SIG_DFL)
                    if sys.argv[1] == "ignored":
                        signal.signal(signal.SIGHUP, signal.SIG_IGN)
                    for stream in range(3):
                        os.dup2(slave, stream)
                    os.execv(sys.argv[2], sys.argv[2:])
                return job

            def start():
                job = begin(True)
                wait_for(question)
                assert not echoes(), "what is typed is shown"
                return job

            def wait(job):
                _, status = os.waitpid(job, os.WUNTRACED)
                return status

            def end():
                for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]:
                    job = start()
                    os.kill(job, number)
                    status = wait(job)
                    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, status
                    assert echoes(), f"silent after {number}"
                    print(signal.Signals(number).name)

            def stop(how):
                job = start()
                os.write(master, b"99")
                how(job)
                status = wait(job)
                assert os.WIFSTOPPED(status) and os.WSTOPSIG(status) == signal.SIGTSTP, status
                assert echoes(), "silent while it is stopped"
                have_terminal(os.getpgrp())
                os.killpg(job, signal.SIGCONT)
                bring_back(job)
                print("stopped")

            def bring_back(job):
                # In the background: it wants to read, and leaves the terminal as it is.
                status = wait(job)
                assert os.WIFSTOPPED(status) and os.WSTOPSIG(status) == signal.SIGTTIN, status
                assert echoes(), "silenced from the background"
                have_terminal(job)
                while select.select([master], [], [], 0)[0]:
                    os.read(master, 4096)  # earlier drawings of the question
                os.killpg(job, signal.SIGCONT)
                wait_for(question)
                assert not echoes(), "what is typed is shown after fg"
                for _ in range(int(os.environ.get("REDRAWINGS", "0"))):
                    wait_for(question)
                os.write(master, response)
                status = wait(job)
                assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0, status
                assert echoes(), "silent at the end"

            def begin_in_background():
                have_terminal(os.getpgrp())
                bring_back(begin(False))
                print("begun")

            def confirm_in_background():
                have_terminal(os.getpgrp())
                job = begin(False)
                status = wait(job)
                assert os.WIFSTOPPED(status) and os.WSTOPSIG(status) == signal.SIGTTIN, status
                have_terminal(job)
                os.killpg(job, signal.SIGCONT)
                os.write(master, response)
                status = wait(job)
                assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0, status
                print("confirmed")

            def ignore():
                job = start()
                os.kill(job, signal.SIGHUP)
                os.write(master, b"271905\\n")
                status = wait(job)
                assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0, status
                assert question not in os.read(master, 4096), "asked again"
                print("ignored")

            leader = os.fork()
            if leader:
                sys.exit(os.waitstatus_to_exitcode(wait(leader)))
            os.setsid()
            # A program that waits forever fails the test, which then prints the line that waited.
            faulthandler.dump_traceback_later(180, exit=True)
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            {
                "ended": end,
                "stopped by a key": lambda: stop(lambda job: os.write(master, b"\\x1a")),
                "stopped by a signal": lambda: stop(lambda job: os.kill(job, signal.SIGTSTP)),
                "begun in the background": begin_in_background,
                "asked in the background": confirm_in_background,
                "ignored": ignore,
            }[sys.argv[1]]()
            """

        /// Keys that were typed before the stop are not part of the response, and the question is
        /// drawn again each second without a key.
        @Test(arguments: [
            ("stopped by a key", "stopped\n"), ("stopped by a signal", "stopped\n"),
            ("begun in the background", "begun\n"),
        ])
        func `is restored while watch shows a question`(
            _ way: String,
            expectedOutput: String
        ) throws {
            let person = try Person.activated()
            _ = try person.newPayment()
            let result = try person.run(
                "/usr/bin/python3",
                ["-uc", Self.shell, way, BuiltProducts.path(of: "countersign"), "watch"],
                environment: ["QUESTION": "s left): ", "RESPONSE": "q\n", "REDRAWINGS": "2"]
            )
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            #expect(result.output.replacing("\r", with: "") == expectedOutput)
        }

        @Test func `is not needed for a question that waits in the background`() throws {
            let person = try Person.activated()
            let program = BuiltProducts.path(of: "countersign")
            let account = "bank/main/\(person.account)"
            let result = try person.run(
                "/usr/bin/python3",
                ["-uc", Self.shell, "asked in the background", program, "remove", account],
                environment: ["RESPONSE": "yes\n"]
            )
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            #expect(result.output.replacing("\r", with: "") == "confirmed\n")
        }

        @Test(arguments: [
            ("ended", "SIGINT\nSIGTERM\nSIGHUP\nSIGQUIT\n"), ("stopped by a key", "stopped\n"),
            ("stopped by a signal", "stopped\n"), ("ignored", "ignored\n"),
            ("begun in the background", "begun\n"),
        ])
        func `SEC-27: echoes no PIN, and is restored whenever the program ends or stops`(
            _ way: String,
            expectedOutput: String
        ) throws {
            let person = try Person.activated()
            let program = BuiltProducts.path(of: "countersign")
            let result = try person.run(
                "/usr/bin/python3",
                ["-uc", Self.shell, way, program, "login"]
            )
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            #expect(result.output.replacing("\r", with: "") == expectedOutput)
        }
    }
}
