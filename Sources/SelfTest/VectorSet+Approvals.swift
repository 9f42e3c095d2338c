extension VectorSet {
    /// The vectors of approvals and one-time passwords.
    package static let approvals = VectorSet(
        types: [
            .hotp, .totp, .ocra, .ocraSuite, .otpauth, .pskc, .hmac, .hkdf, .argon2id, .base32,
            .contentDigest, .messageSignature, .transaction,
        ],
        files: [
            ("rfc2202-hmac.json", PackageResources.rfc2202_hmac_json),
            ("rfc4231-hmac.json", PackageResources.rfc4231_hmac_json),
            ("rfc5869-hkdf.json", PackageResources.rfc5869_hkdf_json),
            ("rfc9106-argon2id.json", PackageResources.rfc9106_argon2id_json),
            ("rfc4648-base32.json", PackageResources.rfc4648_base32_json),
            ("rfc4226-hotp.json", PackageResources.rfc4226_hotp_json),
            ("rfc6238-totp.json", PackageResources.rfc6238_totp_json),
            ("rfc6287-ocra.json", PackageResources.rfc6287_ocra_json),
            ("rfc6030-pskc.json", PackageResources.rfc6030_pskc_json),
            ("rfc9421-message-signatures.json", PackageResources.rfc9421_message_signatures_json),
            ("rfc9530-content-digest.json", PackageResources.rfc9530_content_digest_json),
            ("own-argon2id.json", PackageResources.own_argon2id_json),
            ("own-base32.json", PackageResources.own_base32_json),
            ("own-hotp.json", PackageResources.own_hotp_json),
            ("own-totp.json", PackageResources.own_totp_json),
            ("own-transaction.json", PackageResources.own_transaction_json),
            ("own-ocra-suites.json", PackageResources.own_ocra_suites_json),
            ("own-ocra.json", PackageResources.own_ocra_json),
            ("own-otpauth.json", PackageResources.own_otpauth_json),
        ]
    )
}
