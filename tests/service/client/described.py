"""Holds answers against the service's OpenAPI description."""

import json
import re
from collections import Counter
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]


class Description:
    def __init__(self, openapi: dict[str, Any]) -> None:
        self.openapi = openapi
        for schema in openapi["components"]["schemas"].values():
            # Clients must bear fields that come with time; the tests want to know of them.
            schema.setdefault("additionalProperties", False)
        self.checked: Counter[str] = Counter()
        self._validator = cache(self._new_validator)

    def check(self, method: str, target: str, status: int, content_type: str, body: bytes) -> None:
        """Raises if this answer is not described, or is not as described."""
        operation = f"{method.lower()} {self._template(target.partition('?')[0])}"
        self._validator(operation, str(status), content_type).validate(json.loads(body))
        self.checked[f"{operation} {status}"] += 1

    def _template(self, path: str) -> str:
        [found] = [known for known in self.openapi["paths"] if re.fullmatch(re.sub(r"{\w+}", "[^/]+", known), path)]
        return str(found)

    def _new_validator(self, operation: str, status: str, content_type: str) -> Any:
        method, path = operation.split()
        response = self.openapi["paths"][path][method]["responses"][status]
        if "$ref" in response:
            response = self.openapi["components"]["responses"][response["$ref"].rpartition("/")[2]]
        schema = response["content"][content_type]["schema"]
        return Draft202012Validator({"components": self.openapi["components"], **schema})
