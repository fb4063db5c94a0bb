from __future__ import annotations

import pytest

from quota_constructs.evaluator.balance import Balance, Contrast
from quota_constructs.evaluator.report.verdict import verdict

HOUR = 3_600_000


def contrast(*shares: Balance) -> Contrast:
    keys = ("same", "sooner", "sooner_ms", "later", "later_ms", "gained", "forgone")
    total = Balance(share=None, **{key: sum(getattr(share, key) for share in shares) for key in keys})
    return Contrast(against="pool", shares=shares, total=total)


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        pytest.param(
            [Balance(share="a", sooner=3, sooner_ms=9 * HOUR), Balance(share="b", same=1, later=2, later_ms=HOUR)],
            "jobs that succeed under both finish 8:00:00 sooner in all (3 sooner, 2 later, 1 at the same time); "
            "share 'b' pays most, 1:00:00 later on balance, 2 of 3 jobs later",
            id="the total gains and one share pays",
        ),
        pytest.param(
            [Balance(share="a", later=1, later_ms=2 * HOUR), Balance(share="b", later=5, later_ms=HOUR)],
            "jobs that succeed under both finish 3:00:00 later in all (0 sooner, 6 later, 0 at the same time); "
            "share 'a' pays most, 2:00:00 later on balance, 1 of 1 job later",
            id="all pay and one pays most",
        ),
        pytest.param(
            [Balance(share="a", sooner=1, sooner_ms=3 * HOUR, later=4, later_ms=HOUR), Balance(share="b", same=2)],
            "jobs that succeed under both finish 2:00:00 sooner in all (1 sooner, 4 later, 2 at the same time); "
            "no share pays on balance, but share 'a' has 4 of 5 jobs later, by 1:00:00 in all",
            id="a share gains on balance and most of its jobs pay",
        ),
        pytest.param(
            [Balance(share="a", sooner=1, sooner_ms=HOUR), Balance(share="b", later=1, later_ms=HOUR)],
            "jobs that succeed under both come out even in all (1 sooner, 1 later, 0 at the same time); "
            "share 'b' pays most, 1:00:00 later on balance, 1 of 1 job later",
            id="what one gains another pays",
        ),
        pytest.param(
            [Balance(share="a", sooner=1, sooner_ms=HOUR), Balance(share="b", same=1)],
            "jobs that succeed under both finish 1:00:00 sooner in all (1 sooner, 0 later, 1 at the same time); "
            "no job finishes later",
            id="nobody pays",
        ),
        pytest.param(
            [Balance(share="a", sooner=1, sooner_ms=HOUR, gained=1), Balance(share="b", forgone=1)],
            "jobs that succeed under both finish 1:00:00 sooner in all (1 sooner, 0 later, 0 at the same time); "
            "no job finishes later; 1 job of share 'b' succeeds only there; 1 job succeeds only here",
            id="who does not finish at all is named too",
        ),
        pytest.param(
            [Balance(share="a", forgone=1), Balance(share="b", forgone=2), Balance(share="c", gained=2)],
            "no job succeeds under both; 3 jobs succeed only there, 2 of them of share 'b', which loses most; "
            "2 jobs succeed only here",
            id="of several the one with most",
        ),
        pytest.param([Balance(share="a", same=4)], "no difference in when jobs succeed", id="no difference"),
        pytest.param([], "no difference in when jobs succeed", id="no shares"),
    ],
)
def test_the_bottom_line_is_one_sentence_that_names_who_pays(shares: list[Balance], sentence: str) -> None:
    assert verdict(contrast(*shares)) == f"Against pool: {sentence}."


def test_a_hostile_share_is_named_on_one_printable_line() -> None:
    said = verdict(contrast(Balance(share="\x1b[31m\u202e\n" + "x" * 200, later=1, later_ms=1, forgone=1)))

    assert said.isprintable()
    assert r"'\x1b[31m\u202e\nxxx" in said
    assert len(said) < 400
