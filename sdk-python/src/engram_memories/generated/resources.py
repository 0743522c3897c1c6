# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
"""The resources of the API."""

from .._http import AsyncHttp, Http
from .._live import AsyncConversationsResource, AsyncEventsResource, ConversationsResource, EventsResource
from .api.archives.resource import ArchivesResource, AsyncArchivesResource
from .api.audit_events.resource import AsyncAuditEventsResource, AuditEventsResource
from .api.client.resource import AsyncClientResource, ClientResource
from .api.entities.resource import AsyncEntitiesResource, EntitiesResource
from .api.evaluations.resource import AsyncEvaluationsResource, EvaluationsResource
from .api.grants.resource import AsyncGrantsResource, GrantsResource
from .api.health.resource import AsyncHealthResource, HealthResource
from .api.holds.resource import AsyncHoldsResource, HoldsResource
from .api.index.resource import AsyncIndexResource, IndexResource
from .api.keys.resource import AsyncKeysResource, KeysResource
from .api.members.resource import AsyncMembersResource, MembersResource
from .api.memories.resource import AsyncMemoriesResource, MemoriesResource
from .api.messages.resource import AsyncMessagesResource, MessagesResource
from .api.operations.resource import AsyncOperationsResource, OperationsResource
from .api.organizations.resource import AsyncOrganizationsResource, OrganizationsResource
from .api.recalls.resource import AsyncRecallsResource, RecallsResource
from .api.retention.resource import AsyncRetentionResource, RetentionResource
from .api.sign_in_codes.resource import AsyncSignInCodesResource, SignInCodesResource
from .api.summaries.resource import AsyncSummariesResource, SummariesResource
from .api.tickets.resource import AsyncTicketsResource, TicketsResource
from .api.tombstones.resource import AsyncTombstonesResource, TombstonesResource
from .api.usage.resource import AsyncUsageResource, UsageResource
from .api.users.resource import AsyncUsersResource, UsersResource
from .api.webhooks.resource import AsyncWebhooksResource, WebhooksResource


class Resources(ClientResource):
    def __init__(self, http: Http) -> None:
        super().__init__(http)
        self.archives = ArchivesResource(http)
        self.audit_events = AuditEventsResource(http)
        self.conversations = ConversationsResource(http)
        self.entities = EntitiesResource(http)
        self.evaluations = EvaluationsResource(http)
        self.events = EventsResource(http)
        self.grants = GrantsResource(http)
        self.health = HealthResource(http)
        self.holds = HoldsResource(http)
        self.index = IndexResource(http)
        self.keys = KeysResource(http)
        self.members = MembersResource(http)
        self.memories = MemoriesResource(http)
        self.messages = MessagesResource(http)
        self.operations = OperationsResource(http)
        self.organizations = OrganizationsResource(http)
        self.recalls = RecallsResource(http)
        self.retention = RetentionResource(http)
        self.sign_in_codes = SignInCodesResource(http)
        self.summaries = SummariesResource(http)
        self.tickets = TicketsResource(http)
        self.tombstones = TombstonesResource(http)
        self.usage = UsageResource(http)
        self.users = UsersResource(http)
        self.webhooks = WebhooksResource(http)


class AsyncResources(AsyncClientResource):
    def __init__(self, http: AsyncHttp) -> None:
        super().__init__(http)
        self.archives = AsyncArchivesResource(http)
        self.audit_events = AsyncAuditEventsResource(http)
        self.conversations = AsyncConversationsResource(http)
        self.entities = AsyncEntitiesResource(http)
        self.evaluations = AsyncEvaluationsResource(http)
        self.events = AsyncEventsResource(http)
        self.grants = AsyncGrantsResource(http)
        self.health = AsyncHealthResource(http)
        self.holds = AsyncHoldsResource(http)
        self.index = AsyncIndexResource(http)
        self.keys = AsyncKeysResource(http)
        self.members = AsyncMembersResource(http)
        self.memories = AsyncMemoriesResource(http)
        self.messages = AsyncMessagesResource(http)
        self.operations = AsyncOperationsResource(http)
        self.organizations = AsyncOrganizationsResource(http)
        self.recalls = AsyncRecallsResource(http)
        self.retention = AsyncRetentionResource(http)
        self.sign_in_codes = AsyncSignInCodesResource(http)
        self.summaries = AsyncSummariesResource(http)
        self.tickets = AsyncTicketsResource(http)
        self.tombstones = AsyncTombstonesResource(http)
        self.usage = AsyncUsageResource(http)
        self.users = AsyncUsersResource(http)
        self.webhooks = AsyncWebhooksResource(http)
