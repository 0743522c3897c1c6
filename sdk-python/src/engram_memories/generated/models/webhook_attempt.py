# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.webhook_attempt_error_type_1 import WebhookAttemptErrorType1, check_webhook_attempt_error_type_1
from ..models.webhook_attempt_error_type_2_type_1 import (
    WebhookAttemptErrorType2Type1,
    check_webhook_attempt_error_type_2_type_1,
)
from ..models.webhook_attempt_error_type_3_type_1 import (
    WebhookAttemptErrorType3Type1,
    check_webhook_attempt_error_type_3_type_1,
)

T = TypeVar("T", bound="WebhookAttempt")


@_attrs_define
class WebhookAttempt:
    """How the request ended."""

    started_at: str
    """ Time when the request was sent. """
    duration_ms: int
    """ Milliseconds until the response, or until the attempt failed. """
    status: int | None
    """ HTTP status of the response; null if none arrived. """
    error: None | WebhookAttemptErrorType1 | WebhookAttemptErrorType2Type1 | WebhookAttemptErrorType3Type1
    """ Why the attempt failed; null if it succeeded. `status`: the response was not 200 to 299. `redirect`: it was
    a redirect, which is not followed. `timeout`: no response within 10 seconds. `name_not_resolved`: the host name
    has no address. `connection_failed`: the receiver accepted no connection. `tls_failed`: the TLS handshake
    failed, for example because the certificate is not valid. `connection_closed`: the connection ended before the
    response. `invalid_response`: the response was not HTTP, or its headers were too large. `no_response`: no
    response, for a reason that is not known. `url_refused`: the URL or the address of its host is not public.
    `secret_unreadable`: the service has another admin token than when the secret was made; rotate the secret. """

    def to_dict(self) -> dict[str, Any]:
        started_at = self.started_at

        duration_ms = self.duration_ms

        status: int | None
        status = self.status

        error: None | str
        if isinstance(self.error, str):
            error = self.error
        elif isinstance(self.error, str):
            error = self.error
        elif isinstance(self.error, str):
            error = self.error
        else:
            error = self.error

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "started_at": started_at,
                "duration_ms": duration_ms,
                "status": status,
                "error": error,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        started_at = d.pop("started_at")

        duration_ms = d.pop("duration_ms")

        def _parse_status(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        status = _parse_status(d.pop("status"))

        def _parse_error(
            data: object,
        ) -> None | WebhookAttemptErrorType1 | WebhookAttemptErrorType2Type1 | WebhookAttemptErrorType3Type1:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                error_type_1 = check_webhook_attempt_error_type_1(data)

                return error_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                error_type_2_type_1 = check_webhook_attempt_error_type_2_type_1(data)

                return error_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                error_type_3_type_1 = check_webhook_attempt_error_type_3_type_1(data)

                return error_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                None | WebhookAttemptErrorType1 | WebhookAttemptErrorType2Type1 | WebhookAttemptErrorType3Type1, data
            )

        error = _parse_error(d.pop("error"))

        webhook_attempt = cls(
            started_at=started_at,
            duration_ms=duration_ms,
            status=status,
            error=error,
        )

        return webhook_attempt
