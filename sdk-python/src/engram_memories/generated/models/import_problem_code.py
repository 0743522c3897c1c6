# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ImportProblemCode = Literal["held", "import_conflict", "invalid_json", "not_found", "validation_failed"]


def check_import_problem_code(value: str) -> ImportProblemCode:
    return cast(ImportProblemCode, value)
