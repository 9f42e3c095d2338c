"""SEC-89: hostile names of shops in AReqs, on the page of the running ACS."""

import unittest

from buyer import Buyer

# The values of these attributes differ between two pages.
SHAPE = """
const own = ['action', 'value', 'nonce', 'datetime'];
const shape = (node) => node.nodeType !== Node.ELEMENT_NODE
    ? [node.nodeType, ['bdi', 'time'].includes(node.parentNode.localName) ? '' : node.data]
    : [node.localName,
        [...node.attributes].map(({ name, value }) => [name, own.includes(name) ? '' : value]),
        [...node.childNodes].map(shape)];
return [JSON.stringify(shape(document.documentElement)), window.taken ?? null];
"""
# Each is also the text that the page shows.
NAMES = [
    "Shop", "<script>taken=1</script>", "<img src=/x onerror=taken=1>", "\"><svg onload=taken=1>",
    "</bdi></dd></dl></main><h1>Paid</h1>", "-->]]><!--<?x", "&lt;b&gt; &#60;b&#62; &amp",
    "'onclick='taken=1' x='<base href=//x>", "<form action=//x><plaintext>",
    "<iframe src=/x></iframe>", "<style>@import '/x'</style>",
]
# Each with the name that the person sees, in which nothing is hidden.
SPELLED_OUT = {
    "Shop\u202etxet": "Shop\\u{202E}txet",
    "Shop\u200b\u2066a\u2069": "Shop\\u{200B}\\u{2066}a\\u{2069}",
}


class ShopNames(Buyer):
    def shape(self, name):
        """Everything on the page but the name; then the payment is cancelled."""
        self.pay(frame=None, merchant={"name": name})
        shape, taken = self.driver.execute_script(SHAPE)
        self.assertIsNone(taken)
        shown = self.text("bdi")
        self.press("Cancel the payment")
        self.see_end("N")
        return shape, shown

    def test_have_no_effect(self):
        shapes = set()
        for name, expected in [*zip(NAMES, NAMES), *SPELLED_OUT.items()]:
            with self.subTest(name):
                shape, shown = self.shape(name)
                self.assertEqual(shown, expected)
                shapes.add(shape)
        self.assertEqual(len(shapes), 1)


if __name__ == "__main__":
    unittest.main()
