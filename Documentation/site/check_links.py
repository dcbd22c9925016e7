#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks that every link and picture in the pages of a folder leads somewhere: check_links.py FOLDER

Links to other sites are counted, not followed. Of the pages of classes, places within them are not checked: Doxygen 1.9.4
names a few that it does not write.
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The targets of the links of a page, and the places in it that links may name."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8", errors="replace"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        link = attributes.get("src") if tag in ("img", "script") else attributes.get("href")
        if link:
            self.links.append(link)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    bad, elsewhere, checked = [], set(), 0
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme in ("http", "https", "mailto"):
                elsewhere.add(link)
            elif parts.scheme not in ("data", "javascript"):
                target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
                checked += 1
                if not target.is_file():
                    bad.append(f"{path.relative_to(folder)}: {link} does not exist")
                elif parts.fragment and target in pages and path.parent.name != "classes":
                    if urllib.parse.unquote(parts.fragment) not in pages[target].anchors | {"", "top"}:
                        bad.append(f"{path.relative_to(folder)}: {link} names no place in that page")
    print(f"{len(pages)} pages, {checked} links, {len(elsewhere)} to other sites")
    if not pages:
        sys.exit(f"there are no pages in {folder}")
    if bad:
        sys.exit("\n".join(sorted(set(bad))))


if __name__ == "__main__":
    main()
