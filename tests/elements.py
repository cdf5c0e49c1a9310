"""Pages of HTML, read by a parser."""

from html.parser import HTMLParser

#: Elements that have no end.
VOID = {"br", "img", "meta", "wbr"}


class Page(HTMLParser):
    """The elements, their attributes and texts; every end must be that of the last beginning."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[list[str]] = []
        self.texts: list[list[str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.texts.append([tag, ""])
            self.open.append(self.texts[-1])

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if self.open:
            self.open[-1][1] += data

    def handle_comment(self, data):
        raise AssertionError(data)

    handle_pi = unknown_decl = handle_comment

    def tags(self, but: tuple[str, ...] = ("wbr",)) -> list[str]:
        """Without the places where long names may be broken."""
        return [tag for tag, _ in self.elements if tag not in but]

    def of(self, tag: str) -> list[str]:
        return [text for own, text in self.texts if own == tag]

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for own, attributes in self.elements if own == tag]
