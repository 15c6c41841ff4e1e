"""The framework's own words in the reader's language: it knows English only, and has no setting for another one.

A script on the page replaces them where they appear, word by word: texts outside the app's own sentences, and the
names of buttons that a screen reader says. Where it does not run, the framework's English stays and all else works.
"""

from __future__ import annotations

import inspect
import json
import re

import streamlit as st

from hwcost.messages import texts

PREFIX = "web.frame."
PLACE = re.compile(r"\{(\w+)\}")
SPECIAL = re.compile(r"[.*+?^${}()|\[\]\\]")
SCRIPT = """<script>
(() => {
  const words = %s, patterns = %s.map(([from, to]) => [new RegExp(from), to]);
  const names = ['aria-label', 'title', 'placeholder', 'alt'];
  const ours = '[data-testid=stMarkdownContainer], [data-testid=stTable], canvas, style, script,' +
    '[role=option][data-key]:not([data-key^="__"])';
  const theirs = '[data-testid=stFileUploaderDropzone], [role=menu], [data-testid=stMainMenuList]';
  const say = text => {
    const bare = text.trim();
    if (!bare) return null;
    if (Object.hasOwn(words, bare)) return words[bare];
    for (const [from, to] of patterns) if (from.test(bare)) return bare.replace(from, to);
    return null;
  };
  const word = node => {
    const parent = node.parentElement;
    if (!parent || (parent.closest(ours) && !parent.closest(theirs))) return;
    const said = say(node.nodeValue);
    if (said !== null && said !== node.nodeValue) node.nodeValue = said;
  };
  const name = (element, attribute) => {
    const text = element.getAttribute(attribute), said = text === null ? null : say(text);
    if (said !== null && said !== text) element.setAttribute(attribute, said);
  };
  const whole = root => {
    if (root.nodeType === Node.TEXT_NODE) return word(root);
    if (root.nodeType !== Node.ELEMENT_NODE) return;
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) word(walk.currentNode);
    for (const e of [root, ...root.querySelectorAll('[aria-label], [title], [placeholder], [alt]')])
      for (const attribute of names) name(e, attribute);
  };
  window.hwcostFrame?.disconnect();
  window.hwcostFrame = new MutationObserver(changes => {
    for (const change of changes) {
      if (change.type === 'attributes') name(change.target, change.attributeName);
      else if (change.type === 'characterData') word(change.target);
      else change.addedNodes.forEach(whole);
    }
  });
  document.documentElement.lang = '%s';
  whole(document.body);
  window.hwcostFrame.observe(document.body,
    {subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: names});
})();
</script>"""


def show(lang: str) -> None:
    """Puts the script on the page, where this version of the framework takes one."""
    if "unsafe_allow_javascript" in inspect.signature(st.html).parameters:
        st.html(script(lang), unsafe_allow_javascript=True)


def script(lang: str) -> str:
    """The script for a language. In English it takes back what it said in another one."""
    words: dict[str, str] = {}
    patterns: list[list[str]] = []
    for key, entry in texts().items():
        if not key.startswith(PREFIX):
            continue
        for other in entry:
            if other == lang:
                continue
            if PLACE.search(entry["en"]):
                patterns.append([_pattern(entry[other]), PLACE.sub(r"$<\1>", entry[lang])])
            else:
                words.setdefault(entry[other], entry[lang])
    dumped = (json.dumps(found, ensure_ascii=False).replace("<", "\\u003c") for found in (words, patterns))
    return SCRIPT % (*dumped, "zh-CN" if lang == "zh" else lang)


def _pattern(text: str) -> str:
    """A regular expression with a named group for each placeholder; the whole text must match."""
    parts = PLACE.split(text)  # texts between the placeholders, and their names
    found = [f"(?<{part}>.+)" if n % 2 else SPECIAL.sub(r"\\\g<0>", part) for n, part in enumerate(parts)]
    return f"^{''.join(found)}$"
