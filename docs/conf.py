"""The site: ``python -m sphinx -W --keep-going -b html docs OUT``; see CONTRIBUTING.md."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "site"))

from csig._version import __version__

project = "csig"
author = "the csig developers"
version = release = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "directives",  # site/directives.py
]
exclude_patterns = ["paper", "site/templates"]
templates_path = ["site/templates"]
suppress_warnings = ["toc.excluded"]
default_role = "py:obj"
smartquotes = False  # of "--counts"

# Anchors of headings as GitHub makes them: the same links lead somewhere here and there.
myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]

autodoc_typehints = "none"
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
autosummary_imported_members = True
autosummary_ignore_module_all = False
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = "csig"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
ALONE = [
    "index",
    "recommend",
    "site/start",
    "site/gallery",
    "site/wrong",
    "site/differs",
    "site/paper",
]
html_sidebars = {page: [] for page in ALONE}  # there is nothing below them
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_context = {"default_mode": "auto"}
html_copyright = None
