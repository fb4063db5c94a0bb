"""The example app: `cdk synth` declares three quota shares, and says what they make of an afternoon of jobs."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import aws_cdk as cdk

from quota_constructs import QuotaPolicyValidation
from quota_constructs.errors import InputError
from quota_constructs.evaluator.evaluation import simulate_path
from quota_constructs.evaluator.report.screen import Screen
from quota_constructs.evaluator.report.text import result_text
from stacks.three_shares import OWNER_RETURNS, ThreeShares

trace = Path(os.path.relpath(OWNER_RETURNS))
app = cdk.App()
ThreeShares(app, "ThreeShares")
cdk.Validations.of(app).add_plugins(QuotaPolicyValidation(traces=[trace]))
assembly = app.synth()

# The validation reports what is wrong, a trace that cannot be read included; this is how it goes otherwise.
with suppress(InputError):
    evaluation = simulate_path(Path(assembly.directory), trace)
    sys.stderr.write(result_text(evaluation, Screen()))
