/// Messages of one purchase in an app, as the ACS gets them.
enum SampleMessages {
    static let request = """
        {"messageType":"AReq","messageVersion":"2.2.0","deviceChannel":"01","messageCategory":"01",
        "threeDSServerTransID":"8a880dc0-d2d2-4067-bcb1-b08d1690b26e",
        "threeDSServerRefNumber":"3DS_LOA_SER_0001","threeDSServerOperatorID":"1",
        "threeDSServerURL":"https://server.example/3ds","threeDSRequestorID":"1",
        "threeDSRequestorName":"Shop","threeDSRequestorURL":"https://shop.example",
        "threeDSRequestorAuthenticationInd":"01","acctNumber":"4000000000000002",
        "acquirerBIN":"271829","acquirerMerchantID":"0004445001","mcc":"5814",
        "merchantName":"CoffeeHouse2","merchantCountryCode":"276","purchaseAmount":"4711",
        "purchaseCurrency":"978","purchaseExponent":"2","purchaseDate":"20261122180511",
        "dsTransID":"4317fdc3-ad24-5443-8000-000000000891",
        "dsReferenceNumber":"DS_LOA_0001","dsURL":"https://directory.example/3ds",
        "sdkAppID":"b2385523-a66c-4907-ac3c-91848e8c0066","sdkMaxTimeout":"05",
        "sdkEphemPubKey":{"kty":"EC","crv":"P-256",
        "x":"N3BJYhJQLCJqhhKwcxIcsjDJh5EFb8jAelwDBEvAR_M",
        "y":"Nr1bjncKOVoaygSPj4e6aRSM8XJT5kJ3suCUJM58230"},
        "sdkReferenceNumber":"SDK_LOA_0001",
        "sdkTransID":"b2385523-a66c-4907-ac3c-91848e8c0067",
        "deviceInfo":"e30","deviceRenderOptions":{"sdkInterface":"03","sdkUiType":["01","04"]}}
        """

    static let response = """
        {"messageType":"RRes","messageVersion":"2.2.0","resultsStatus":"01",
        "threeDSServerTransID":"8a880dc0-d2d2-4067-bcb1-b08d1690b26e",
        "acsTransID":"d7c1ee99-9478-44a6-b1f2-391e29c6b340",
        "dsTransID":"4317fdc3-ad24-5443-8000-000000000891",
        "sdkTransID":"b2385523-a66c-4907-ac3c-91848e8c0067"}
        """
}
