@_exported public import TransactionApproval

// What an app is given has names that the app can use, and nothing else of that module comes along.
@_exported public import struct OneTimePassword.OneTimeCode
@_exported public import struct OneTimePassword.SecretBytes
