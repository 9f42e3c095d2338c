/// An AReq for a purchase in a browser, as a 3DS server sends it to the directory server.
///
/// It has 4 KB: a merchant with an account system fills in most of the optional elements.
let sampleRequest = Array(text.utf8)

private let text = """
    {"messageType":"AReq","messageVersion":"2.2.0","deviceChannel":"02","messageCategory":"01",\
    "threeDSServerTransID":"8a880dc0-d2d2-4067-bcb1-b08d1690b26e","threeDSCompInd":"Y",\
    "threeDSServerRefNumber":"3DS_LOA_SER_EXPL_020200_00841",\
    "threeDSServerOperatorID":"1000000841-EXAMPLE-PAYMENTS",\
    "threeDSServerURL":"https://3ds.payments.example/v2/results/8a880dc0d2d24067bcb1b08d1690b26e",\
    "threeDSRequestorID":"az0123456789-ELEKTROMARKT","threeDSRequestorName":"Elektromarkt GmbH",\
    "threeDSRequestorURL":"https://www.elektromarkt.example/impressum",\
    "threeDSRequestorAuthenticationInd":"01","threeDSRequestorChallengeInd":"02",\
    "threeDSReqAuthMethodInd":"01","threeDSRequestorDecReqInd":"N",\
    "threeDSRequestorAuthenticationInfo":{"threeDSReqAuthMethod":"06",\
    "threeDSReqAuthTimestamp":"202611271412","threeDSReqAuthData":"\
    eyJhbGciOiJFUzI1NiIsImtpZCI6ImZpZG8tMjAyNi0xMSJ9.eyJpc3MiOiJodHRwczovL3d3dy5lbGVrdHJvbWFya3Q\
    uZXhhbXBsZSIsInN1YiI6IjRmMmM5YzEwN2Q5MTRmNmFhMGQ4IiwiYW1yIjpbImhhcmR3YXJlIiwidXNlciJdLCJhYWd\
    1aWQiOiJmYTJiOTlkYy05ZTM5LTQyNTctOGY5Mi00YTMwZDIzYzQxMTgiLCJhdXRoX3RpbWUiOjE3OTU3ODg3MjB9.VH\
    8qv1lXyZ0hB0oQwP9y7dLk3m2rTgJxN5cEwRz6uYbF4sAqXe1iKjMvP0nDtG8hCoLrS2aWfZyBxUQ7pE5JgA"},\
    "threeDSRequestorPriorAuthenticationInfo":{"threeDSReqPriorAuthMethod":"02",\
    "threeDSReqPriorAuthTimestamp":"202610021807",\
    "threeDSReqPriorRef":"d7c1ee99-9478-44a6-b1f2-391e29c6b340"},\
    "acctNumber":"4242424242424242","cardExpiryDate":"2911","acctType":"02",\
    "acctID":"4f2c9c107d914f6aa0d8c3b51e7a2260",\
    "acctInfo":{"chAccAgeInd":"05","chAccChange":"20260214","chAccChangeInd":"04",\
    "chAccDate":"20190731","chAccPwChange":"20250906","chAccPwChangeInd":"05",\
    "nbPurchaseAccount":"7","provisionAttemptsDay":"0","txnActivityDay":"1",\
    "txnActivityYear":"23","paymentAccAge":"20240118","paymentAccInd":"05",\
    "shipAddressUsage":"20200412","shipAddressUsageInd":"04","shipNameIndicator":"01",\
    "suspiciousAccActivity":"01"},\
    "cardholderName":"Friederike Öztürk-Großmann","email":"friederike.oeztuerk@post.example",\
    "homePhone":{"cc":"49","subscriber":"893456789012"},\
    "mobilePhone":{"cc":"49","subscriber":"15112345678"},\
    "workPhone":{"cc":"49","subscriber":"8945678901"},"addrMatch":"N",\
    "billAddrCity":"München","billAddrCountry":"276","billAddrLine1":"Nymphenburger Straße 118",\
    "billAddrLine2":"Rückgebäude, 3. Stock links","billAddrLine3":"c/o Großmann",\
    "billAddrPostCode":"80636","billAddrState":"BY",\
    "shipAddrCity":"Nürnberg","shipAddrCountry":"276","shipAddrLine1":"Fürther Straße 244a",\
    "shipAddrLine2":"Büro Öztürk und Partner","shipAddrLine3":"Eingang im Hof",\
    "shipAddrPostCode":"90429","shipAddrState":"BY",\
    "purchaseAmount":"124950","purchaseCurrency":"978","purchaseExponent":"2",\
    "purchaseDate":"20261127141533","transType":"01",\
    "acquirerBIN":"412345","acquirerMerchantID":"DE-ELEKTROMARKT-0007","mcc":"5732",\
    "merchantCountryCode":"276","merchantName":"Elektromarkt Online-Shop",\
    "merchantRiskIndicator":{"deliveryEmailAddress":"friederike.oeztuerk@post.example",\
    "deliveryTimeframe":"03","giftCardAmount":"50","giftCardCount":"01","giftCardCurr":"978",\
    "preOrderDate":"20261204","preOrderPurchaseInd":"01","reorderItemsInd":"01",\
    "shipIndicator":"02"},\
    "browserAcceptHeader":"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,\
    image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",\
    "browserUserAgent":"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like \
    Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",\
    "browserIP":"2001:db8:85a3:8d3:1319:8a2e:370:7348","browserJavascriptEnabled":true,\
    "browserJavaEnabled":false,"browserLanguage":"de-DE","browserColorDepth":"24",\
    "browserScreenHeight":"1440","browserScreenWidth":"2560","browserTZ":"-60",\
    "notificationURL":"https://3ds.payments.example/v2/notify/8a880dc0d2d24067bcb1b08d1690b26e",\
    "messageExtension":[{"name":"Merchant Fraud Data","id":"A000000000-0042",\
    "criticalityIndicator":false,"data":{"version":"1.1","score":"117","model":"2026-10",\
    "basket":{"items":"3","categories":"audio,cables","couponUsed":"N"},\
    "session":{"started":"20261127135908","pages":"14","device":"known"}}}]}
    """
