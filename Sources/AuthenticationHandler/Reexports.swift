@_exported public import TransactionApproval

// An app needs the names of these two types, but not the rest of the module.
@_exported public import struct OneTimePassword.OneTimeCode
@_exported public import struct OneTimePassword.SecretBytes
