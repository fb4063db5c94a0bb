"""The operations of SageMaker and Service Quotas that read, on an account in memory."""

from __future__ import annotations

from collections.abc import Callable

from tests.live.account import Account, Record
from tests.live.failures import Failure
from tests.live.paging import page


def describe_training_job(account: Account, request: Record) -> Record:
    """Return one training job."""
    name = request["TrainingJobName"]
    if name not in account.training_jobs:
        raise Failure("ValidationException", "Requested resource not found.")
    return account.training_jobs[name]


def list_service_quotas(account: Account, request: Record) -> Record:
    """Return the quotas of a service that were changed for the account."""
    return _quotas(account.applied_quotas, request)


def list_aws_default_service_quotas(account: Account, request: Record) -> Record:
    """Return the quotas of a service as every account starts with them."""
    return _quotas(account.default_quotas, request)


def get_service_quota(account: Account, request: Record) -> Record:
    """Return one quota as changed for the account."""
    return _quota(account.applied_quotas, request)


def get_aws_default_service_quota(account: Account, request: Record) -> Record:
    """Return one quota as every account starts with it."""
    return _quota(account.default_quotas, request)


SAGEMAKER: dict[str, Callable[[Account, Record], Record]] = {"DescribeTrainingJob": describe_training_job}
SERVICE_QUOTAS: dict[str, Callable[[Account, Record], Record]] = {
    "GetAWSDefaultServiceQuota": get_aws_default_service_quota,
    "GetServiceQuota": get_service_quota,
    "ListAWSDefaultServiceQuotas": list_aws_default_service_quotas,
    "ListServiceQuotas": list_service_quotas,
}


def _quotas(quotas: dict[str, Record], request: Record) -> Record:
    of_service = sorted(
        (quota for quota in quotas.values() if quota["ServiceCode"] == request["ServiceCode"]),
        key=lambda quota: quota["QuotaCode"],
    )
    shown, token = page(
        of_service,
        request,
        place=lambda quota: [quota["QuotaCode"]],
        token_name="NextToken",  # noqa: S106 - the name of a member
        size=request.get("MaxResults", 100),
    )
    return {"Quotas": list(shown)} | ({} if token is None else {"NextToken": token})


def _quota(quotas: dict[str, Record], request: Record) -> Record:
    quota = quotas.get(request["QuotaCode"])
    if quota is None or quota["ServiceCode"] != request["ServiceCode"]:
        raise Failure("NoSuchResourceException", "The request failed because the specified quota does not exist.")
    return {"Quota": quota}
