"""Errors of the sandbox package.

SandboxError
  SandboxUnavailable    the isolation that was asked for cannot be had on this host
"""


class SandboxError(Exception):
    """The sandbox itself failed; never raised for what the code inside it did."""


class SandboxUnavailable(SandboxError):
    """The isolation that was asked for cannot be had on this host; says what to install."""
