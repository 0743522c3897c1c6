"""Writes src/engram_memories/generated from spec/openapi.json with openapi-python-client:

    python generator/generate.py            writes the folder
    python generator/generate.py --check    fails if the folder is not up to date

`npm run generate:python` runs it with the packages of requirements.txt.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import attrs
from document import CLIENT, Method, prepare
from openapi_python_client import Project, strings
from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.errors import GeneratorError
from openapi_python_client.parser.properties import ListProperty, ModelProperty, UnionProperty

ROOT = Path(__file__).resolve().parent.parent
SPEC = ROOT.parent / "spec/openapi.json"
FOLDER = ROOT / "src/engram_memories/generated"
HEADER = "# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.\n"
BY_HAND = {"conversations": "_live", "events": "_live"}
"""Modules that have the class of a resource, with more methods than the generated class."""
UNUSED = ("client.py", "errors.py")
ALLOWED = {"all", "any", "bytes", "filter", "hash", "type"}
"""Names of built-in functions that fields keep, as in the API. The generator would add an underscore."""


def generate(folder: Path) -> None:
    document = json.loads(SPEC.read_text())
    strings.RESERVED_WORDS -= ALLOWED
    methods = prepare(document)
    config = Config.from_sources(
        ConfigFile(literal_enums=True, docstrings_on_attributes=True, post_hooks=[]),
        MetaType.NONE,
        document_source=SPEC,
        file_encoding="utf-8",
        overwrite=True,
        output_path=folder,
    )
    data = GeneratorData.from_dict(document, config=config)
    if isinstance(data, GeneratorError):
        raise SystemExit(f"{data.header}\n{data.detail}")
    project = Project(openapi=data, config=config, custom_template_path=ROOT / "generator/templates")
    project.env.globals.update(
        method_of=lambda endpoint: methods[str(endpoint.name)],
        path_of=lambda endpoint: endpoint.path.get_untrusted_value(),
        argument_type=argument_type,
        fields_of=fields_of,
        docs_of=docs_of,
        item_of=item_of,
        code=code,
        type_of=type_of,
        distinct=distinct,
        status_of=status_of,
        imports_of=imports_of,
        client_tag=CLIENT,
    )
    if errors := project.build():
        raise SystemExit("\n\n".join(f"{error.header}\n{error.detail}" for error in errors))
    for name in UNUSED:
        (folder / name).unlink()
    for tag in project.openapi.endpoint_collections_by_tag:
        # ruff removes unused imports of any module but this one.
        package = folder / "api" / tag
        (package / "__init__.py").rename(package / "resource.py")
        (package / "__init__.py").touch()
    resources = sorted({method.resource for method in methods.values()} - {CLIENT})
    template = project.env.get_template("resources.py.jinja")
    (folder / "resources.py").write_text(template.render(resources=resources, by_hand=BY_HAND))
    for file in folder.rglob("*.py"):
        # In a class with a field `type`, that name is the field.
        text = file.read_text()
        if "cls: type[T]" in text:
            text = text.replace("cls: type[T]", "cls: Type[T]")
            text = text.replace("from typing import", "from typing import Type\nfrom typing import", 1)
        file.write_text(HEADER + text)
    (folder / "inputs.sha256").write_text(inputs() + "\n")
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or "ruff"
    for command in (["check", "--fix-only", "--unsafe-fixes", "--quiet", "--select", "F401,I"], ["format", "--quiet"]):
        subprocess.run([ruff, *command, "--isolated", "--line-length", "120", str(folder)], check=True)


def inputs() -> str:
    """Hash of everything that the folder depends on. scripts/python.mjs computes the same without Python."""
    files = [
        SPEC,
        ROOT / "requirements.txt",
        *(ROOT / "generator").rglob("*.py"),
        *(ROOT / "generator").rglob("*.jinja"),
    ]
    names = sorted((file.relative_to(ROOT.parent).as_posix(), file) for file in files)
    digest = hashlib.sha256()
    for name, file in names:
        digest.update(f"{name}\n{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def fields_of(endpoint: Any) -> list[Any]:
    """The fields of the body, the required ones first."""
    if not endpoint.bodies:
        return []
    model = endpoint.bodies[0].prop
    return [*(model.required_properties or []), *(model.optional_properties or [])]


def argument_type(prop: Any) -> str:
    """The type of an argument: where a model is expected, a dictionary will do."""
    if isinstance(prop, ModelProperty):
        text = f"{prop.class_info.name} | Mapping[str, Any]"
    elif isinstance(prop, ListProperty):
        text = f"Sequence[{argument_type(_required(prop.inner_property))}]"
    elif isinstance(prop, UnionProperty):
        text = " | ".join(dict.fromkeys(argument_type(_required(each)) for each in prop.inner_properties))
    else:
        text = code(prop.get_type_string(no_optional=True))
    return text if prop.required else f"{text} | Unset"


def code(text: Any) -> str:
    return text.as_unembedded_code()


def _required(prop: Any) -> Any:
    return attrs.evolve(prop, required=True)


def item_of(endpoint: Any) -> Any:
    """The items of a list with pages; None for any other response."""
    model = endpoint.responses.patterns[0].prop
    if not isinstance(model, ModelProperty):
        return None
    fields = {
        prop.name.get_untrusted_value(): prop
        for prop in [*(model.required_properties or []), *(model.optional_properties or [])]
    }
    if "next_cursor" not in fields:
        return None
    return fields["items"].inner_property


def distinct(responses: list[Any]) -> list[Any]:
    """The responses whose bodies have different types."""
    return list({code(response.prop.get_type_string()): response for response in responses}.values())


def type_of(endpoint: Any) -> str:
    return " | ".join(code(response.prop.get_type_string()) for response in distinct(endpoint.responses.patterns))


def status_of(response: Any) -> str:
    return str(response.status_code.pattern)


def imports_of(endpoint: Any) -> list[str]:
    """Imports of the models that the arguments and the items of a list name."""
    named = [*fields_of(endpoint), *filter(None, [item_of(endpoint)])]
    imports = {
        each for prop in named for each in (*prop.get_imports(prefix="..."), *prop.get_lazy_imports(prefix="..."))
    }
    return sorted(imports)


def docs_of(method: Method, endpoint: Any, indent: int = 8) -> str:
    """The docstring of a method."""
    described = [*endpoint.query_parameters, *fields_of(endpoint)]
    arguments = [
        textwrap.fill(
            f"{prop.python_name}: {_inline(prop.description.get_untrusted_value())}",
            112 - indent,
            initial_indent="    ",
            subsequent_indent=" " * 8,
        )
        for prop in described
        if prop.description and prop.python_name != "cursor"
    ]
    paragraphs = [
        f"{method.summary}.",
        textwrap.fill(_inline(method.description), 112 - indent),
        method.access,
        "\n".join(["Args:", *arguments]) if arguments else "",
    ]
    text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    return textwrap.indent(text, " " * indent).strip().replace("\\", "\\\\")


def _inline(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc")
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "generated"
        generate(folder)
        now, before = contents(folder), contents(FOLDER)
        changed = sorted(name for name in now.keys() | before.keys() if now.get(name) != before.get(name))
        if "--check" in sys.argv and changed:
            raise SystemExit(f"Not up to date, run `npm run generate:python`: {', '.join(changed[:20])}")
        if "--check" not in sys.argv:
            shutil.rmtree(FOLDER, ignore_errors=True)
            shutil.copytree(folder, FOLDER)


if __name__ == "__main__":
    main()
