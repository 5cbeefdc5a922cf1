"""Errors in the form in which a Mattermost server says them."""

from typing import Any


class AppError(Exception):
    """What is answered in place of what was asked for."""

    def __init__(self, status: int, error_id: str, message: str, detail: str = "") -> None:
        super().__init__(f"{status} {error_id}: {message} {detail}".strip())
        self.status = status
        self.error_id = error_id
        self.message = message
        self.detail = detail

    def body(self, request_id: str, developer: bool) -> dict[str, Any]:
        """As JSON; the detail is kept back unless the server is in developer mode."""
        return {
            "id": self.error_id,
            "message": self.message,
            "detailed_error": self.detail if developer else "",
            "request_id": request_id,
            "status_code": self.status,
        }


def invalid_body(name: str) -> AppError:
    """A field of the body is missing, or of the wrong kind."""
    words = f"Invalid or missing {name} in request body."
    return AppError(400, "api.context.invalid_body_param.app_error", words)


def invalid_url(name: str) -> AppError:
    """A part of the path is no id."""
    words = f"Invalid or missing {name} parameter in request URL."
    return AppError(400, "api.context.invalid_url_param.app_error", words)


def forbidden(permission: str) -> AppError:
    """The one who asks lacks a permission."""
    words = "You do not have the appropriate permissions."
    return AppError(403, "api.context.permissions.app_error", words, f"permission={permission}")


def no_session() -> AppError:
    """The token is none, or not a valid one."""
    words = "Invalid or expired session, please login again."
    return AppError(401, "api.context.session_expired.app_error", words)


def not_found(error_id: str, words: str) -> AppError:
    """There is nothing of that id."""
    return AppError(404, error_id, words)
