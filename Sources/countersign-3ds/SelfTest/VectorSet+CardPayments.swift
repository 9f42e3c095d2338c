import SelfTest

extension VectorSet {
    static let cardPayments = VectorSet(
        types: [.aesCBCHMAC, .ecdhES, .jwe, .jws, .emvChannel],
        files: [
            ("rfc7515-jws.json", PackageResources.rfc7515_jws_json),
            ("rfc7518-aes-cbc-hmac.json", PackageResources.rfc7518_aes_cbc_hmac_json),
            ("rfc7518-ecdh-es.json", PackageResources.rfc7518_ecdh_es_json),
            ("rfc7520-jwe.json", PackageResources.rfc7520_jwe_json),
            ("own-aes-cbc-hmac.json", PackageResources.own_aes_cbc_hmac_json),
            ("own-ecdh-es.json", PackageResources.own_ecdh_es_json),
            ("own-emv-channel.json", PackageResources.own_emv_channel_json),
            ("own-jwe.json", PackageResources.own_jwe_json),
            ("own-jws.json", PackageResources.own_jws_json),
        ]
    )
}
