# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.webhook_with_secret_paused_reason_type_1 import (
    WebhookWithSecretPausedReasonType1,
    check_webhook_with_secret_paused_reason_type_1,
)
from ..models.webhook_with_secret_paused_reason_type_2_type_1 import (
    WebhookWithSecretPausedReasonType2Type1,
    check_webhook_with_secret_paused_reason_type_2_type_1,
)
from ..models.webhook_with_secret_paused_reason_type_3_type_1 import (
    WebhookWithSecretPausedReasonType3Type1,
    check_webhook_with_secret_paused_reason_type_3_type_1,
)
from ..models.webhook_with_secret_types_type_0_item import (
    WebhookWithSecretTypesType0Item,
    check_webhook_with_secret_types_type_0_item,
)

T = TypeVar("T", bound="WebhookWithSecret")


@_attrs_define
class WebhookWithSecret:
    """A webhook with its secret, which is shown only once."""

    id: str
    """ Id of a webhook. """
    url: str
    """ URL that events are sent to: `https`, with a public host name, and the port 443 or 8443. Addresses and
    internal names are refused. Hosts that the operator allows may be internal, and have any port and `http`. """
    types: list[WebhookWithSecretTypesType0Item] | None
    """ Types of events to send; null for all. """
    enabled: bool
    """ Whether you want events to be sent. """
    paused_reason: (
        None
        | WebhookWithSecretPausedReasonType1
        | WebhookWithSecretPausedReasonType2Type1
        | WebhookWithSecretPausedReasonType3Type1
    )
    """ Why the service has paused the webhook: `failing` after the last attempt at an event, five days after the
    first, or `gone` after the response 410. Events keep their place until `resumeWebhook` or `skipDelivery`. Null
    unless paused. """
    after: int
    """ Sequence of the last event that was delivered or skipped. """
    failing_since: None | str
    """ Time of the first failed attempt at the event that is sent next; null if none failed. """
    missed_up_to: int | None
    """ Sequence of the last event that was deleted from the log before it was sent, because the webhook was more
    than seven days or a million events behind. Read your data again. Null if none was; an update of `after` resets
    it. """
    created_at: str
    """ Time when the webhook was created. """
    updated_at: str
    """ Time of the last change of its settings. """
    secret: str
    """ Secret that verifies the signatures, in the form of Standard Webhooks. It is shown only in this response.
    """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        url = self.url

        types: list[str] | None
        if isinstance(self.types, list):
            types = []
            for types_type_0_item_data in self.types:
                types_type_0_item: str = types_type_0_item_data
                types.append(types_type_0_item)

        else:
            types = self.types

        enabled = self.enabled

        paused_reason: None | str
        if isinstance(self.paused_reason, str):
            paused_reason = self.paused_reason
        elif isinstance(self.paused_reason, str):
            paused_reason = self.paused_reason
        elif isinstance(self.paused_reason, str):
            paused_reason = self.paused_reason
        else:
            paused_reason = self.paused_reason

        after = self.after

        failing_since: None | str
        failing_since = self.failing_since

        missed_up_to: int | None
        missed_up_to = self.missed_up_to

        created_at = self.created_at

        updated_at = self.updated_at

        secret = self.secret

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "url": url,
                "types": types,
                "enabled": enabled,
                "paused_reason": paused_reason,
                "after": after,
                "failing_since": failing_since,
                "missed_up_to": missed_up_to,
                "created_at": created_at,
                "updated_at": updated_at,
                "secret": secret,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        url = d.pop("url")

        def _parse_types(data: object) -> list[WebhookWithSecretTypesType0Item] | None:
            if data is None:
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                types_type_0 = []
                _types_type_0 = data
                for types_type_0_item_data in _types_type_0:
                    types_type_0_item = check_webhook_with_secret_types_type_0_item(types_type_0_item_data)

                    types_type_0.append(types_type_0_item)

                return types_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[WebhookWithSecretTypesType0Item] | None, data)

        types = _parse_types(d.pop("types"))

        enabled = d.pop("enabled")

        def _parse_paused_reason(
            data: object,
        ) -> (
            None
            | WebhookWithSecretPausedReasonType1
            | WebhookWithSecretPausedReasonType2Type1
            | WebhookWithSecretPausedReasonType3Type1
        ):
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                paused_reason_type_1 = check_webhook_with_secret_paused_reason_type_1(data)

                return paused_reason_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                paused_reason_type_2_type_1 = check_webhook_with_secret_paused_reason_type_2_type_1(data)

                return paused_reason_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                paused_reason_type_3_type_1 = check_webhook_with_secret_paused_reason_type_3_type_1(data)

                return paused_reason_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                None
                | WebhookWithSecretPausedReasonType1
                | WebhookWithSecretPausedReasonType2Type1
                | WebhookWithSecretPausedReasonType3Type1,
                data,
            )

        paused_reason = _parse_paused_reason(d.pop("paused_reason"))

        after = d.pop("after")

        def _parse_failing_since(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        failing_since = _parse_failing_since(d.pop("failing_since"))

        def _parse_missed_up_to(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        missed_up_to = _parse_missed_up_to(d.pop("missed_up_to"))

        created_at = d.pop("created_at")

        updated_at = d.pop("updated_at")

        secret = d.pop("secret")

        webhook_with_secret = cls(
            id=id,
            url=url,
            types=types,
            enabled=enabled,
            paused_reason=paused_reason,
            after=after,
            failing_since=failing_since,
            missed_up_to=missed_up_to,
            created_at=created_at,
            updated_at=updated_at,
            secret=secret,
        )

        return webhook_with_secret
