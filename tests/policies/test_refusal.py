from __future__ import annotations

from datetime import date

import pytest

from quota_constructs.errors import ConfigurationError
from quota_constructs.policies.agreement import Exemption
from quota_constructs.policies.share_policy import policy_from_metadata


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        pytest.param(
            None,
            "the policy must be a table of fields such as 'version' (SharePolicy in Python), got null",
            id="nothing",
        ),
        pytest.param(
            {"agremeent": {}},
            "'agremeent' is no field of the policy; did you mean 'agreement'?",
            id="a misspelt part",
        ),
        pytest.param(
            {"objectives": {"wait_p95": {"bound": 1}}},
            "'wait_p95' is no field of 'objectives'; did you mean 'wait_p95_seconds'?",
            id="a misspelt promise",
        ),
        pytest.param(
            {"interruption": {"can_resume": True, "evidence": {"tried_on": "2030-01-01", "\n": 1}}},
            "'\\n' is no field of 'interruption.evidence'; there are tried_on, link",
            id="a name that is like no other",
        ),
        pytest.param({"interruption": {}}, "'interruption.can_resume' is missing; give it", id="a gap"),
        pytest.param(
            {"objectives": {"wait_p95_seconds": 3}},
            "'objectives.wait_p95_seconds' must be a table of fields such as 'bound' (Objective in Python), got 3",
            id="a bare number for a promise",
        ),
        pytest.param(
            {"objectives": {"wait_p95_seconds": {"bound": -1}}},
            "'objectives.wait_p95_seconds.bound' must be a number >= 0.0, got -1",
            id="a number out of bounds",
        ),
        pytest.param(
            {"objectives": {"wait_p95_seconds": {"bound": 1, "severity": "fatal"}}},
            "'objectives.wait_p95_seconds.severity' must be one of error, warning, note, got 'fatal'",
            id="another word than the choices",
        ),
        pytest.param({"version": 2}, "'version' must be one of 1, got 2", id="another version"),
        pytest.param(
            {"agreement": {"owner": "a", "review_by": "soon"}},
            "'agreement.review_by' must be a date such as 2030-01-31, got 'soon'",
            id="no date",
        ),
        pytest.param(
            {"agreement": {"owner": "a", "exceptions": [{"reason": "x", "granted_by": 3}]}},
            "'agreement.exceptions.0.granted_by' must be text, got 3",
            id="within a list",
        ),
        pytest.param(
            {
                "agreement": {
                    "owner": "a",
                    "exceptions": [
                        {"reason": "x", "granted_by": "b", "since": "2030-01-02", "until": "2030-01-01"},
                    ],
                },
            },
            "'agreement.exceptions.0': 'until' must not come before 'since', 2030-01-02, got 2030-01-01",
            id="an exception for no day",
        ),
        pytest.param(
            {"objectives": {"wait_p95_seconds": {"bound": 10**400}}},
            f"'objectives.wait_p95_seconds.bound' must be a number that is not so large, got 1{'0' * 27}...{'0' * 29}",
            id="a number beyond all numbers",
        ),
    ],
)
def test_what_is_no_policy_is_refused_in_one_line(plain: object, message: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the whole message is compared
        policy_from_metadata(plain)

    assert str(refused.value) == message


def test_an_exception_with_dates_as_a_file_gives_them_is_judged_alike() -> None:
    with pytest.raises(ConfigurationError, match=r"^'until' must not come before 'since', 2030-01-02, got 2030-01-01$"):
        Exemption(reason="a", granted_by="b", since="2030-01-02", until=date(2030, 1, 1))  # type: ignore[arg-type]
