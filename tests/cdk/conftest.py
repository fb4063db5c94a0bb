"""Node for the CDK, wherever `pytest` was started, and the stack that most tests declare something in."""

import os
import shutil
import sys
from pathlib import Path

import pytest

# jsii looks for Node when `aws_cdk` is first imported; the development requirements bring a supported one along.
if node := shutil.which("node", path=str(Path(sys.executable).parent)):
    os.environ.setdefault("JSII_NODE", node)

import aws_cdk as cdk

from quota_constructs import QuotaManagedJobQueue, ServiceEnvironment


@pytest.fixture
def stack() -> cdk.Stack:
    return cdk.Stack(cdk.App(), "Stack")


@pytest.fixture
def environment(stack: cdk.Stack) -> ServiceEnvironment:
    return ServiceEnvironment(stack, "Environment", capacity={"ml.g5.xlarge": 8, "ml.p5.48xlarge": 2})


@pytest.fixture
def queue(stack: cdk.Stack, environment: ServiceEnvironment) -> QuotaManagedJobQueue:
    return QuotaManagedJobQueue(stack, "Queue", service_environment=environment)
