"""Sphinx configuration; ``make docs`` builds with warnings as errors."""

from importlib.metadata import version as installed_version

project = "sitoumus"
author = "the sitoumus contributors"
version = release = installed_version("sitoumus")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"sitoumus {release}"

myst_heading_anchors = 3
napoleon_google_docstring = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings give shapes and units, the types alone do not
