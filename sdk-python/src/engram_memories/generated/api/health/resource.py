# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.

from ...._http import AsyncHttp, Http
from ...models.health import Health
from ...models.readiness import Readiness
from . import get_health as _get_health
from . import get_readiness as _get_readiness


class HealthResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
    ) -> Health:
        """Check that the service is running.

        Responds while the service is running, under any `Host`. Needs no key and does not read the database;
        `getReadiness` does.
        """
        return self._http.call(_get_health.request())

    def ready(
        self,
    ) -> Readiness:
        """Check that the service is ready.

        Needs no API key, and responds under any `Host`. Reads the database once, and succeeds if the database
        has every migration that this version requires. Does not check the embedding model or the vector store:
        without them everything works except semantic search, and a `hybrid` search reports that in `degraded`.
        """
        return self._http.call(_get_readiness.request())


class AsyncHealthResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
    ) -> Health:
        """Check that the service is running.

        Responds while the service is running, under any `Host`. Needs no key and does not read the database;
        `getReadiness` does.
        """
        return await self._http.call(_get_health.request())

    async def ready(
        self,
    ) -> Readiness:
        """Check that the service is ready.

        Needs no API key, and responds under any `Host`. Reads the database once, and succeeds if the database
        has every migration that this version requires. Does not check the embedding model or the vector store:
        without them everything works except semantic search, and a `hybrid` search reports that in `degraded`.
        """
        return await self._http.call(_get_readiness.request())
