import Cryptography
import Testing
import TransactionApproval

@testable import VerifierServer

@Suite struct `A Web Push message` {
    /// RFC 8291, appendix A.
    @Test func `equals the one of the standard`() throws {
        let point = try bytes(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        )
        let subscription = WebPushSubscription(
            endpoint: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
            key: try P256.PublicKey(uncompressedPoint: point.span),
            secret: try bytes("BTBZMqHH6r4Tts7J_aSIgg")
        )
        let scalar = try bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        let message = try WebPushMessage(
            Array("When I grow up, I want to be a watermelon".utf8),
            for: try #require(subscription),
            key: P256.PrivateKey(scalar: SecureBytes(copying: scalar.span)),
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw")
        )
        #expect(
            TextEncoding.base64URL.encode(message.body.span)
                == """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
                mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT\
                pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """
        )
    }

    private func bytes(_ text: String) throws -> [UInt8] {
        try TextEncoding.base64URL.decode(text)
    }
}
