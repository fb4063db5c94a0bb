"""The public names of the package: they are what the modules hold, and nothing else is promised."""

import importlib
import inspect
import pkgutil

import pytest
from constructs import Construct

import quota_constructs
import quota_constructs.constructs


@pytest.mark.parametrize("name", quota_constructs.__all__)
def test_every_public_name_is_a_documented_class_of_this_package(name: str) -> None:
    member = getattr(quota_constructs, name)

    assert inspect.isclass(member)
    assert member.__name__ == name
    assert member.__module__.startswith("quota_constructs.")
    assert inspect.getdoc(member)


def test_every_construct_is_public() -> None:
    found = {
        name
        for module in pkgutil.iter_modules(quota_constructs.constructs.__path__, "quota_constructs.constructs.")
        for name, member in vars(importlib.import_module(module.name)).items()
        if inspect.isclass(member) and issubclass(member, Construct) and member.__module__ == module.name
        if not name.startswith("_") and not name.endswith("Base")
    }

    assert found
    assert sorted(found - set(quota_constructs.__all__)) == []


def test_the_public_names_are_listed_in_order_and_once() -> None:
    assert quota_constructs.__all__ == sorted(set(quota_constructs.__all__))


def test_the_public_names_are_offered_for_completion() -> None:
    assert set(quota_constructs.__all__) <= set(dir(quota_constructs))


def test_a_misspelt_name_fails_as_on_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'quota_constructs' has no attribute 'QuotaShares'"):
        getattr(quota_constructs, "QuotaShares")  # noqa: B009 - a type checker would refuse the plain spelling
