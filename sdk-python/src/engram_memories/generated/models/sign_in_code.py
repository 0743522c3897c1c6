# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SignInCode")


@_attrs_define
class SignInCode:
    """A code that is used once, instead of a key."""

    code: str
    """ The code. Shown only in this response; the service stores only a hash. """
    expires_at: str
    """ Time from which the code is rejected. """

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "code": code,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        code = d.pop("code")

        expires_at = d.pop("expires_at")

        sign_in_code = cls(
            code=code,
            expires_at=expires_at,
        )

        return sign_in_code
