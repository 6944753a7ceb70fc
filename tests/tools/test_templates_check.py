"""The check of the templates finds what the policy forbids, and only that."""

from pathlib import Path

import pytest

from tools.templates_check import (
    HTMX_ATTRIBUTES,
    all_findings,
    findings_in,
    findings_in_python,
)

HTMX = Path(__file__).resolve().parent.parent.parent / "static/vendor/htmx.min.js"


def messages(source):
    return [finding.message for finding in findings_in(source, "page.html")]


@pytest.mark.parametrize(
    "source",
    [
        '<p class="style">{{ name|safe_name }}</p>',
        '<script src="{% static "js/choirbook.js" %}" defer></script>',
        '<script defer src="/static/a.js"></script>',
        '<form hx-post="/a" hx-target="#b" hx-disable hx-sync="this:drop">',
        '<body hx-headers:inherited="{}" hx-status:422="swap:outerMorph">',
        '<a href="https://example.org/">a link is fetched by nobody</a>',
        '<div hx-trigger="revision from:body, click">',
        '<a href="/a" target="_blank" rel="noopener noreferrer">',
        '<form action="/a" method="post">{% csrf_token %}</form>',
        '<form method="post" action="/a">\n{% form_keys commutes=True %}</form>',
        '<form action="/a"><input name="q"></form>',
        "{# <style> and |safe in a comment #}",
        "{% comment %}<b onclick=x>{% endcomment %}",
        '<p data-on="1" aria-label="Once on = twice off">nodejs: a word</p>',
        "{% if season == 1 %}{% endif %}",
    ],
)
def test_harmless_template_is_let_through(source):
    assert messages(source) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("{{ note|safe }}", "escaping off"),
        ("{{ note | safe }}", "escaping off"),
        ("{{ notes|safeseq }}", "escaping off"),
        ("{% autoescape off %}", "escaping off"),
        ('<p style="color: red">', "inline style"),
        ("<p\n style = 'x'>", "inline style"),
        ("<style>p {}</style>", "inline style"),
        ("<script>alert(1)</script>", "inline script"),
        ('<script type="module">1</script>', "inline script"),
        ('<button onclick="f()">', "inline handlers"),
        ('<img src="/a" OnError = "f()">', "inline handlers"),
        ('<b hx-on:click="f()">', "hx-on needs eval"),
        ("<b hx-vals='js:{a: 1}'>", "script in an attribute"),
        ('<a href="javascript:f()">', "script in an attribute"),
        ('<b hx-trigger="click[event.shiftKey]">', "trigger filter"),
        ("<b hx-trigger:inherited='keyup[key==1]'>", "trigger filter"),
        ('<script src="https://example.org/a.js"></script>', "nothing from another"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "nothing from another"),
        ('<button data-a="{{ name|escapejs }}">', "escapejs"),
        ('<a href="/a" target="_blank">', "rel=noopener"),
        ('<a target=_blank rel="nofollow" href="/a">', "rel=noopener"),
        ('<iframe src="/a"></iframe>', "nothing is embedded"),
        ("<object data='/a'></object>", "nothing is embedded"),
        ("<b srcdoc='x'>", "nothing is embedded"),
        ('<base href="/a">', "forbids base"),
        ('<meta http-equiv="refresh" content="0">', "sent by the server"),
        ('<form action="https://example.org/">', "to here alone"),
        ('<button formaction="//example.org/">', "to here alone"),
        ('<form action="/a" method="post"><button>Go</button></form>', "its token"),
        ('<b hx-poost="/a">', "htmx knows no attribute hx-poost"),
        (
            '<b hx-headers:inheritted="{}">',
            "htmx knows no attribute hx-headers:inherit",
        ),
        ('<b hx-status:42="none">', "htmx knows no attribute hx-status:42"),
    ],
)
def test_forbidden_template_is_found(source, words):
    [message] = messages(source)
    assert words in message


def test_finding_names_file_and_line():
    [finding] = findings_in("<p>\n<p>\n{{ a|safe }}", "templates/base.html")
    assert str(finding) == ("templates/base.html:3: the filter safe turns escaping off")


def test_python_that_declares_markup_safe_is_found():
    source = "from django.utils.safestring import mark_safe\nSafeString('<b>')\n"
    assert [str(finding) for finding in findings_in_python(source, "tags.py")] == [
        "tags.py:1: mark_safe: use format_html",
        "tags.py:2: SafeString: use format_html",
    ]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("@csrf_exempt\ndef view(request): ...", "csrf_exempt: no form goes without"),
        ('format_html(f"<b>{name}</b>")', "format_html: the braces"),
        ("@html_safe\nclass Icon: ...", "html_safe: use format_html"),
        ("@xframe_options_exempt\ndef view(): ...", "no page is framed"),
        ("@csp_exempt()\ndef view(): ...", "one policy for every page"),
    ],
)
def test_python_that_goes_round_a_guard_is_found(source, words):
    [finding] = findings_in_python(source, "views.py")
    assert words in str(finding)


def test_python_may_name_the_type():
    source = "def icon(name: str) -> SafeString:\n    return format_html('{}', name)\n"
    assert list(findings_in_python(source, "tags.py")) == []


def test_known_attributes_are_those_of_the_shipped_htmx():
    source = HTMX.read_text(encoding="utf-8")
    verbs = {"get", "post", "put", "patch", "delete", "query"}
    assert [n for n in HTMX_ATTRIBUTES - verbs if f"hx-{n}" not in source] == []


def test_the_project_keeps_to_it():
    assert list(all_findings()) == []
