"""Reads pages as a browser does, and separates the text of one place from everything else.

usage: page_reader.py PLACE, where PLACE is an element, or the name of an input whose value is read.
Standard input has pages with a zero byte between them. The output is JSON: every different page
without its text, and the text of each page.
"""

import html.parser
import json
import sys

HOLE = "\0"


class Reader(html.parser.HTMLParser):
    def __init__(self, place):
        super().__init__(convert_charrefs=True)
        self.place = place
        self.open = []
        self.parts = []
        self.text = None

    def handle_decl(self, decl):
        self.parts.append(["declaration", decl])

    def handle_starttag(self, tag, attrs):
        if dict(attrs).get("name") == self.place:
            self.text = dict(attrs)["value"]
            attrs = [(name, HOLE if name == "value" else value) for name, value in attrs]
        self.parts.append(["start", tag, attrs])
        if tag not in ("meta", "input"):
            self.open.append(tag)
            if tag == self.place:
                self.text = ""

    def handle_endtag(self, tag):
        self.parts.append(["end", tag])
        if self.open.pop() != tag:
            raise ValueError(tag + " is not open")

    def handle_data(self, data):
        if self.open[-1:] == [self.place]:
            self.text += data
        else:
            self.parts.append(["text", data])

    def handle_comment(self, data):
        self.parts.append(["comment", data])

    def handle_pi(self, data):
        self.parts.append(["instruction", data])

    def unknown_decl(self, data):
        self.parts.append(["unknown", data])


def main():
    shapes, texts = {}, []
    for page in sys.stdin.buffer.read().decode().split("\0"):
        reader = Reader(sys.argv[1])
        reader.feed(page)
        reader.close()
        if reader.open:
            raise ValueError("not closed: %s" % reader.open)
        shapes[json.dumps(reader.parts)] = None
        texts.append(reader.text)
    json.dump({"shapes": [json.loads(shape) for shape in shapes], "texts": texts}, sys.stdout)


main()
