"""Prepares the OpenAPI document for openapi-python-client.

It changes no request and no response. It only says the same in the part of JSON Schema that the generator knows:

- Times stay text, as on the wire. The generator would parse them.
- Free JSON (`metadata`, `parts`) stays what `json.loads` returns. The generator would make a class of it.
- An enumeration of one value is a constant, by which the generator tells the variants of a union apart.
- Defaults are the service's. The generator would send them.
- Errors are not in it: `ApiError` reads them.
- The tag of an operation is the property of the client that has its method.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

JSON = "application/json"
VERBS = ("get", "put", "post", "patch", "delete")
CLIENT = "client"
"""The tag of methods of the client itself."""


@dataclass(frozen=True)
class Method:
    """The method of the SDK for an operation."""

    resource: str
    name: str
    repeatable: bool
    access: str
    summary: str
    description: str


def prepare(document: dict[str, Any]) -> dict[str, Method]:
    """Changes the document in place. Returns the methods by the names of their operations."""
    methods: dict[str, Method] = {}
    for path, operations in list(document["paths"].items()):
        for verb, operation in list(operations.items()):
            successes = {code: each for code, each in operation["responses"].items() if code.startswith("2")}
            if any(JSON not in success.get("content", {}) for success in successes.values()) or operation[
                "operationId"
            ] in ("importLines",):
                # Lines and streams are written by hand.
                del operations[verb]
                continue
            method = _method(operation, verb)
            methods[snake(operation["operationId"])] = method
            operation.update(tags=[method.resource], responses=successes)
            for parameter in operation.get("parameters", []):
                if parameter["schema"].get("contentMediaType") == JSON:
                    parameter["schema"] = {}
        if not operations:
            del document["paths"][path]
    del document["components"]["responses"]
    document["components"]["schemas"].pop("Problem")
    document["components"].pop("examples", None)
    schemas = document["components"]["schemas"]
    free = {f"#/components/schemas/{name}" for name, schema in schemas.items() if _is_free(schema)}
    _simplify(document, free)
    return methods


def _simplify(value: Any, free: set[str]) -> None:
    if isinstance(value, list):
        for each in value:
            _simplify(each, free)
    if not isinstance(value, dict):
        return
    if isinstance(value.get("allOf"), list):
        # A reference with another description.
        for part in value.pop("allOf"):
            value.update(part)
    if value.get("$ref") in free:
        del value["$ref"]
    value.pop("default", None)
    value.pop("discriminator", None)
    for name in ("example", "examples"):
        value.pop(name, None)
    if value.get("format") in ("date-time", "date", "uri"):
        del value["format"]
    types = value.get("type")
    enum = value.get("enum")
    if isinstance(enum, list) and (types == "boolean" or len(enum) == 1):
        del value["enum"]
        if types == "string":
            value["const"] = enum[0]
    if _is_free(value):
        description = value.get("description")
        value.clear()
        if description:
            value["description"] = description
    for each in value.values():
        _simplify(each, free)


def _is_free(schema: Mapping[str, Any]) -> bool:
    types = schema.get("type")
    return "properties" not in schema and (types == "object" or (isinstance(types, list) and "object" in types))


def _method(operation: Mapping[str, Any], verb: str) -> Method:
    sdk = operation.get("x-sdk", {})
    tag = operation["tags"][0]
    pascal = re.sub(r" (\w)", lambda match: match[1].upper(), tag)
    singular = re.sub(r"s$", "", re.sub(r"ies$", "y", pascal))
    name = sdk.get("method") or f"{pascal}.{re.sub(f'(?:{pascal}|{singular})$', '', operation['operationId'])}"
    resource, _, own = name.rpartition(".")
    has_key = any(each["name"] == "idempotency-key" for each in operation.get("parameters", []))
    return Method(
        resource=snake(resource) or CLIENT,
        name=snake(own),
        repeatable=verb != "post" or has_key or sdk.get("repeatable", False),
        access=_access(operation["security"]),
        summary=operation["summary"],
        description=operation["description"],
    )


def _access(security: list[dict[str, list[str]]]) -> str:
    scopes = [f"`{scope}`" for scheme in security for scope in scheme.get("apiKey", [])]
    needed = [f"the scope {' and '.join(scopes)}"] if scopes else []
    if any("adminToken" in scheme for scheme in security):
        needed.append("the admin token as `api_key`")
    return f"Needs {', or '.join(needed)}." if needed else ""


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).replace(" ", "_").lower()
