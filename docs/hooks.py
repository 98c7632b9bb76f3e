"""What MkDocs needs beside mkdocs.yml: pages from elsewhere in the repository, and inline drawings.

Pages stay where they are and link to each other as files of the repository, so they read well there and on the site. A
link to something that is not on the site becomes plain text.
"""

import posixpath
import re
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).parent.parent
MODELS: Final = "src/utterly/model/bundled"
NO_CARD: Final = "# No model\n\nThis site was built from a checkout without the model.\n"
ELSEWHERE: Final = {  # the page in the repository: its place on the site
    **{f"{MODELS}/{language}/README.md": f"models/{language}.md" for language in ("en", "zh")},
    **{f"benchmarks/{path.name}": f"results/{path.name}" for path in sorted((ROOT / "benchmarks").glob("*.md"))},
    **{f"benchmarks/{path.name}": f"results/{path.name}" for path in sorted((ROOT / "benchmarks").glob("*.png"))},
    "recipes/README.md": "recipes.md",
}
ORIGINS: Final = {site: repository for repository, site in ELSEWHERE.items()}
_CODE: Final = r"^```.*?^```$|``?[^`\n]+``?"  # which holds no links
_LINK: Final = re.compile(
    _CODE + r"|(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)",
    re.MULTILINE | re.DOTALL,
)
_DRAWING: Final = re.compile(r"^!\[(?P<says>[^\]]*)\]\((?P<path>[\w/-]+\.svg)\)$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for repository, site in ELSEWHERE.items():
        path = ROOT / repository
        if path.is_file():
            files.append(File.generated(config, site, abs_src_path=str(path)))
        else:
            files.append(File.generated(config, site, content=NO_CARD))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    here = page.file.src_uri
    return _DRAWING.sub(_drawn, relinked(markdown, here, files))


def relinked(markdown: str, here: str, files: Files) -> str:
    """Repository links as site links."""
    folder = posixpath.dirname(ORIGINS.get(here, f"docs/{here}"))

    def link(match: re.Match[str]) -> str:
        if match["target"] is None or ":" in match["target"]:  # code, or an address
            return match[0]
        target = posixpath.normpath(posixpath.join(folder, match["target"]))
        site = ELSEWHERE.get(target) or ("index.md" if target == "README.md" else target.removeprefix("docs/"))
        if files.get_file_from_path(site) is None:  # where nothing is there either, MkDocs is to warn
            return match["text"] if (ROOT / target).exists() else match[0]
        way = posixpath.relpath(site, posixpath.dirname(here) or ".")
        return f"{match['image']}[{match['text']}]({way}{match['anchor'] or ''})"

    return _LINK.sub(link, markdown)


def _drawn(match: re.Match[str]) -> str:
    """The drawing inline, so that it follows the light or dark theme."""
    drawing = (ROOT / "docs" / match["path"]).read_text(encoding="utf-8")
    inside = "\n".join(line for line in drawing.splitlines() if line.strip())
    return f'<figure class="drawing" markdown="0">\n{inside}\n</figure>'
