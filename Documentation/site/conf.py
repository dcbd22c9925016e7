# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Settings of Sphinx for Utilities/documentation.sh, which makes the site from README.md and the pages in Documentation
as they are. CUDAFILTERS_CLASSES names the tag file of the classes, which Doxygen writes."""
import os
import pathlib
import re
import xml.etree.ElementTree

from docutils import nodes

project = "ITKCudaFilters"
author = "the ITKCudaFilters contributors"
html_title = "ITKCudaFilters"

root_doc = "README"
include_patterns = ["README.md", "CONTRIBUTING.md", "Documentation/*.md"]
exclude_patterns = ["build*", "bundle*"]
extensions = ["myst_parser"]
myst_heading_anchors = 4
highlight_language = "none"

html_theme = "furo"
# Debian's style sheet of the theme lacks the colours for a dark window.
html_theme_options = {
    "dark_css_variables": {
        "color-problematic": "#ee5151",
        "color-foreground-primary": "#d5d6d8",
        "color-foreground-secondary": "#9ca0a5",
        "color-foreground-muted": "#868b92",
        "color-foreground-border": "#666666",
        "color-background-primary": "#131416",
        "color-background-secondary": "#1a1c1e",
        "color-background-hover": "#1e2124ff",
        "color-background-hover--transparent": "#1e212400",
        "color-background-border": "#303335",
        "color-background-item": "#444444",
        "color-brand-primary": "#4c9df0",
        "color-brand-content": "#5aa5f0",
        "color-highlighted-background": "#083563",
        "color-highlight-on-target": "#333300",
    }
}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["pages.css"]

# The pages in the order in which a new user would read them.
CHAPTERS = {
    "Use it": ["Gallery", "CommandLine", "Viewer", "Python", "DropIn", "Concepts"],
    "Filters": ["Edges", "Reconstruction", "Distances", "Components"],
    "Filters of your own": ["PixelFunctions", "TextFunctions", "Converter", "OwnFilter"],
    "Examples with VTK": ["EdgeSurface", "ColouredComponents", "DistanceContours", "MixedPipeline"],
    "How fast": ["Benchmarks", "OptimisationStudy"],
}


def read_classes():
    """The pages of the classes by name."""
    classes = {}
    for compound in xml.etree.ElementTree.parse(os.environ["CUDAFILTERS_CLASSES"]).getroot():
        if compound.get("kind") in ("class", "struct"):
            name = compound.findtext("name").split("<")[0].strip()
            classes[name] = "classes/" + compound.findtext("filename")
    # A header that Doxygen could not read would go unnoticed.
    names = {name.split("::")[-1] for name in classes}
    for header in pathlib.Path("include").glob("itkCuda*Filter.h"):
        if header.stem[len("itk") :] not in names:
            raise RuntimeError(f"{header} is not described")
    return classes


CLASSES = read_classes()
SHORT_NAMES = {name.split("::")[-1]: page for name, page in CLASSES.items()}


def add_contents(app, document, source):
    """Gives the first page the table of contents, and the page on classes its list."""
    if document == root_doc:
        for chapter, pages in CHAPTERS.items():
            lines = "\n".join(f"Documentation/{page}" for page in pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {chapter}\n{lines}\n```\n"
        source[0] += "\n```{toctree}\n:hidden:\n:caption: The project\nDocumentation/Classes\nCONTRIBUTING\n```\n"
    elif document == "Documentation/Classes":
        for title, prefix in (("Filters and images", "itk::"), ("For filters of your own", "itk::CudaFilters::")):
            source[0] += f"\n## {title}\n\n"
            for name in sorted(CLASSES):
                if name.startswith(prefix) and name.startswith("itk::CudaFilters::") == (prefix != "itk::"):
                    source[0] += f"- `{name}`\n"


def link_classes(app, doctree, document):
    """Turns names of classes in the text into links to their descriptions."""
    up = "../" * document.count("/")
    for text in list(doctree.findall(nodes.Text)):
        ancestors = []
        node = text.parent
        while node is not None:
            ancestors.append(node)
            node = node.parent
        if any(isinstance(a, (nodes.reference, nodes.title, nodes.literal_block, nodes.comment)) for a in ancestors):
            continue
        pieces = re.split(r"(\b(?:itk::)?(?:CudaFilters::)?\w+\b)", text.astext())
        if not any(piece.split("::")[-1] in SHORT_NAMES for piece in pieces):
            continue
        new = []
        for piece in pieces:
            page = SHORT_NAMES.get(piece.split("::")[-1])
            if page and ("::" in piece or "Cuda" in piece):
                new.append(nodes.reference(piece, piece, refuri=up + page, internal=False))
            elif piece:
                new.append(nodes.Text(piece))
        text.parent.replace(text, new)


def find_folder(app, environment, node, content):
    """A link to a folder, which readers of the repository can open, is plain text in the site."""
    target = os.path.join(os.path.dirname(os.path.join(app.srcdir, node.get("refdoc", ""))), node.get("reftarget", ""))
    return content if os.path.isdir(target) else None


def load_as_module(app, page, template, context, doctree):
    """Debian's script of the theme, which follows the reader on the page and switches its colours, imports another."""
    for script in context.get("script_files", []):
        if str(getattr(script, "filename", "")).endswith("furo.js"):
            script.attributes["type"] = "module"


def setup(app):
    app.connect("html-page-context", load_as_module)
    app.connect("missing-reference", find_folder)
    app.connect("source-read", add_contents)
    app.connect("doctree-resolved", link_classes)
