from __future__ import annotations

import json
from pathlib import Path

import pytest

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.evaluation import check_systems
from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.recorded import is_recorded, read_recorded
from quota_constructs.evaluator.report.findings_json import encode_findings
from quota_constructs.evaluator.reviewing import Judging, review_recorded, review_systems
from quota_constructs.evaluator.shared_load import Load
from quota_constructs.evaluator.system import System
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.objectives import Objective, Objectives
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, share, system

BASE = system(
    share("a", {UNIT: 4, OTHER_UNIT: 1}, LEND_AND_BORROW, borrow_limit=50, agreement=Agreement(owner="ann")),
    share("b", 4, LEND, objectives=Objectives(wait_max_seconds=Objective(bound=60))),
    time_limits={BlockedReason.QUOTA_EXCEEDED: 600},
)
HEAD = system(share("a", 9, LEND), share("b", 4, LEND), capacity=8)


def write(name: str, arrangement: System) -> Path:
    path = Path(name)
    path.write_bytes(encode_findings(check_systems([arrangement], scenarios=()), [arrangement]))
    return path


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_was_written_is_read_back() -> None:
    recorded = read_recorded(write("base.json", BASE))

    assert recorded.systems == (BASE,)
    assert recorded.findings == check_systems([BASE], scenarios=())


def test_a_review_of_two_results_says_what_one_of_two_arrangements_says() -> None:
    of_results = review_recorded(write("base.json", BASE), write("head.json", HEAD))
    of_systems = review_systems([BASE], [HEAD], names=("base.json", "head.json"), load=Load(scenarios=()))

    assert of_results.changes == of_systems.changes
    assert of_results.findings == of_systems.findings
    assert [each.rule_id for each in of_results.failing(Severity.ERROR)] == ["QC103"]
    assert of_results.assumptions is None


def test_a_result_that_does_not_say_what_it_is_about_leaves_the_change_unknown() -> None:
    base, head = write("base.json", BASE), write("head.json", HEAD)
    value = json.loads(base.read_bytes())
    del value["arrangements"]
    base.write_text(json.dumps(value), encoding="utf-8")

    found = review_recorded(base, head)

    assert found.changes is None
    assert not found.changes_nothing
    assert [each.rule_id for each in found.failing(Severity.ERROR)] == ["QC103"]


def test_what_a_check_suppressed_stays_accepted_and_more_can_be() -> None:
    head = write("head.json", HEAD)
    value = json.loads(head.read_bytes())
    value["suppressed"] = [{**each, "reason": "fine"} for each in value["findings"] if each["rule_id"] == "QC103"]
    value["findings"] = [each for each in value["findings"] if each["rule_id"] != "QC103"]
    suppressed = Path("suppressed.json")
    suppressed.write_text(json.dumps(value), encoding="utf-8")
    file = Path("accepted.toml")
    file.write_text('[[suppressions]]\nrule = "QC103"\nreason = "fine"\n', encoding="utf-8")
    base = write("base.json", BASE)

    assert review_recorded(base, suppressed).failing(Severity.ERROR) == ()
    assert review_recorded(base, head, Judging(suppressions=file)).failing(Severity.ERROR) == ()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(b'{"check": 1', True, id="a result"),
        pytest.param(b'\n{\n  "check" : 1,', True, id="laid out"),
        pytest.param(b'{"Resources": {}}', False, id="a template"),
        pytest.param(b"", False, id="nothing"),
    ],
)
def test_a_result_is_known_by_how_it_begins(content: bytes, expected: object) -> None:
    Path("it.json").write_bytes(content)

    assert is_recorded(Path("it.json")) is expected
    assert not is_recorded(Path("none.json"))
    assert not is_recorded(Path())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b'{"check": 1', "is no result of 'check --format json'", id="cut off"),
        pytest.param(
            b'{"check": 1, "findings": [{}]}', "is no result of 'check --format json': Object missing", id="empty"
        ),
        pytest.param(
            b'{"check": 2, "findings": []}', "'check' must be 1, the version that is read here, got 2", id="version"
        ),
        pytest.param(b'{"check": 1, "findings": "\xff"}', "is no result of 'check --format json'", id="not UTF-8"),
        pytest.param(b'{"check": 1, "x": ' + b"[" * 100_000, "is no result of 'check --format json'", id="deep"),
    ],
)
def test_fails_on_what_is_no_result(content: bytes, message: str) -> None:
    Path("it.json").write_bytes(content)

    with pytest.raises(UsageError, match=message) as caught:
        read_recorded(Path("it.json"))
    assert str(caught.value).isprintable()


def test_fails_on_a_rule_that_is_not_known() -> None:
    path = write("it.json", HEAD)
    path.write_bytes(path.read_bytes().replace(b'"rule_id":"QC103"', b'"rule_id":"QC999"'))

    with pytest.raises(
        UsageError, match=r"it.json: rule 'QC999' is not known; make both results with the same version"
    ):
        read_recorded(path)
