"""
The protocols of the services: what a request asks for, and how an answer is written, both held to botocore's models.

Batch speaks REST with JSON bodies; SageMaker and Service Quotas speak JSON 1.1, which names the operation in a header.
"""

from __future__ import annotations

import functools
import importlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from typing import Any

from tests.live.account import REGION, Record
from tests.live.failures import Failure, Violation

botocore_session: Any = importlib.import_module("botocore.session")  # ships no types
botocore_validate: Any = importlib.import_module("botocore.validate")

JSON_1_1 = "application/x-amz-json-1.1"
SERVICES = ("batch", "sagemaker", "service-quotas")
SIGNATURE = re.compile(r"AWS4-HMAC-SHA256 Credential=[^/]+/\d{8}/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request, ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request: what a client asked which service to do."""

    service: str
    operation: str
    request: Record

    @property
    def action(self) -> str:
        """Return the name by which a policy of IAM allows this call."""
        return f"{self.service.replace('-', '')}:{self.operation}"


@functools.cache
def model_of(service: str) -> Any:  # noqa: ANN401 - botocore ships no types
    """Return botocore's model of a service."""
    return botocore_session.get_session().get_service_model(service)


@functools.cache
def operations_of(service: str) -> dict[str, str]:
    """Return the operations of a service by what names them on the wire."""
    model = model_of(service)
    if service == "batch":
        return {model.operation_model(name).http["requestUri"]: name for name in model.operation_names}
    return {f"{model.metadata['targetPrefix']}.{name}": name for name in model.operation_names}


def read_call(path: str, headers: Message, body: bytes) -> Call:
    """Return what a request asks for, or raise if the service would not understand it."""
    target = headers.get("X-Amz-Target", "")
    for service in SERVICES:
        operation = operations_of(service).get(path if service == "batch" else target)
        if operation is not None:
            break
    else:
        raise Violation(f"no service has an operation at {path!r} with the target {target!r}")
    if service != "batch" and (path != "/" or headers.get("Content-Type") != JSON_1_1):
        raise Violation(f"{operation} was sent to {path!r} as {headers.get('Content-Type')!r}")
    _require_signature(service, headers.get("Authorization", ""))
    try:
        request = json.loads(body or b"{}")
    except ValueError as error:
        raise Violation(f"the body of {operation} is no JSON: {error}") from error
    if wrong := list(_violations(request, model_of(service).operation_model(operation).input_shape)):
        raise Violation(f"a request for {operation}: {'; '.join(wrong)}")
    return Call(service=service, operation=operation, request=request)


def write_answer(call: Call, answer: Record) -> bytes:
    """Return the body of an answer, or raise if the service would never give it."""
    if wrong := list(_violations(answer, model_of(call.service).operation_model(call.operation).output_shape)):
        raise Violation(f"an answer to {call.operation}: {'; '.join(wrong)}")
    return json.dumps(answer).encode()


def write_failure(call: Call, failure: Failure) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body that tell a client of a failure."""
    if call.service == "batch":
        return {"x-amzn-ErrorType": failure.code}, json.dumps({"message": failure.message}).encode()
    return {}, json.dumps({"__type": failure.code, "message": failure.message}).encode()


def throttled(call: Call) -> Failure:
    """Return how the service of a call says that there were too many."""
    if call.service == "sagemaker":
        return Failure("ThrottlingException", "Rate exceeded")
    return Failure("TooManyRequestsException", "Too Many Requests", 429)


def denied(call: Call) -> Failure:
    """Return how the service of a call says that its policies do not allow it."""
    return Failure(
        "AccessDeniedException",
        f"User: arn:aws:iam::123456789012:user/reader is not authorized to perform: {call.action} on resource: *"
        " because no identity-based policy allows the action",
        403 if call.service == "batch" else 400,
    )


def _require_signature(service: str, authorization: str) -> None:
    signed = SIGNATURE.match(authorization)
    if signed is None or (signed["region"], signed["service"]) != (REGION, service.replace("-", "")):
        raise Violation(f"a request to {service} was not signed for it: {authorization[:80]!r}")


def _violations(value: object, shape: Any) -> Iterator[str]:  # noqa: ANN401 - botocore ships no types
    """Yield what a shape does not allow, in botocore's judgement and beyond it."""
    errors = botocore_validate.ParamValidator().validate(value, shape)
    if errors.has_errors():
        yield str(errors.generate_report())
        return
    yield from _beyond_botocore(value, shape, shape.name)


def _beyond_botocore(value: Any, shape: Any, place: str) -> Iterator[str]:  # noqa: ANN401 - botocore ships no types
    """Yield what the service refuses and botocore leaves to it: choices, patterns and upper bounds."""
    rules = shape.metadata
    match shape.type_name:
        case "structure":
            for name, member in value.items():
                yield from _beyond_botocore(member, shape.members[name], f"{place}.{name}")
            return
        case "map":
            for name, member in value.items():
                yield from _beyond_botocore(member, shape.value, f"{place}.{name}")
        case "list":
            for index, member in enumerate(value):
                yield from _beyond_botocore(member, shape.member, f"{place}[{index}]")
        case _:
            pass
    if "enum" in rules and value not in rules["enum"]:
        yield f"{place} is {value!r}, which is none of {', '.join(rules['enum'])}"
    if "pattern" in rules and re.fullmatch(rules["pattern"], value) is None:
        yield f"{place} is {value!r}, which does not match {rules['pattern']}"
    size = value if isinstance(value, int | float) else len(value)
    if "max" in rules and size > rules["max"]:
        yield f"{place} is {value!r}, which is above {rules['max']}"
