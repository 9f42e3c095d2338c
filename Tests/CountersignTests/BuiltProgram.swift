import Testing

/// Waiting for a process occupies a thread, so these tests run one at a time.
@Suite(.serialized) enum `The built program` {}
