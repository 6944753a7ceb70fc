"""The forms of a page as a browser sees them, and ways to fill them in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import islice

Data = dict[str, list[str]]
"""What a form sends: each name with its values."""

KEYS = ("csrfmiddlewaretoken", "key", "revision")
TYPED = ("text", "search", "number", "date", "textarea")
MOST_WAYS = 60


@dataclass
class Field:
    """A control: ``options`` are the values that may be chosen, ``chosen`` those that
    are."""

    name: str
    kind: str
    value: str = ""
    options: list[str] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    low: str = ""
    needed: bool = False

    def sent(self) -> list[str]:
        """What the control sends as it stands."""
        match self.kind:
            case "checkbox" | "multiple":
                return self.chosen
            case "radio":
                return self.chosen[:1]
            case "select":
                return self.chosen[:1] or self.options[:1]
        return [self.value]

    def filled(self, place: int = 0) -> list[str]:
        """As it stands; something sensible where nothing is.

        ``place`` tells several equal choices apart: each takes another option.
        """
        if any(self.sent()):
            return self.sent()
        match self.kind:
            case "text" | "search" | "textarea":
                return ["Candle"]
            case "number":
                return [self.low or "1"]
            case "date":
                return ["2020-02-02"]
            case "radio" | "select":
                options = [value for value in self.options if value]
                return options[place % len(options) :][:1] if options else []
        return self.sent()

    def others(self) -> Iterator[list[str]]:
        """What else could be sent."""
        match self.kind:
            case "text" | "search" | "textarea":
                yield [f"{self.value}x"]
            case "number":
                number = int(self.value or self.low or 0)
                yield from ([str(n)] for n in (number + 1, number - 1, number + 2))
            case "date":
                yield ["2020-02-03"]
            case "checkbox" | "multiple":
                for option in self.options[:6]:
                    rest = [value for value in self.chosen if value != option]
                    yield rest if option in self.chosen else [*self.chosen, option]
            case "radio" | "select":
                yield from ([v] for v in self.options if [v] != self.sent())


@dataclass
class Button:
    """A button: ``form`` is the one that it sends, None where it is not on the page.

    ``sends`` is what it sends besides.
    """

    label: str
    form: Form | None
    sends: Data


@dataclass
class Form:
    """A form that is sent by POST."""

    action: str
    id: str = ""
    fields: list[Field] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    @property
    def shape(self) -> frozenset[str]:
        """What its controls are called, which tells one kind of form from another."""
        return frozenset([f.name for f in self.fields] + [b[0] for b in self.buttons])

    @property
    def commutes(self) -> bool:
        return all(each.name != "revision" for each in self.fields)

    def value_of(self, name: str) -> str:
        return next(each.value for each in self.fields if each.name == name)

    def ways(self) -> Iterator[Data]:
        """Ways to fill it in, the likely ones first."""
        return islice(self._ways(), MOST_WAYS)

    def _ways(self) -> Iterator[Data]:
        as_it_is = {each.name: each.sent() for each in self.fields}
        needed = as_it_is | {
            each.name: each.filled(i)
            for i, each in enumerate(self.fields)
            if each.needed
        }
        filled = {each.name: each.filled(i) for i, each in enumerate(self.fields)}
        buttons = self.buttons or [("", "")]
        for name, value in buttons:
            pressed = {name: [value]} if name else {}
            yield needed | pressed
            if filled != needed:
                yield filled | pressed
        for name, value in buttons:
            pressed = {name: [value]} if name else {}
            for start in (filled, needed):
                for each in self.fields:
                    if each.name in KEYS or each.kind == "hidden":
                        continue
                    for other in each.others():
                        yield start | {each.name: other} | pressed


def forms_of(text: str) -> list[Form]:
    """The forms of a page that are sent by POST."""
    parser = _Parser()
    parser.feed(text)
    return parser.forms


def links_of(text: str) -> list[str]:
    """Where a page leads, without anchors."""
    parser = _Parser()
    parser.feed(text)
    return parser.links


def buttons_of(text: str) -> list[Button]:
    """The buttons of a page, with the forms that they send."""
    parser = _Parser()
    parser.feed(text)
    forms = {form.id: form for form in parser.forms if form.id}
    return [
        Button(
            " ".join(label.split()),
            forms.get(told["form"]) if "form" in told else form,
            {told["name"]: [told.get("value", "")]} if told.get("name") else {},
        )
        for told, form, label in parser.buttons
    ]


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.form: Form | None = None
        self.choice: Field | None = None
        self.text: Field | None = None
        self.buttons: list[tuple[dict[str, str], Form | None, str]] = []
        self.button: tuple[dict[str, str], Form | None] | None = None
        self.label = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in told:
            self.links.append(told["href"].partition("#")[0])
        if tag == "form":
            self.form = Form(told.get("action", ""), told.get("id", ""))
            if told.get("method", "").lower() == "post":
                self.forms.append(self.form)
        if tag == "button":
            self.button, self.label = (told, self.form), ""
        if self.form is None or "disabled" in told:
            return
        match tag:
            case "input" if told.get("name"):
                self._input(told)
            case "select" if told.get("name"):
                kind = "multiple" if "multiple" in told else "select"
                self.choice = Field(told["name"], kind, needed="required" in told)
                self.form.fields.append(self.choice)
            case "option" if self.choice is not None:
                value = told.get("value", "")
                self.choice.options.append(value)
                if "selected" in told:
                    self.choice.chosen.append(value)
            case "textarea" if told.get("name"):
                self.text = Field(told["name"], "textarea", needed="required" in told)
                self.form.fields.append(self.text)
            case "button" if told.get("name"):
                self.form.buttons.append((told["name"], told.get("value", "")))

    def _input(self, told: dict[str, str]) -> None:
        kind, value = told.get("type", "text"), told.get("value", "")
        if kind not in ("checkbox", "radio"):
            kind = kind if kind in ("hidden", *TYPED) else "text"
            kind = "number" if told.get("inputmode") == "numeric" else kind
            made = Field(told["name"], kind, value, low=told.get("min", ""))
            made.needed = "required" in told
            self.form.fields.append(made)
            return
        group = next((f for f in self.form.fields if f.name == told["name"]), None)
        if group is None:
            group = Field(told["name"], kind)
            self.form.fields.append(group)
        group.needed = group.needed or "required" in told
        group.options.append(value or "on")
        if "checked" in told:
            group.chosen.append(value or "on")

    def handle_data(self, data: str) -> None:
        self.label += data
        if self.text is not None:
            self.text.value += data

    def handle_endtag(self, tag: str) -> None:
        match tag:
            case "button" if self.button is not None:
                self.buttons.append((*self.button, self.label))
                self.button = None
            case "form":
                self.form = None
            case "select":
                self.choice = None
            case "textarea":
                if self.text is not None:
                    self.text.value = self.text.value.removeprefix("\n")
                self.text = None
