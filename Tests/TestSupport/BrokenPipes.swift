import Glibc

/// Makes writing to a closed pipe fail, instead of ending the test process by SIGPIPE.
///
/// All tests share this one handler. Child processes do not inherit it, unlike SIG_IGN.
package func ignoreBrokenPipes() { _ = handler }

private let handler: Void = { signal(SIGPIPE) { _ in } }()
