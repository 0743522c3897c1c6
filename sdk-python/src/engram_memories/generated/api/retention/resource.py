# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping
from typing import Any

from ...._http import AsyncHttp, Http
from ...models.create_retention_rule_body_by import CreateRetentionRuleBodyBy
from ...models.create_retention_rule_body_filter import CreateRetentionRuleBodyFilter
from ...models.create_retention_rule_body_kind import CreateRetentionRuleBodyKind
from ...models.preview_retention_rule_body_by import PreviewRetentionRuleBodyBy
from ...models.preview_retention_rule_body_filter import PreviewRetentionRuleBodyFilter
from ...models.preview_retention_rule_body_kind import PreviewRetentionRuleBodyKind
from ...models.retention_preview import RetentionPreview
from ...models.retention_rule import RetentionRule
from ...models.retention_rule_list import RetentionRuleList
from ...types import UNSET, Unset
from . import create_retention_rule as _create_retention_rule
from . import delete_retention_rule as _delete_retention_rule
from . import get_retention_rule as _get_retention_rule
from . import list_retention_rules as _list_retention_rules
from . import preview_retention_rule as _preview_retention_rule
from . import update_retention_rule as _update_retention_rule


class RetentionResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
    ) -> RetentionRuleList:
        """List the rules of retention.

        Returns all rules of the organization, at most 50, oldest first.

        Needs the scope `admin`.
        """
        return self._http.call(_list_retention_rules.request())

    def create(
        self,
        *,
        name: str,
        kind: CreateRetentionRuleBodyKind,
        older_than_days: int,
        by: CreateRetentionRuleBodyBy | Unset = UNSET,
        filter: CreateRetentionRuleBodyFilter | Mapping[str, Any] | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> RetentionRule:
        """Create a rule of retention.

        Creates a rule, which the service usually applies for the first time within a few minutes, and later if
        many organizations have something due, which then take turns: what is older is then deleted. Use
        `previewRetentionRule` before, or `dry_run`. A rule of conversations or memories is applied again each
        hour, any other each day. The conversations or memories that it matches are deleted by an ordinary
        operation with a receipt, as `deleteConversations` and `deleteMemories` do, which names the rule. If
        nothing matches, there is no operation, unless a list is too long to know that before. While one still
        finds what to delete, the rule begins no other. Everything else is removed in the steps of the service's
        periodic work, without an operation. Each application that deletes something has the audit event
        `retention.applied`. Of audit events, only those that are in the chain are deleted, oldest first, and
        never the newest of it. An organization has at most 50 rules.

        Needs the scope `admin`.

        Args:
            name: Your own name for the rule.
            kind: What the rule deletes. `events`: the event log, which never keeps more than seven days.
                `recalls`: receipts of recall, which are never kept for more than 30 days. `usage`: whole days
                of it.
            older_than_days: Age in days of 24 hours from which items are deleted.
            by: Time by which the age counts. `last_message_at`: only for conversations. One without messages
                counts from its `created_at`. Default `created_at`, the only one of kinds other than
                `conversations` and `memories`.
            filter: Which conversations or memories the rule is about. All conditions must match; without any,
                it is about all.
            dry_run: `true`: the rule only counts what it would delete, in `matched`, and deletes nothing.
                Default `false`.
        """
        return self._http.call(
            _create_retention_rule.request(
                name=name,
                kind=kind,
                older_than_days=older_than_days,
                by=by,
                filter=filter,
                dry_run=dry_run,
                idempotency_key=idempotency_key,
            )
        )

    def preview(
        self,
        *,
        kind: PreviewRetentionRuleBodyKind,
        older_than_days: int,
        by: PreviewRetentionRuleBodyBy | Unset = UNSET,
        filter: PreviewRetentionRuleBodyFilter | Mapping[str, Any] | Unset = UNSET,
    ) -> RetentionPreview:
        """Preview a rule of retention.

        Counts what a rule with these fields would delete now, and returns some of it. Changes nothing.

        Needs the scope `admin`.

        Args:
            kind: What the rule deletes. `events`: the event log, which never keeps more than seven days.
                `recalls`: receipts of recall, which are never kept for more than 30 days. `usage`: whole days
                of it.
            older_than_days: Age in days of 24 hours from which items are deleted.
            by: Time by which the age counts. `last_message_at`: only for conversations. One without messages
                counts from its `created_at`. Default `created_at`, the only one of kinds other than
                `conversations` and `memories`.
            filter: Which conversations or memories the rule is about. All conditions must match; without any,
                it is about all.
        """
        return self._http.call(
            _preview_retention_rule.request(
                kind=kind,
                older_than_days=older_than_days,
                by=by,
                filter=filter,
            )
        )

    def get(
        self,
        rule_id: str,
    ) -> RetentionRule:
        """Get a rule of retention.

        Returns a rule, with how many items it matched when it was last applied.

        Needs the scope `admin`.
        """
        return self._http.call(
            _get_retention_rule.request(
                rule_id=rule_id,
            )
        )

    def delete(
        self,
        rule_id: str,
    ) -> RetentionRule:
        """Delete a rule of retention.

        Deletes a rule, which is not applied again. A deletion that it has begun goes on; `cancelOperation`
        stops it.

        Needs the scope `admin`.
        """
        return self._http.call(
            _delete_retention_rule.request(
                rule_id=rule_id,
            )
        )

    def update(
        self,
        rule_id: str,
        *,
        name: str | Unset = UNSET,
        older_than_days: int | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
    ) -> RetentionRule:
        """Update a rule of retention.

        Changes the given fields; omitted fields stay unchanged. The rule is usually applied again within a few
        minutes. What a rule is about (`kind`, `by`, `filter`) never changes: create another rule in its place.

        Needs the scope `admin`.

        Args:
            name: Your own name for the rule.
            older_than_days: Age in days of 24 hours from which items are deleted.
            dry_run: `true`: the rule only counts what it would delete, in `matched`, and deletes nothing.
        """
        return self._http.call(
            _update_retention_rule.request(
                rule_id=rule_id,
                name=name,
                older_than_days=older_than_days,
                dry_run=dry_run,
            )
        )


class AsyncRetentionResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
    ) -> RetentionRuleList:
        """List the rules of retention.

        Returns all rules of the organization, at most 50, oldest first.

        Needs the scope `admin`.
        """
        return await self._http.call(_list_retention_rules.request())

    async def create(
        self,
        *,
        name: str,
        kind: CreateRetentionRuleBodyKind,
        older_than_days: int,
        by: CreateRetentionRuleBodyBy | Unset = UNSET,
        filter: CreateRetentionRuleBodyFilter | Mapping[str, Any] | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> RetentionRule:
        """Create a rule of retention.

        Creates a rule, which the service usually applies for the first time within a few minutes, and later if
        many organizations have something due, which then take turns: what is older is then deleted. Use
        `previewRetentionRule` before, or `dry_run`. A rule of conversations or memories is applied again each
        hour, any other each day. The conversations or memories that it matches are deleted by an ordinary
        operation with a receipt, as `deleteConversations` and `deleteMemories` do, which names the rule. If
        nothing matches, there is no operation, unless a list is too long to know that before. While one still
        finds what to delete, the rule begins no other. Everything else is removed in the steps of the service's
        periodic work, without an operation. Each application that deletes something has the audit event
        `retention.applied`. Of audit events, only those that are in the chain are deleted, oldest first, and
        never the newest of it. An organization has at most 50 rules.

        Needs the scope `admin`.

        Args:
            name: Your own name for the rule.
            kind: What the rule deletes. `events`: the event log, which never keeps more than seven days.
                `recalls`: receipts of recall, which are never kept for more than 30 days. `usage`: whole days
                of it.
            older_than_days: Age in days of 24 hours from which items are deleted.
            by: Time by which the age counts. `last_message_at`: only for conversations. One without messages
                counts from its `created_at`. Default `created_at`, the only one of kinds other than
                `conversations` and `memories`.
            filter: Which conversations or memories the rule is about. All conditions must match; without any,
                it is about all.
            dry_run: `true`: the rule only counts what it would delete, in `matched`, and deletes nothing.
                Default `false`.
        """
        return await self._http.call(
            _create_retention_rule.request(
                name=name,
                kind=kind,
                older_than_days=older_than_days,
                by=by,
                filter=filter,
                dry_run=dry_run,
                idempotency_key=idempotency_key,
            )
        )

    async def preview(
        self,
        *,
        kind: PreviewRetentionRuleBodyKind,
        older_than_days: int,
        by: PreviewRetentionRuleBodyBy | Unset = UNSET,
        filter: PreviewRetentionRuleBodyFilter | Mapping[str, Any] | Unset = UNSET,
    ) -> RetentionPreview:
        """Preview a rule of retention.

        Counts what a rule with these fields would delete now, and returns some of it. Changes nothing.

        Needs the scope `admin`.

        Args:
            kind: What the rule deletes. `events`: the event log, which never keeps more than seven days.
                `recalls`: receipts of recall, which are never kept for more than 30 days. `usage`: whole days
                of it.
            older_than_days: Age in days of 24 hours from which items are deleted.
            by: Time by which the age counts. `last_message_at`: only for conversations. One without messages
                counts from its `created_at`. Default `created_at`, the only one of kinds other than
                `conversations` and `memories`.
            filter: Which conversations or memories the rule is about. All conditions must match; without any,
                it is about all.
        """
        return await self._http.call(
            _preview_retention_rule.request(
                kind=kind,
                older_than_days=older_than_days,
                by=by,
                filter=filter,
            )
        )

    async def get(
        self,
        rule_id: str,
    ) -> RetentionRule:
        """Get a rule of retention.

        Returns a rule, with how many items it matched when it was last applied.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _get_retention_rule.request(
                rule_id=rule_id,
            )
        )

    async def delete(
        self,
        rule_id: str,
    ) -> RetentionRule:
        """Delete a rule of retention.

        Deletes a rule, which is not applied again. A deletion that it has begun goes on; `cancelOperation`
        stops it.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _delete_retention_rule.request(
                rule_id=rule_id,
            )
        )

    async def update(
        self,
        rule_id: str,
        *,
        name: str | Unset = UNSET,
        older_than_days: int | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
    ) -> RetentionRule:
        """Update a rule of retention.

        Changes the given fields; omitted fields stay unchanged. The rule is usually applied again within a few
        minutes. What a rule is about (`kind`, `by`, `filter`) never changes: create another rule in its place.

        Needs the scope `admin`.

        Args:
            name: Your own name for the rule.
            older_than_days: Age in days of 24 hours from which items are deleted.
            dry_run: `true`: the rule only counts what it would delete, in `matched`, and deletes nothing.
        """
        return await self._http.call(
            _update_retention_rule.request(
                rule_id=rule_id,
                name=name,
                older_than_days=older_than_days,
                dry_run=dry_run,
            )
        )
