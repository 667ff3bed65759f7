"""Rules of the code that no linter checks: texts, settings, and words that no file may contain."""

import ast
import importlib
import json
import os
import pkgutil
import re
import secrets
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db.models import PROTECT

import project
import realtime
from project import settings
from project.core.errors import Refusal
from project.core.texts import texts
from project.core.validation import FIELD_CODES, OWN_CODES

ROOT = Path(__file__).resolve().parents[2]


def tracked(*patterns: str) -> list[Path]:
    """Tracked files that exist in the work tree."""
    names = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


def texts_of(paths: list[Path]) -> Iterator[tuple[str, str]]:
    """Names and contents of the files that hold text."""
    for path in paths:
        try:
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def test_every_file_and_test_that_is_named_for_mutants_exists() -> None:
    mutants = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]
    missing = []
    for named in (*mutants["only_mutate"], *mutants["pytest_add_cli_args_test_selection"]):
        file, _, test = named.partition("::")
        if not (ROOT / file).exists() or f"def {test}" not in (ROOT / file).read_text(encoding="utf-8"):
            missing.append(named)
    assert missing == []


def refusals(kind: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    """Yield `kind` and all its subclasses."""
    yield kind
    for narrower in kind.__subclasses__():
        yield from refusals(narrower)


def literal_codes() -> set[str]:
    """Codes that are literals in calls of `FieldError(field, code)`, `InvalidFields.of(field, code)` and
    `PydanticCustomError(code, …)`."""
    takes_code = {"FieldError": 1, "of": 1, "PydanticCustomError": 0, "text": 0}
    found = set()
    for _, source in texts_of(tracked("project/*.py", "realtime/*.py")):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                place = takes_code.get(name)
                if place is not None and len(node.args) > place:
                    argument = node.args[place]
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        found.add(argument.value)
    return found - {"name"}


def test_every_code_has_a_text_in_both_languages() -> None:
    for package in (project, realtime):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not re.search(r"\.(migrations|management|asgi)\b", module.name):
                importlib.import_module(module.name)
    codes = {kind.code for kind in refusals()} | {code for code, _ in FIELD_CODES.values()} | OWN_CODES
    codes |= literal_codes()
    assert {"line_not_approved", "weak_password", "unknown", "invalid_date"} <= codes
    for language in ("es", "en"):
        assert codes - set(texts(language)) == set(), language


@pytest.mark.parametrize("language", ["es", "en"])
def test_server_and_client_have_the_same_words_for_the_same_refusals(language: str) -> None:
    words = json.loads((ROOT / f"web/src/locales/{language}/shared.json").read_text(encoding="utf-8"))["errors"]
    said = texts(language)
    assert (words["permission"], words["generic"]) == (said["permission_denied"], said["server_error"])


def test_both_languages_have_the_same_texts_with_the_same_placeholders() -> None:
    spanish, english = texts("es"), texts("en")
    assert set(spanish) == set(english)
    for code in spanish:
        assert spanish[code].strip()
        assert english[code].strip()
        assert set(re.findall(r"{\w+}", spanish[code])) == set(re.findall(r"{\w+}", english[code])), code


def test_every_model_that_protects_a_row_has_an_in_use_text() -> None:
    """`in_use` names the model that uses a row: each model with a protecting foreign key needs a text."""
    protecting = {
        str(model._meta.model_name)
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if getattr(getattr(field, "remote_field", None), "on_delete", None) is PROTECT
    }
    assert {"line", "salesorder"} <= protecting
    assert {f"in_use_by_{name}" for name in protecting} <= set(texts("es"))


MARKS = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]) + r")\b")
REGISTRIES = re.compile(
    "|".join(
        [
            "registry" + r"\.npmjs",
            "registry" + r"\.yarnpkg",
            "files" + r"\.pythonhosted",
            "pypi" + r"\.org",
            "ghcr" + r"\.io",
            "index" + r"-url[ =]+http",
        ]
    )
)


def test_no_file_has_a_mark_of_unfinished_work() -> None:
    marked = [
        name for name, text in texts_of(tracked()) if MARKS.search(text) and not name.endswith((".lock", ".json"))
    ]
    assert marked == []


def test_no_tracked_file_names_a_package_registry() -> None:
    assert [name for name, text in texts_of(tracked()) if REGISTRIES.search(text)] == []


def test_make_mutants_changes_every_module_of_rules() -> None:
    mutated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]["only_mutate"]
    assert {str(path.relative_to(ROOT)) for path in tracked("project/**/rules.py")} <= set(mutated)


def test_no_module_overrides_save_or_uses_model_signals() -> None:
    hidden = re.compile(r"def save\(|post_save|pre_save|m2m_changed|post_delete|pre_delete")
    assert [name for name, text in texts_of(tracked("project/*.py", "realtime/*.py")) if hidden.search(text)] == []


def test_rows_are_fetched_from_django_s_cursor() -> None:
    """`execute` returns the driver's cursor. Fetching from it raises the driver's errors instead of Django's."""
    chained = re.compile(r"\bcursor\.execute\([^()]*(?:\([^()]*\)[^()]*)*\)\s*\.fetch")
    assert [name for name, text in texts_of(tracked("project/*.py", "realtime/*.py")) if chained.search(text)] == []


def test_deployment_checks_are_clean() -> None:
    """With HTTPS and a random secret, as in production."""
    run = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=os.environ | {"HTTPS": "true", "SECRET_KEY": secrets.token_urlsafe(64)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_the_settings_refuse_a_secret_key_below_32_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "s" * 31)
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        settings._secret_key()
    monkeypatch.setenv("SECRET_KEY", "s" * 32)
    assert settings._secret_key() == "s" * 32


@pytest.mark.parametrize("name", ["SECRET_KEY_FALLBACKS", "QR_KEYS"])
def test_the_settings_refuse_a_list_with_a_key_below_32_characters(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", "import project.settings"],
        cwd=ROOT,
        env=os.environ | {name: f"{'s' * 32},{'s' * 31}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"Each of {name}" in run.stderr


@pytest.mark.parametrize("code", ["pesos", "mxn", "MXP", "ZZZ", ""])
def test_the_settings_refuse_an_unknown_plant_currency(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setenv("PLANT_CURRENCY", code)
    with pytest.raises(ImproperlyConfigured, match="PLANT_CURRENCY"):
        settings._plant_currency()
    monkeypatch.setenv("PLANT_CURRENCY", "USD")
    assert settings._plant_currency() == "USD"


@pytest.mark.django_db
def test_every_model_change_has_a_migration() -> None:
    call_command("makemigrations", "--check", "--dry-run")
