"""The way to the service: boto3's own, for the calls of one command, with its errors in one line each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from threading import Lock
from typing import Any, Protocol, TypeVar

import msgspec

from quota_constructs.errors import LiveError
from quota_constructs.live.operations import OPERATIONS, Command, Operation
from quota_constructs.printable import shortened

MAX_PAGES = 100_000
"""More than the million jobs that an account may have submitted: a list without an end is a fault."""

_ATTEMPTS = dict.fromkeys(Command, 5) | {Command.RECORD: 10}
_TIMEOUTS = {"connect_timeout": 10, "read_timeout": 60}
_DENIED = frozenset({"AccessDenied", "AccessDeniedException", "UnauthorizedOperation"})
_NOT_VALID = frozenset(
    {
        "ExpiredToken",
        "ExpiredTokenException",
        "IncompleteSignature",
        "InvalidClientTokenId",
        "InvalidSignatureException",
        "MissingAuthenticationToken",
        "SignatureDoesNotMatch",
        "UnrecognizedClientException",
    }
)
_THROTTLED = frozenset({"Throttling", "ThrottlingException", "TooManyRequestsException", "RequestLimitExceeded"})


class RefusedError(LiveError):
    """The service answers with an error of its own."""

    def __init__(self, text: str, *, said: str) -> None:
        super().__init__(text)
        self.is_for_absence = "does not exist" in said or "not found" in said
        """Whether what was asked for is not there, or not any more."""


class _Paged(Protocol):
    @property
    def next_token(self) -> str | None: ...


T = TypeVar("T")
P = TypeVar("P", bound=_Paged)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Where the service is, and as whom to ask; what is None is left to boto3's own chain."""

    region: str | None = None
    profile: str | None = None
    endpoint_url: str | None = None


class Client:
    """Asks what one command may ask, and nothing else."""

    def __init__(self, command: Command, access: Access) -> None:
        self._command = command
        self._access = access
        self._boto3 = _load("boto3")
        self._botocore = _load("botocore")
        self._exceptions = _load("botocore.exceptions")
        self._config = _load("botocore.config").Config(
            retries=_retries(command), user_agent_extra="quota-constructs", **_TIMEOUTS
        )
        self._session: Any = self._translated(
            lambda: self._boto3.session.Session(region_name=access.region, profile_name=access.profile)
        )
        self._clients: dict[str, Any] = {}
        self._making = Lock()

    def call(self, operation: Operation, answer: type[T], **parameters: object) -> T:
        """Return what the service answers to *operation*."""
        if operation not in OPERATIONS[self._command]:
            raise ValueError(
                f"{operation.name} is no call of 'live {self._command}'; add it to its table of operations"
            )
        raw = self._translated(lambda: self._whole(operation, parameters), operation)
        try:
            return msgspec.convert(raw, answer)
        except msgspec.ValidationError as error:
            raise LiveError(f"{operation.name} was answered with what the service does not say: {error}") from None

    def pages(self, operation: Operation, answer: type[P], **parameters: object) -> Iterator[P]:
        """Yield every page of the list that *operation* gives."""
        token: str | None = None
        for _ in range(MAX_PAGES):
            page = self.call(operation, answer, **parameters, **({operation.token: token} if token else {}))
            yield page
            if not page.next_token:
                return
            if page.next_token == token:
                raise LiveError(f"{operation.name} gives the same page again and again; try later")
            token = page.next_token
        raise LiveError(f"{operation.name} has more than {MAX_PAGES:,} pages; narrow down what is asked")

    def _whole(self, operation: Operation, parameters: dict[str, object]) -> dict[str, Any]:
        """Return an answer that has something in it: boto3 takes one that was cut off on its way for an empty one."""
        for _ in range(_ATTEMPTS[self._command]):
            raw: dict[str, Any] = self._method(operation)(**parameters)
            if raw.keys() != {"ResponseMetadata"}:
                return raw
        raise LiveError(f"{operation.name} was answered in part, also when asked again; check the network, try later")

    def _method(self, operation: Operation) -> Callable[..., dict[str, Any]]:
        with self._making:  # a client may be shared between threads, a session may not
            client = self._clients.get(operation.service)
            if client is None:
                client = self._session.client(
                    operation.service, endpoint_url=self._access.endpoint_url, config=self._config
                )
                self._clients[operation.service] = client
        method: Callable[..., dict[str, Any]] = getattr(client, self._botocore.xform_name(operation.name))
        return method

    def _translated(self, ask: Callable[[], T], operation: Operation | None = None) -> T:
        """Return what *ask* returns, or raise what keeps it from doing so, in one line with the way out."""
        errors = self._exceptions
        try:
            return ask()
        except errors.NoRegionError:
            raise LiveError(
                "no Region is set; give --region, set AWS_DEFAULT_REGION, or name one in the profile"
            ) from None
        except errors.ProfileNotFound:
            raise LiveError(
                f"there is no profile '{shortened(self._access.profile or os.environ.get('AWS_PROFILE', ''))}' in the "
                "AWS configuration; name another with --profile"
            ) from None
        except (errors.NoCredentialsError, errors.PartialCredentialsError):
            raise LiveError(
                "no AWS credentials were found; sign in as for the AWS CLI, or name a profile with --profile"
            ) from None
        except errors.ClientError as error:
            raise _refusal(error.response, operation) from None
        except (errors.ConnectionError, errors.HTTPClientError) as error:
            raise LiveError(
                f"the endpoint of the service cannot be reached: {shortened(str(error), length=300)}; check "
                "the network, --region and --endpoint-url"
            ) from None
        except errors.BotoCoreError as error:
            raise LiveError(shortened(str(error), length=500)) from None
        except ValueError as error:  # what boto3 lets through of settings that it cannot read
            raise LiveError(
                f"boto3 cannot use what it is told: {shortened(str(error), length=300)}; check the AWS configuration, "
                "the variables that begin with AWS_, and --endpoint-url"
            ) from None


def _refusal(response: dict[str, Any], operation: Operation | None) -> LiveError:
    """Return the error for what the service answers instead."""
    error = response.get("Error", {})
    code, said = str(error.get("Code", "")), shortened(str(error.get("Message", "")), length=500)
    asked, action = ("the service", "what is asked") if operation is None else (operation.name, operation.action)
    if code in _DENIED:
        return LiveError(f"access denied: allow {action} to the credentials in use; {said}")
    if code in _NOT_VALID:
        return LiveError(f"the AWS credentials are not valid, or not any more; sign in again; {said}")
    if code in _THROTTLED:
        return LiveError(f"{asked} was refused for too many requests, also when tried again; try later")
    return RefusedError(f"{asked} was refused with {shortened(code)}: {said}", said=said)


def _retries(command: Command) -> dict[str, object]:
    """Return how to try again; how often is the user's to say, as for any other use of boto3."""
    often = {} if os.environ.get("AWS_MAX_ATTEMPTS") else {"total_max_attempts": _ATTEMPTS[command]}
    return {"mode": "adaptive", **often}


def _load(name: str) -> Any:  # noqa: ANN401 - boto3 carries no types
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise LiveError(
            "asking the service needs boto3, which is not installed; say pip install 'quota-constructs[live]'"
        ) from None
