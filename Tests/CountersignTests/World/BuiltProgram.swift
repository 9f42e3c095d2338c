import Testing

/// What waits for processes holds a thread that others need too: so one at a time does.
@Suite(.serialized) enum `The built program` {}
