"""Names and texts that try to be more than that, wherever they are shown."""

from __future__ import annotations

HOSTILE = {
    "a table's cell": "a | b || c \\| d",
    "a new line": "a\n\n# b\r\n- c",
    "HTML": "<script>alert(1)</script><img src=x onerror=y>",
    "the end of a fold": "</details></summary>",
    "the end of a comment": "--> <!-- quota-constructs:check -->",
    "a person": "@octocat and @org/team",
    "an issue": "#1 GH-12 octo/repo#3 !4 ABC-5",
    "a commit": "deadbeefcafe 0123456789abcdef0123456789abcdef01234567",
    "a link": "[x](https://example.com) https://example.com www.example.com ![i](j.png)",
    "code": "`a` ``b`` ```\nmermaid",
    "emphasis": "*a* _b_ ~~c~~ __d__ $e$",
    "an emoji": ":tada: :+1:",
    "a direction mark": "a\u202egnp.exe\u2066b\u200f",
    "nothing to see": "\u200b\ufeff\u00ad",
    "a control character": "\x00\x07\x1b[2J\x7f\x85",
    "half a character": "\ud800",
    "no character": "\ufffe\uffff",
    "the end of a CDATA section": "]]> <![CDATA[ &amp; &#0;",
    "a long name": "n" * 128,
    "many marks": "`|" * 64,
    "a chart": "x : crit, 0, 1\nsection y; %%{init: {}}%% click x href",
    "an argument": "{0} {{1}} %s",
    "white space": "   ",
    "nothing": "",
}
"""By what it tries to be."""
