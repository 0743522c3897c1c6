# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
"""The resources of the API."""

from .._http import AsyncHttp, Http
from .._live import AsyncConversations, AsyncEvents, Conversations, Events
from .api.archives.resource import Archives, AsyncArchives
from .api.audit_events.resource import AsyncAuditEvents, AuditEvents
from .api.client.resource import AsyncClient, Client
from .api.entities.resource import AsyncEntities, Entities
from .api.evaluations.resource import AsyncEvaluations, Evaluations
from .api.grants.resource import AsyncGrants, Grants
from .api.health.resource import AsyncHealth, Health
from .api.holds.resource import AsyncHolds, Holds
from .api.index.resource import AsyncIndex, Index
from .api.keys.resource import AsyncKeys, Keys
from .api.members.resource import AsyncMembers, Members
from .api.memories.resource import AsyncMemories, Memories
from .api.messages.resource import AsyncMessages, Messages
from .api.operations.resource import AsyncOperations, Operations
from .api.organizations.resource import AsyncOrganizations, Organizations
from .api.recalls.resource import AsyncRecalls, Recalls
from .api.retention.resource import AsyncRetention, Retention
from .api.sign_in_codes.resource import AsyncSignInCodes, SignInCodes
from .api.summaries.resource import AsyncSummaries, Summaries
from .api.tickets.resource import AsyncTickets, Tickets
from .api.tombstones.resource import AsyncTombstones, Tombstones
from .api.usage.resource import AsyncUsage, Usage
from .api.users.resource import AsyncUsers, Users
from .api.webhooks.resource import AsyncWebhooks, Webhooks


class Resources(Client):
    def __init__(self, http: Http) -> None:
        super().__init__(http)
        self.archives = Archives(http)
        self.audit_events = AuditEvents(http)
        self.conversations = Conversations(http)
        self.entities = Entities(http)
        self.evaluations = Evaluations(http)
        self.events = Events(http)
        self.grants = Grants(http)
        self.health = Health(http)
        self.holds = Holds(http)
        self.index = Index(http)
        self.keys = Keys(http)
        self.members = Members(http)
        self.memories = Memories(http)
        self.messages = Messages(http)
        self.operations = Operations(http)
        self.organizations = Organizations(http)
        self.recalls = Recalls(http)
        self.retention = Retention(http)
        self.sign_in_codes = SignInCodes(http)
        self.summaries = Summaries(http)
        self.tickets = Tickets(http)
        self.tombstones = Tombstones(http)
        self.usage = Usage(http)
        self.users = Users(http)
        self.webhooks = Webhooks(http)


class AsyncResources(AsyncClient):
    def __init__(self, http: AsyncHttp) -> None:
        super().__init__(http)
        self.archives = AsyncArchives(http)
        self.audit_events = AsyncAuditEvents(http)
        self.conversations = AsyncConversations(http)
        self.entities = AsyncEntities(http)
        self.evaluations = AsyncEvaluations(http)
        self.events = AsyncEvents(http)
        self.grants = AsyncGrants(http)
        self.health = AsyncHealth(http)
        self.holds = AsyncHolds(http)
        self.index = AsyncIndex(http)
        self.keys = AsyncKeys(http)
        self.members = AsyncMembers(http)
        self.memories = AsyncMemories(http)
        self.messages = AsyncMessages(http)
        self.operations = AsyncOperations(http)
        self.organizations = AsyncOrganizations(http)
        self.recalls = AsyncRecalls(http)
        self.retention = AsyncRetention(http)
        self.sign_in_codes = AsyncSignInCodes(http)
        self.summaries = AsyncSummaries(http)
        self.tickets = AsyncTickets(http)
        self.tombstones = AsyncTombstones(http)
        self.usage = AsyncUsage(http)
        self.users = AsyncUsers(http)
        self.webhooks = AsyncWebhooks(http)
