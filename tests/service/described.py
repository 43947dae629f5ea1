"""Holds answers against the service's own OpenAPI description."""

import json
import re
from collections import Counter
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

LINES = "application/x-ndjson"
PROBLEM = "application/problem+json"


def close(schemas: dict[str, Any]) -> None:
    """Clients must bear fields that come with time; the tests want to know of them."""
    parts = {part.get("$ref", "").rpartition("/")[2] for schema in schemas.values() for part in schema.get("allOf", ())}
    for name, schema in schemas.items():
        if name not in parts and ("properties" in schema or "allOf" in schema):
            schema.setdefault("unevaluatedProperties", False)


class Description:
    """What the interface says of itself."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        close(document["components"]["schemas"])
        self.checked: Counter[str] = Counter()
        self._validator = cache(self._new_validator)

    def share(self, other: "Description") -> None:
        """Use the document of another, and the validators that were made of it."""
        self.document, self._validator = other.document, other._validator
        self.checked = Counter()

    def check(self, method: str, target: str, status: int, content_type: str, body: bytes) -> None:
        """Raises if this answer is not described, or is not as described. What is nowhere can only be a problem."""
        operation = self._operation(method.lower(), target.partition("?")[0])
        content = self._content(operation, str(status)) if operation else {PROBLEM: "Problem"}
        if not content:
            assert not body, f"{operation} is not described to answer {status} with a body"
        else:
            assert content_type in content, f"{operation} is not described to answer {status} with {content_type}"
            if not content_type.endswith(("json", "event-stream")):
                return
            validator = self._validator(operation, str(status), content_type)
            for line in body.splitlines() if content_type == LINES else [body]:
                validator.validate(json.loads(line))
        self.checked[f"{operation} {status}"] += 1

    def has_header(self, method: str, target: str, status: int, name: str) -> bool:
        """Whether this answer is described with a header."""
        method, template = self._operation(method.lower(), target.partition("?")[0]).split()
        responses = self.document["paths"][template][method]["responses"]
        return name in self._resolved(responses[str(status)]).get("headers", {})

    def _operation(self, method: str, path: str) -> str:
        """By method and template; empty if there is none."""
        for template, item in self.document["paths"].items():
            if method in item and re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path):
                return f"{method} {template}"
        return ""

    def _content(self, operation: str, status: str) -> dict[str, Any]:
        method, template = operation.split()
        responses = self.document["paths"][template][method]["responses"]
        assert status in responses, f"{operation} is not described to answer {status}"
        found: dict[str, Any] = self._resolved(responses[status]).get("content", {})
        return found

    def _resolved(self, response: dict[str, Any]) -> dict[str, Any]:
        name = response.get("$ref", "").rpartition("/")[2]
        return self.document["components"]["responses"][name] if name else response

    def _new_validator(self, operation: str, status: str, content_type: str) -> Any:
        problem = {"$ref": "#/components/schemas/Problem"}
        schema = self._content(operation, status)[content_type]["schema"] if operation else problem
        return Draft202012Validator({"components": self.document["components"], **schema})
