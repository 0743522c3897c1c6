# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.


from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.archive import Archive
from ...models.archive_manifest import ArchiveManifest
from ...models.archive_page import ArchivePage
from ...models.archive_schedule import ArchiveSchedule
from ...models.create_archive_operation import CreateArchiveOperation
from ...types import UNSET, Unset
from . import create_archive as _create_archive
from . import delete_archive as _delete_archive
from . import get_archive as _get_archive
from . import get_archive_schedule as _get_archive_schedule
from . import list_archives as _list_archives
from . import set_archive_schedule as _set_archive_schedule


class ArchivesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[Archive, ArchivePage]:
        """List archives.

        Returns a page of archives, newest first, also those that are still written.

        Needs the scope `admin`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> ArchivePage:
            return self._http.call(
                _list_archives.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def create(
        self,
        *,
        expires_in_days: int | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CreateArchiveOperation:
        """Create an archive.

        Begins an archive: a copy of all conversations and memories of the organization in the object store of
        the deployment, with the lines that `exportData` returns. It is written in the background, in parts of
        about 8 MiB, and continues where it was after any interruption. `target_id` of the operation is the id
        of the archive. As an export, it is no snapshot: what is created, changed or deleted meanwhile is
        archived as it is when the archive reaches it. An organization has at most 1,000 archives. A deployment
        without an object store fails with 501.

        Needs the scope `admin`.

        Args:
            expires_in_days: Days after which the archive is deleted. Default: it is kept until you delete it.
        """
        return self._http.call(
            _create_archive.request(
                expires_in_days=expires_in_days,
                idempotency_key=idempotency_key,
            )
        )

    def get_schedule(
        self,
    ) -> ArchiveSchedule:
        """Get the schedule of archives.

        Returns when archives are begun without a request, and how long they are kept.

        Needs the scope `admin`.
        """
        return self._http.call(_get_archive_schedule.request())

    def set_schedule(
        self,
        *,
        every_days: int | None,
        keep_days: int | None | Unset = UNSET,
    ) -> ArchiveSchedule:
        """Set the schedule of archives.

        Has an archive begun each time a number of days has passed, the first within a minute or so. Archives
        that exist keep the time at which they expire. None is begun while the organization has as many as it
        may have, or is being deleted.

        Needs the scope `admin`.

        Args:
            every_days: An archive is begun each time this number of days has passed; null for none.
            keep_days: Days after which such an archive expires. Default null: all are kept.
        """
        return self._http.call(
            _set_archive_schedule.request(
                every_days=every_days,
                keep_days=keep_days,
            )
        )

    def get(
        self,
        archive_id: str,
    ) -> ArchiveManifest:
        """Get an archive.

        Returns an archive with the size and the SHA-256 of each of its parts. Once it is complete, this does
        not change any more, and the object store has it as `manifest.json` beside the parts.

        Needs the scope `admin`.
        """
        return self._http.call(
            _get_archive.request(
                archive_id=archive_id,
            )
        )

    def delete(
        self,
        archive_id: str,
    ) -> Archive:
        """Delete an archive.

        Deletes an archive: it is excluded from every response, and its objects are removed within some minutes.
        One that is still written is canceled. Until its objects are removed, receipts of deletions name it.

        Needs the scope `admin`.
        """
        return self._http.call(
            _delete_archive.request(
                archive_id=archive_id,
            )
        )


class AsyncArchivesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[Archive, ArchivePage]:
        """List archives.

        Returns a page of archives, newest first, also those that are still written.

        Needs the scope `admin`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> ArchivePage:
            return await self._http.call(
                _list_archives.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def create(
        self,
        *,
        expires_in_days: int | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CreateArchiveOperation:
        """Create an archive.

        Begins an archive: a copy of all conversations and memories of the organization in the object store of
        the deployment, with the lines that `exportData` returns. It is written in the background, in parts of
        about 8 MiB, and continues where it was after any interruption. `target_id` of the operation is the id
        of the archive. As an export, it is no snapshot: what is created, changed or deleted meanwhile is
        archived as it is when the archive reaches it. An organization has at most 1,000 archives. A deployment
        without an object store fails with 501.

        Needs the scope `admin`.

        Args:
            expires_in_days: Days after which the archive is deleted. Default: it is kept until you delete it.
        """
        return await self._http.call(
            _create_archive.request(
                expires_in_days=expires_in_days,
                idempotency_key=idempotency_key,
            )
        )

    async def get_schedule(
        self,
    ) -> ArchiveSchedule:
        """Get the schedule of archives.

        Returns when archives are begun without a request, and how long they are kept.

        Needs the scope `admin`.
        """
        return await self._http.call(_get_archive_schedule.request())

    async def set_schedule(
        self,
        *,
        every_days: int | None,
        keep_days: int | None | Unset = UNSET,
    ) -> ArchiveSchedule:
        """Set the schedule of archives.

        Has an archive begun each time a number of days has passed, the first within a minute or so. Archives
        that exist keep the time at which they expire. None is begun while the organization has as many as it
        may have, or is being deleted.

        Needs the scope `admin`.

        Args:
            every_days: An archive is begun each time this number of days has passed; null for none.
            keep_days: Days after which such an archive expires. Default null: all are kept.
        """
        return await self._http.call(
            _set_archive_schedule.request(
                every_days=every_days,
                keep_days=keep_days,
            )
        )

    async def get(
        self,
        archive_id: str,
    ) -> ArchiveManifest:
        """Get an archive.

        Returns an archive with the size and the SHA-256 of each of its parts. Once it is complete, this does
        not change any more, and the object store has it as `manifest.json` beside the parts.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _get_archive.request(
                archive_id=archive_id,
            )
        )

    async def delete(
        self,
        archive_id: str,
    ) -> Archive:
        """Delete an archive.

        Deletes an archive: it is excluded from every response, and its objects are removed within some minutes.
        One that is still written is canceled. Until its objects are removed, receipts of deletions name it.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _delete_archive.request(
                archive_id=archive_id,
            )
        )
