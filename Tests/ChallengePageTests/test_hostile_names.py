"""SEC-89: names of a shop that try to become a part of the page."""

import html
import random
import re
import unittest

from shopper import Shopper
from written import pages

COUNT = 10_000
HANDLE = "A" * 22
PIECES = [
    "<script>window.taken=1</script>", "</bdi></dd></dl></main>", "<img src=/x onerror=taken=1>",
    "\"><svg onload=taken=1>", "<!--", "-->", "<![CDATA[", "<?x", "&lt;", "&#60;", "&#x3c;", "&amp",
    "'onclick='a()", "javascript:a()", "</script>", "</style>", "<a href=//x>", "${a}", "</title>",
    "<meta http-equiv=refresh content=0>", "<base href=//x>", "<form action=//x>", "<plaintext>",
    "<iframe src=/x>", "<style>@import '/x'</style>", "<link rel=stylesheet href=/x>", "<textarea>",
    "\u202etxet", "\u2066a\u2069", "\u200b", "\ufeff", "\u2028", "\r\n", "\t", "שלום", "مرحبا", "Кофе", "咖啡",
    "＜ｂ＞", "👩‍💻", "e\u0301\u0301\u0301\u0301", "<", ">", "\"", "'", "&", ";", "`", "=", "/", " ",
]
# Every part of a page, except the text of the name.
READ = """
const shape = (node) => node.nodeType !== Node.ELEMENT_NODE
    ? [node.nodeType, node.parentNode?.localName === 'bdi' ? '' : node.data]
    : [node.localName, [...node.attributes].map(({ name, value }) => [name, value]),
        [...node.childNodes].map(shape)];
const read = (page) => ({
    shape: JSON.stringify(shape(page.documentElement)), name: page.querySelector('bdi').textContent,
});
"""
READ_ALL = READ + """
const done = arguments[arguments.length - 1];
const look = async () => {
    const shapes = new Set(), names = [];
    for (const text of (await (await fetch('/pages')).text()).split('\\0')) {
        const { shape, name } = read(new DOMParser().parseFromString(text, 'text/html'));
        shapes.add(shape);
        names.push(name);
    }
    return { shapes: [...shapes], names };
};
look().then(done, (error) => done(String(error)));
"""


def names(count):
    """The same ones in every run."""
    generator = random.Random(89)
    # The full stop makes each name one that the display rules accept, once it is spelled out.
    return ["".join(generator.choices(PIECES, k=generator.randint(1, 5))) + "." for _ in range(count)]


def name_in(body):
    [name] = re.findall("<bdi>(.*?)</bdi>", body)
    return html.unescape(name)


class HostileNames(Shopper):
    def test_have_no_effect_on_a_page_that_is_shown(self):
        shapes = set()
        for piece in ["Shop", *PIECES]:
            challenge = self.world.challenge(
                shop=piece + ".", handle=HANDLE, token="token", nonce=HANDLE, seconds=0)
            self.driver.get(self.world.address(challenge))
            result = self.driver.execute_script(READ + "return [read(document), window.taken]")
            shapes.add(result[0]["shape"])
            self.assertTrue(result[0]["name"].endswith("."))
            self.assertIsNone(result[1], piece)
        self.assertEqual(len(shapes), 1)

    def test_leave_every_other_part_of_the_page_as_it_is(self):
        view = {
            "kind": "waiting", "handle": HANDLE, "token": "token", "seconds": 300, "nonce": HANDLE}
        bodies = [
            one["body"] for one in pages({**view, "shop": name} for name in names(COUNT))]
        self.world.content = "\0".join(bodies).encode()
        self.driver.get(self.world.other.origin + "/thanks")
        read = self.driver.execute_async_script(READ_ALL)
        self.assertEqual(len(read["shapes"]), 1)
        self.assertEqual(read["names"], [name_in(body) for body in bodies])
        self.assertEqual(len(bodies), COUNT)


if __name__ == "__main__":
    unittest.main()
