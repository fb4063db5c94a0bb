"""
Every error this package raises on purpose, as one tree.

* QuotaConstructsError
  x ConfigurationError   a construct or policy was given values that could never deploy
  x InputError           something handed to the evaluator cannot be used; names file and place
    + TemplateError      a template or cloud assembly cannot be read as quota shares
    + TraceError         a contention trace is malformed
    + UsageError         an option or a combination of options makes no sense
    + LiveError          the service, or the way to it, does not give what is asked
  x SchedulingLoopError  the simulated scheduler did not come to rest at one instant

A refused policy is no error: it is a finding (`quota_constructs.evaluator.findings`).
"""


class QuotaConstructsError(Exception):
    """Base of all errors of this package; its text is one line for a person."""


class ConfigurationError(QuotaConstructsError, ValueError):
    """A construct or policy was given values that could never deploy."""


class InputError(QuotaConstructsError):
    """Something handed to the evaluator cannot be used; the text names file and place."""


class TemplateError(InputError):
    """A template or cloud assembly cannot be read as quota shares."""


class TraceError(InputError):
    """A contention trace is malformed."""


class UsageError(InputError):
    """An option, or a combination of options, makes no sense."""


class LiveError(InputError):
    """The service, or the way to it, does not give what is asked; the text says the way out."""


class SchedulingLoopError(QuotaConstructsError):
    """The simulated scheduler did not come to rest at one instant; the text names the jobs that alternate."""
