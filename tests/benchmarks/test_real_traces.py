import re
from pathlib import Path

import pytest

from benchmarks import real_traces
from quota_constructs.evaluator.inputs import load_trace, read_queue
from quota_constructs.policies.sharing import UNLIMITED, Strategy
from tests.pages import ROOT, blocks_of

PHILLY = "job_id,vc,num_gpu,submit_time,submit_s,duration_s\n"
ITP = "job_id,submission_time,duration,num_gpu\n"


def template(name: str) -> Path:
    return real_traces.TEMPLATES / f"{name}.yaml"


def test_a_row_of_philly_becomes_a_job_of_its_team(tmp_path: Path) -> None:
    log, written = tmp_path / "log.csv", tmp_path / "trace.jsonl"
    log.write_text(PHILLY + "one,ee9e8c,8,2017-10-02 00:48:11,0,649304\ntwo,7f04ca,1,2017-10-02 00:48:20,9,60\n")

    code = real_traces.main(["philly", str(log), str(written)])

    read = load_trace(written, read_queue(template("philly")))
    assert code == 0
    assert [(each.id, each.share, each.submit_ms, each.duration_ms, each.instances) for each in read.jobs] == [
        ("one", "ee9e8c", 0, 649_304_000, (("ml.g5.xlarge", 8),)),
        ("two", "7f04ca", 9_000, 60_000, (("ml.g5.xlarge", 1),)),
    ]
    assert read.source
    assert "derived" in read.description


def test_the_files_of_itp_become_shares_and_their_jobs_one_order(tmp_path: Path) -> None:
    written = tmp_path / "trace.jsonl"
    (tmp_path / "cluster01.csv").write_text(ITP + "late,700,600,64")  # the published files end without a newline
    (tmp_path / "cluster02.csv").write_text(ITP + "early,500,601,1\nlater,900,602,2")

    code = real_traces.main(["itp", str(tmp_path), str(written)])

    read = load_trace(written, read_queue(template("itp")))
    assert code == 0
    assert [(each.id, each.share, each.submit_ms, each.duration_ms) for each in read.jobs] == [
        ("early", "cluster02", 500_000, 601_000),
        ("late", "cluster01", 700_000, 600_000),
        ("later", "cluster02", 900_000, 602_000),
    ]


@pytest.mark.parametrize(
    ("log", "text", "complaint"),
    [
        pytest.param("philly", PHILLY + "one,ee9e8c,8,then,0,long\n", "log.csv:2: .*'long'", id="no number"),
        pytest.param("philly", "job_id,team\none,ee9e8c\n", "log.csv:2: .*'vc'", id="no such column"),
        pytest.param("philly", PHILLY + "one,ee9e8c\n", "log.csv:2: ", id="half a row"),
        pytest.param("itp", "", "log.csv: no file cluster", id="no folder"),
    ],
)
def test_fails_on_a_log_it_does_not_know(
    log: str, text: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "log.csv"
    source.write_text(text)

    code = real_traces.main([log, str(source), str(tmp_path / "trace.jsonl")])

    said = capsys.readouterr().err
    assert code == 2
    assert re.fullmatch(f"error: [^\n]*{complaint}[^\n]*\n", said)


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("philly", {"0e4a51": 96, "2869ce": 48, "7f04ca": 96, "ee9e8c": 192}),
        (
            "itp",
            {
                f"cluster{number:02}": limit
                for number, limit in enumerate((16, 104, 144, 616, 16, 104, 320, 56, 32, 8), start=1)
            },
        ),
    ],
)
@pytest.mark.parametrize("strategy", [Strategy.LEND_AND_BORROW, Strategy.RESERVE])
def test_every_share_of_a_template_is_what_the_parameter_says(
    name: str, limits: dict[str, int], strategy: Strategy
) -> None:
    system = read_queue(template(name), parameters={"Strategy": strategy})

    assert {each.name: each.limits["ml.g5.xlarge"] for each in system.shares} == limits
    assert {each.strategy for each in system.shares} == {strategy}
    assert {each.borrow_limit_percent for each in system.shares} == {UNLIMITED}
    assert system.environment.capacity == {"ml.g5.xlarge": sum(limits.values())}


def test_every_figure_that_the_page_compares_was_printed_by_a_command_of_it() -> None:
    page = ROOT / "docs" / "real-traces.md"
    printed = "".join(block.text for block in blocks_of(page))  # which is held to what the commands print

    rows = re.findall(r"^\| [a-z][^|]+ \|((?: [\d:,.]+ \|)+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)

    figures = [figure for row in rows for figure in row.strip("| ").split(" | ")]
    assert len(figures) == 7 * 4
    assert [
        figure for figure in figures if not re.search(rf"(?<![\d,.:]){re.escape(figure)}(?![\d,.:])", printed)
    ] == []
