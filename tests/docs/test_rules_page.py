"""The page of rules names every rule the core can cite, and no other."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parents[2]


def cited_rules() -> set[str]:
    """The second argument of every `RuleBroken(...)` in the rules."""
    cited: set[str] = set()
    for path in (HERE / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "RuleBroken":
                rule = node.args[1]
                assert isinstance(rule, ast.Constant), f"{path}:{node.lineno} cites a rule that is not written out"
                cited.add(str(rule.value))
    return cited


def test_every_rule_that_can_be_broken_is_explained():
    explained = set(re.findall(r"^\| `(\w+)` \|", (HERE / "docs/rules.md").read_text(), re.MULTILINE))
    assert cited_rules() == explained
