"""Alibaba's logs: jobs on PAI, jobs on spot GPUs, and pods."""

from __future__ import annotations

from pathlib import Path

import pytest

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.traces.importers import Options
from tests.importing import SAMPLES, imported, table

PAI = "job_id,num_inst,submit_time,num_cpu,num_gpu,gpu_type,duration,user"
SPOT = "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type"
PODS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time"
FRACTION = "holds a fraction of a GPU: counted as whole ones"


def pod(
    name: str,
    *,
    gpus: str = "1",
    milli: str = "1000",
    spec: str = "",
    phase: str = "Succeeded",
    end: str = "400",
    start: str = "100",
) -> str:
    return f"{name},4000,1000,{gpus},{milli},{spec},LS,{phase},0,{end},{start}"


def test_a_job_on_pai_holds_what_num_gpu_says(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", PAI, "a,4,10,600,8.0,V100,60,u1", "b,1,70,600,1,T4,60.0,u2")

    jobs, report = imported("alibaba-pai-2020", path)

    assert jobs == [
        {"id": "a", "share": "u1", "submit": 0, "duration": 60, "instance_count": 8},
        {"id": "b", "share": "u2", "submit": 60, "duration": 60, "instance_count": 1},
    ]
    assert (report.dropped, report.altered) == ({}, {})


def test_odd_jobs_on_pai_are_accounted_for(tmp_path: Path) -> None:
    path = table(
        tmp_path / "t.csv",
        PAI,
        "half,1,0,600,0.5,T4,60,u1",
        "none,1,0,600,,CPU,60,u1",
        "zero,1,0,600,0,CPU,60,u1",
        "short,1,0,600,1,T4,0,u1",
        "backwards,1,0,600,1,T4,-5,u1",
        "open,1,0,600,1,T4,,u1",
    )

    jobs, report = imported("alibaba-pai-2020", path)

    assert [(job["id"], job["duration"], job["instance_count"]) for job in jobs] == [("half", 60, 1), ("short", 1, 1)]
    assert report.dropped == {"holds no GPU": 2, "the run time is negative": 1, "no run time is recorded": 1}
    assert report.altered[FRACTION] == 1
    assert sum(report.altered.values()) == 2


def test_a_gpu_model_can_be_given_an_instance_type(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", PAI, "a,1,0,600,1,V100,60,u1", "b,1,0,600,1,T4,60,u1")
    types = {"V100": "ml.p3.2xlarge", "*": "ml.g4dn.xlarge"}

    jobs, _ = imported("alibaba-pai-2020", path, options=Options(instance_types=types))

    assert [job["instance_type"] for job in jobs] == ["ml.p3.2xlarge", "ml.g4dn.xlarge"]


def test_a_job_on_spot_gpus_holds_those_of_all_its_workers(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", SPOT, "9,57,A100,15,8,16,100,60,Spot", "8,13,A10,15,1,1,90,60,HP")
    options = Options(priority="job_type", priorities={"HP": 10, "Spot": 1})

    jobs, report = imported("alibaba-spot-2026", path, options=options)

    assert [(job["share"], job["instance_count"], job["priority"]) for job in jobs] == [("13", 1, 10), ("57", 128, 1)]
    assert any("times worker_num" in note for note in report.notes)


def test_a_pod_works_from_when_it_is_scheduled(tmp_path: Path) -> None:
    jobs, report = imported("openb", table(tmp_path / "t.csv", PODS, pod("a", gpus="8")))

    assert jobs == [{"id": "a", "share": "LS", "submit": 0, "duration": 300, "instance_count": 8}]
    assert (report.dropped, report.altered, report.remarks) == ({}, {}, {})


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param(
            {"phase": "Pending", "start": ""}, "never ran, so there is no work to repeat", id="only ever waited"
        ),
        pytest.param({"gpus": "0", "milli": "0"}, "holds no GPU", id="no GPU"),
        pytest.param(
            {"end": ""}, "still running where the log ends, so how long it works is not known", id="not deleted"
        ),
        pytest.param({"end": "50"}, "ends before it starts", id="deleted before it is scheduled"),
    ],
)
def test_a_pod_that_is_no_job_is_dropped_with_its_reason(tmp_path: Path, fields: dict[str, str], reason: str) -> None:
    jobs, report = imported("openb", table(tmp_path / "t.csv", PODS, pod("1", **fields), pod("2")))

    assert [job["id"] for job in jobs] == ["2"]
    assert report.dropped == {reason: 1}


@pytest.mark.parametrize(
    ("fields", "altered"),
    [
        pytest.param({"milli": "250"}, FRACTION, id="a part of a GPU"),
        pytest.param({"start": "400"}, "ran for 0 s, which is less than was measured: counted as 1 s", id="0 s"),
    ],
)
def test_a_pod_that_is_altered_is_reported(tmp_path: Path, fields: dict[str, str], altered: str) -> None:
    jobs, report = imported("openb", table(tmp_path / "t.csv", PODS, pod("1", **fields)))

    assert [job["instance_count"] for job in jobs] == [1]
    assert report.altered == {altered: 1}


@pytest.mark.parametrize(
    ("fields", "remark"),
    [
        pytest.param({"phase": "Failed"}, "ended as failed: the time recorded may be less than the job needed", id="f"),
        pytest.param({"end": "12902960"}, "deleted in the last second of the log, so it may have run on", id="cut off"),
    ],
)
def test_a_pod_that_may_have_worked_on_is_reported(tmp_path: Path, fields: dict[str, str], remark: str) -> None:
    _, report = imported(
        "openb", table(tmp_path / "t.csv", PODS, pod("1", **fields), pod("2")), options=Options(long_jobs=True)
    )

    assert report.remarks == {remark: 1}


def test_a_list_of_models_counts_each_once(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", PODS, pod("1", spec="V100M16|V100M32|V100M32"))

    with pytest.raises(TraceError, match=r"--instance-type 'V100M16\|V100M32'=TYPE"):
        imported("openb", path, options=Options(instance_types={"T4": "ml.g4dn.xlarge"}))

    jobs, _ = imported("openb", path, options=Options(instance_types={"V100M16|V100M32": "ml.p3.2xlarge"}))
    assert [job["instance_type"] for job in jobs] == ["ml.p3.2xlarge"]


@pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not part of the project")
def test_the_published_example_of_jobs_on_spot_gpus_is_read_whole() -> None:
    jobs, report = imported("alibaba-spot-2026", SAMPLES / "alibaba_spot_job_info_df.sample.csv")

    assert [(job["share"], job["submit"], job["duration"], job["instance_count"]) for job in jobs] == [
        ("13", 0, 2_764_799, 1),
        ("13", 0, 15_897_599, 1),
        ("57", 9_589_663, 41_060, 16),
        ("57", 9_589_663, 71_718, 94),
    ]
    assert report.dropped == {}
