# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.

from ...._http import AsyncHttp, Http
from ...models.api_key_with_secret import ApiKeyWithSecret
from ...models.sign_in_code import SignInCode
from . import create_sign_in_code as _create_sign_in_code
from . import redeem_sign_in_code as _redeem_sign_in_code


class SignInCodesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
        self,
    ) -> SignInCode:
        """Create a sign-in code.

        Creates a code with which a person signs in to the console: the link is the URL of the service with
        `#/sign-in/` and the code. Browsers send the part of a URL after `#` to no server, so the code is in no
        log. A code is used once, within an hour. A key has one code at most: another one replaces it. For a
        member, who may create codes with `createMemberSignInCode`, too, the code begins with `engram_invite_`,
        and is redeemed on the page where members sign in.

        Needs the scope `admin`.
        """
        return self._http.call(_create_sign_in_code.request())

    def redeem(
        self,
    ) -> ApiKeyWithSecret:
        """Redeem a sign-in code.

        Creates a key with the scopes of the key that created the code and the name `console sign-in`. The new
        key is rejected from twelve hours later on, or when that key expires, if that is earlier. Needs the code
        as `Authorization: Bearer engram_code_…`. Fails with 401 if the code was used or replaced, if it has
        expired, if the key that created it was rotated or is not active, and for the code of a member.
        """
        return self._http.call(_redeem_sign_in_code.request())


class AsyncSignInCodesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self,
    ) -> SignInCode:
        """Create a sign-in code.

        Creates a code with which a person signs in to the console: the link is the URL of the service with
        `#/sign-in/` and the code. Browsers send the part of a URL after `#` to no server, so the code is in no
        log. A code is used once, within an hour. A key has one code at most: another one replaces it. For a
        member, who may create codes with `createMemberSignInCode`, too, the code begins with `engram_invite_`,
        and is redeemed on the page where members sign in.

        Needs the scope `admin`.
        """
        return await self._http.call(_create_sign_in_code.request())

    async def redeem(
        self,
    ) -> ApiKeyWithSecret:
        """Redeem a sign-in code.

        Creates a key with the scopes of the key that created the code and the name `console sign-in`. The new
        key is rejected from twelve hours later on, or when that key expires, if that is earlier. Needs the code
        as `Authorization: Bearer engram_code_…`. Fails with 401 if the code was used or replaced, if it has
        expired, if the key that created it was rotated or is not active, and for the code of a member.
        """
        return await self._http.call(_redeem_sign_in_code.request())
