"""The logs of ITP's clusters, one file a cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.real_traces import GPU, itp
from tests.importing import SHARED, imported, table

COLUMNS = "job_id,submission_time,duration,num_gpu"


def test_a_file_is_a_team(tmp_path: Path) -> None:
    first = table(tmp_path / "cluster01.csv", COLUMNS, "a,100,600,64", "b,90,700,1")
    second = table(tmp_path / "cluster02.csv", COLUMNS, "c,95,800,8")

    jobs, report = imported("itp", first, second)

    assert jobs == [
        {"id": "b", "share": "cluster01", "submit": 0, "duration": 700, "instance_count": 1},
        {"id": "c", "share": "cluster02", "submit": 5, "duration": 800, "instance_count": 8},
        {"id": "a", "share": "cluster01", "submit": 10, "duration": 600, "instance_count": 64},
    ]
    assert (report.rows, report.kept, report.dropped, report.altered) == (3, 3, {}, {})


def test_columns_that_are_not_needed_are_passed_over(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", "num_gpu,model_name,duration,job_id,submission_time", "2,vgg,600,a,5")

    jobs, _ = imported("itp", path)

    assert jobs == [{"id": "a", "share": "t", "submit": 0, "duration": 600, "instance_count": 2}]


@pytest.mark.skipif(not SHARED.exists(), reason="the logs are not part of the project")
def test_all_clusters_are_the_trace_that_the_benchmarks_make_of_them() -> None:
    folder = SHARED / "ms-itp-elasticflow"
    expected = sorted(itp(folder).jobs, key=lambda job: (job.submit_ms, job.id))
    first_ms = expected[0].submit_ms

    jobs, report = imported("itp", *sorted(folder.glob("cluster*.csv")))

    assert (report.rows, report.kept, report.shares, report.dropped, report.altered) == (69_351, 69_351, 10, {}, {})
    assert [
        (job["id"], job["share"], job["submit"] * 1000, job["duration"] * 1000, ((GPU, job["instance_count"]),))
        for job in sorted(jobs, key=lambda job: (job["submit"], job["id"]))
    ] == [(job.id, job.share, job.submit_ms - first_ms, job.duration_ms, job.instances) for job in expected]
