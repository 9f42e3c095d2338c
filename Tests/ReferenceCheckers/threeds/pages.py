"""Reads a page as a browser without JavaScript does."""
import dataclasses
import html.parser
import re
import urllib.parse


@dataclasses.dataclass
class Form:
    action: str
    method: str
    fields: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    buttons: list[str] = dataclasses.field(default_factory=list)

    def value(self, name: str) -> str | None:
        values = [value for key, value in self.fields if key == name]
        return values[0] if len(values) == 1 else None

    @property
    def last_part(self) -> str:
        return urllib.parse.urlsplit(self.action).path.rpartition("/")[2]


class Page(html.parser.HTMLParser):
    """Title, texts, forms, and everything that a strict page must not have."""
    SILENT = {"script", "style", "title"}
    LINKS = {"src", "srcset", "data", "poster", "background", "formaction"}

    def __init__(self, text: str, address: str):
        super().__init__()
        self.address = address
        self.title = ""
        self.language: str | None = None
        self.texts: list[str] = []
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.handlers: list[str] = []
        self.refresh: str | None = None
        self.refresh_needs_no_script = False
        self.nonces: list[str | None] = []
        self._open: list[str] = []
        self._form: Form | None = None
        self._button: list[str] | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        members = {name: value or "" for name, value in attrs}
        self.handlers += [name for name in members if name.startswith("on") or name == "style"]
        self.links += [members[name] for name in self.LINKS & set(members)]
        self.links += [members["href"]] if tag == "link" and "href" in members else []
        if tag in ("script", "style"):
            self.nonces.append(members.get("nonce"))
        if tag == "html":
            self.language = members.get("lang")
        if tag == "meta" and members.get("http-equiv", "").lower() == "refresh":
            self.refresh = members.get("content")
            self.refresh_needs_no_script = "noscript" in self._open
        if tag == "form":
            action = urllib.parse.urljoin(self.address, members.get("action", ""))
            self._form = Form(action, members.get("method", "get").lower())
            self.forms.append(self._form)
        if self._form and tag in ("input", "button"):
            self._control(tag, members)
        if tag not in ("input", "meta", "link", "br", "hr", "img"):
            self._open.append(tag)

    def _control(self, tag: str, members: dict) -> None:
        if "name" in members:
            self._form.fields.append((members["name"], members.get("value", "")))
        if tag == "button":
            self._button = []
        elif members.get("type") == "submit":
            self._form.buttons.append(members.get("value", ""))

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        if tag == "button" and self._form and self._button is not None:
            self._form.buttons.append(" ".join(self._button))
            self._button = None
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data):
        text = " ".join(data.split())
        if not text:
            return
        if "title" in self._open:
            self.title += text
        elif not self.SILENT & set(self._open):
            self.texts.append(text)
            if self._button is not None:
                self._button.append(text)

    def form(self, part: str) -> Form | None:
        """The form whose action ends so."""
        return next((form for form in self.forms if form.last_part == part), None)

    def form_with(self, *names: str) -> Form | None:
        return next((form for form in self.forms if any(form.value(name) for name in names)), None)


def policy(header: str | None) -> dict[str, list[str]]:
    """The directives of a content security policy."""
    parts = (part.split() for part in (header or "").split(";"))
    return {part[0].lower(): part[1:] for part in parts if part}


def problems(page: Page, headers: dict[str, str], is_last: bool) -> list[str]:
    """The breaches of the rules for a page of a challenge."""
    found, directives = [], policy(headers.get("content-security-policy"))
    media_type = headers.get("content-type", "").lower().replace(" ", "")
    if media_type != "text/html;charset=utf-8":
        found.append("the content type is not text/html in UTF-8")
    if directives.get("default-src") != ["'none'"]:
        found.append("the policy's default-src is not 'none'")
    if directives.get("base-uri") != ["'none'"]:
        found.append("the policy's base-uri is not 'none'")
    if "frame-ancestors" not in directives:
        found.append("the policy has no frame-ancestors")
    actions = directives.get("form-action", [])
    if is_last and "https:" not in actions:
        found.append("the last page's form-action is not https:")
    if not is_last and actions != ["'self'"]:
        found.append("form-action is not 'self'")
    if any("unsafe" in source for sources in directives.values() for source in sources):
        found.append("the policy allows unsafe sources")
    allowed = " ".join(directives.get("script-src", []) + directives.get("style-src", []))
    if any(not nonce or f"'nonce-{nonce}'" not in allowed for nonce in page.nonces):
        found.append("a script or style has no nonce of the policy")
    found += [f"the header {name} is wrong" for name, value in {
        "cache-control": "no-store", "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer"}.items() if value not in headers.get(name, "").lower()]
    found += ["the page sets a cookie"] if "set-cookie" in headers else []
    found += ["an element has a handler or a style"] if page.handlers else []
    found += ["the page loads from another place"] if any(
        not link.startswith("data:") for link in page.links) else []
    if page.form("continue") and refresh_seconds(page) is None:
        found.append("the page does not refresh itself without a script")
    if page.refresh and not page.refresh_needs_no_script:
        found.append("the refresh is not inside noscript")
    last = page.form_with("cres", "erro")
    if last and not last.buttons:
        found.append("the last form has no button")
    return [f"page: {problem}" for problem in found]


def refresh_seconds(page: Page) -> int | None:
    number = re.match(r"\s*(\d+)", page.refresh or "")
    return int(number[1]) if number else None
