// Generated from spec/openapi.json by `npm run generate`. Do not edit.

export interface paths {
    "/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOrganizations"];
        put?: never;
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{organization_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete: operations["deleteOrganization"];
        options?: never;
        head?: never;
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/v1/organizations/{organization_id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrganizationHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{organization_id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["moveOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listKeys"];
        put?: never;
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createSignInCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in-codes/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["redeemSignInCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMembers"];
        put?: never;
        post: operations["createMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMember"];
        put?: never;
        post?: never;
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        patch: operations["updateMember"];
        trace?: never;
    };
    "/v1/members/{member_id}/sign-in-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createMemberSignInCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grants/{grant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listConversations"];
        put?: never;
        post: operations["createConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        patch: operations["updateConversation"];
        trace?: never;
    };
    "/v1/conversations/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["deleteConversations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["forkConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMessages"];
        put?: never;
        post: operations["appendMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete: operations["deleteMessage"];
        options?: never;
        head?: never;
        patch: operations["updateMessage"];
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/messages/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replaceMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSummaries"];
        put?: never;
        post: operations["createSummaries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMemories"];
        put: operations["putMemory"];
        post: operations["createMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createMemories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMemory"];
        put?: never;
        post?: never;
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        patch: operations["updateMemory"];
        trace?: never;
    };
    "/v1/memories/{memory_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMemoryVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["deleteMemories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/enrich": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["enrichMemories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEntities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entities/{entity_id}/mentions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMentions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["searchMemories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recalls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRecalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recalls/{recall_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRecall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateRecall"];
        trace?: never;
    };
    "/v1/recalls/{recall_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayRecall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvaluations"];
        put?: never;
        post: operations["createEvaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/evaluations/{evaluation_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runEvaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/evaluations/{evaluation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteEvaluation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getIndexStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/index/repair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairIndex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importLines"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/archives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listArchives"];
        put?: never;
        post: operations["createArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/archives/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getArchiveSchedule"];
        put: operations["setArchiveSchedule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/archives/{archive_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getArchive"];
        put?: never;
        post?: never;
        delete: operations["deleteArchive"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/archives/{archive_id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getArchiveLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{operation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{operation_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tombstones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTombstones"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tombstones/{tombstone_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteTombstone"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHolds"];
        put?: never;
        post: operations["createHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holds/{hold_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHold"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holds/{hold_id}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["liftHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRetentionRules"];
        put?: never;
        post: operations["createRetentionRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/retention/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewRetentionRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/retention/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRetentionRule"];
        put?: never;
        post?: never;
        delete: operations["deleteRetentionRule"];
        options?: never;
        head?: never;
        patch: operations["updateRetentionRule"];
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/broadcasts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["broadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPresences"];
        put: operations["setPresence"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["skipDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CreatedOrganization: {
            organization: components["schemas"]["Organization"];
            key: components["schemas"]["ApiKeyWithSecret"];
        };
        /** @description A tenant: the owner of keys, conversations and memories. */
        Organization: {
            /**
             * @description Id of an organization, the tenant that owns keys, conversations and memories.
             * @example org_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Display name of the organization.
             * @example Acme support
             */
            name: string;
            on_source_deleted: components["schemas"]["OnSourceDeleted"];
            place: components["schemas"]["Place"];
            jurisdiction: components["schemas"]["Jurisdiction"];
            location: components["schemas"]["LocationHint"];
            /** @description Number of conversations, not counting memories. */
            conversation_count: number;
            /** @description Number of messages in these conversations. */
            message_count: number;
            /**
             * Format: date-time
             * @description Time when the organization was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the organization was deleted; null if it is not deleted. Its data is removed for good afterwards.
             * @example 2026-11-02T09:30:00.000Z
             */
            deleted_at: string | null;
        };
        /**
         * @description What happens to a memory when a message that it cites is deleted or its content is edited, in the same transaction. Each source of the memory has the new `state` in any case, and no longer has text that the message lost. `keep`: nothing else. `flag`: the version number of the memory and its `updated_at` change, and the event `memory.updated` is recorded; `listMemoryVersions` gets no item, because the content is the same. `delete`: the memory is deleted, with the event `memory.deleted`; after an edit only if the message no longer has the cited text, or was cited as a whole, and otherwise it is flagged. A memory under legal hold is flagged instead of deleted, and keeps its quotations until the hold is lifted. Default `flag`.
         * @example flag
         * @enum {string}
         */
        OnSourceDeleted: "keep" | "flag" | "delete";
        /**
         * @description Where the data of the organization is. `d1`: in the database that all such organizations share. `cell`: in a database of its own, a Durable Object of Cloudflare, so that no other organization slows it down or fills it.
         * @example d1
         * @enum {string}
         */
        Place: "d1" | "cell";
        /**
         * @description Jurisdiction in which the cell of the organization, and the object that sends its events, run and store data, as Cloudflare guarantees. `eu`: the European Union. `fedramp`: data centers that comply with FedRAMP.
         * @example eu
         * @enum {string|null}
         */
        Jurisdiction: "eu" | "fedramp" | null;
        /**
         * @description Region near which the cell of the organization was to be created: a hint to Cloudflare, and no guarantee. Western and eastern North America, South America, western and eastern Europe, Asia-Pacific, Oceania, Africa, the Middle East.
         * @example weur
         * @enum {string|null}
         */
        LocationHint: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me" | null;
        /** @description A key with its secret, which is shown only once. */
        ApiKeyWithSecret: {
            /**
             * @description Id of an API key. It is not the key's secret, and cannot authenticate a request.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Display name of the key.
             * @example production worker
             */
            name: string;
            /**
             * @description First characters of the secret, to recognize the key by.
             * @example engram_sk_live_a8Xk
             */
            prefix: string;
            /**
             * @description Permissions of the key.
             * @example [
             *       "read",
             *       "write",
             *       "search"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description Agent that the key is bound to: the key can read and write only that agent's data. Null if it is not bound to one.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description User that the key is bound to: the key can write only that user's data, and read it and what is shared. Null if it is not bound to one.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * Format: date-time
             * @description Time when the key was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time from which the key is rejected; null if it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Time when the key was revoked; null if it was not.
             * @example 2026-11-02T09:30:00.000Z
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last request with the key, to the minute. It is written at most once a minute, so it lags by about a minute. Null before the first request.
             * @example 2026-11-02T09:30:00.000Z
             */
            last_used_at: string | null;
            /**
             * @description Id of the key that replaces this one; null if it was not rotated.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            rotated_to: string | null;
            /**
             * @description Secret that requests send as `Authorization: Bearer`: `engram_sk_live_`, followed by letters and digits. Shown only in this response; the service stores only a hash.
             * @example engram_sk_live_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py06e3tqz8m1k4v9x2c7d04kT9wQ
             */
            secret: string;
        };
        /**
         * @description Permission of a key. `read`: get and list items. `write`: create and update items. `search`: search. `delete`: delete items. `admin`: manage keys and the organization, export and import, and read audit events and usage.
         * @enum {string}
         */
        Scope: "read" | "write" | "search" | "delete" | "admin";
        /** @description An error in the format of RFC 9457. Every error response has this body. */
        Problem: {
            /**
             * Format: uri
             * @description URL that identifies the error code.
             * @example https://engram.dev/problems/not_found
             */
            type: string;
            /** @description Short name of the error, the same for every occurrence of the code. */
            title: string;
            /** @description HTTP status of the response. */
            status: number;
            /**
             * @description Error code, for programs. Codes are added, but never renamed or removed.
             * @enum {string}
             */
            code: "validation_failed" | "invalid_json" | "invalid_cursor" | "unauthenticated" | "forbidden" | "host_not_allowed" | "not_found" | "method_not_allowed" | "external_id_conflict" | "content_conflict" | "email_conflict" | "forgotten" | "held" | "too_many_holds" | "user_conflict" | "sequence_conflict" | "too_many_messages" | "too_many_webhooks" | "too_many_retention_rules" | "too_many_evaluations" | "too_many_archives" | "conversation_full" | "operation_ended" | "lines_missing" | "not_cancelable" | "organization_moving" | "secret_already_shown" | "cursor_expired" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal" | "not_configured" | "unavailable" | "insufficient_storage";
            /** @description What went wrong in this request and what to do next, for people. Safe to display. */
            detail: string;
            /**
             * @description Id of the request, also in the `x-request-id` header and in the log of the service.
             * @example req_01jd8m3q0v7y2k9x4c6e
             */
            request_id: string;
            /** @description Invalid fields, at most 100. Present for `validation_failed`, and for `forgotten` if the request has several items: the path of each that was deleted, such as `messages.0`. */
            errors?: {
                /** @description Path of the invalid field, such as `messages.0.role`; empty for the request as a whole. */
                path: string;
                /** @description What is wrong with the field. */
                message: string;
            }[];
        };
        /**
         * @example {
         *       "name": "Acme support"
         *     }
         */
        CreateOrganizationBody: {
            /**
             * @description Display name of the organization.
             * @example Acme support
             */
            name: string;
            place?: components["schemas"]["Place"] & unknown;
            jurisdiction?: components["schemas"]["Jurisdiction"] & unknown;
            location?: components["schemas"]["LocationHint"] & unknown;
        };
        /** @description One page of a list. */
        OrganizationPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["ListedOrganization"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description An organization with its size and its last activity. */
        ListedOrganization: {
            /**
             * @description Id of an organization, the tenant that owns keys, conversations and memories.
             * @example org_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Display name of the organization.
             * @example Acme support
             */
            name: string;
            on_source_deleted: components["schemas"]["OnSourceDeleted"];
            place: components["schemas"]["Place"];
            jurisdiction: components["schemas"]["Jurisdiction"];
            location: components["schemas"]["LocationHint"];
            /** @description Number of conversations, not counting memories. */
            conversation_count: number;
            /** @description Number of messages in these conversations. */
            message_count: number;
            /**
             * Format: date-time
             * @description Time when the organization was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the organization was deleted; null if it is not deleted. Its data is removed for good afterwards.
             * @example 2026-11-02T09:30:00.000Z
             */
            deleted_at: string | null;
            /** @description Number of memories. */
            memory_count: number;
            /** @description Size of the cell of the organization in bytes, with its indexes, as its last sweep has reported it: after a write within some minutes, otherwise once a day. Null in the shared database, which does not count it by organization, and before the first report. */
            size_bytes: number | null;
            /**
             * Format: date
             * @description Last day, in UTC, that the usage of the organization has. It is counted about a minute after a request. Null if there is none.
             * @example 2026-11-02
             */
            last_active_on: string | null;
        };
        /** @description What an operator needs to know of the database of an organization. */
        OrganizationHealth: {
            /**
             * @description Id of an organization, the tenant that owns keys, conversations and memories.
             * @example org_06e3tqz8m1k4v9x2c7d0
             */
            organization_id: string;
            place: components["schemas"]["Place"];
            /**
             * @description Whether the database of the organization responded. If it did not, the fields below are what its cell has last reported, or null.
             * @example true
             */
            reachable: boolean;
            /**
             * @description Why it did not respond. `timeout`: not in time. `overloaded`: too many requests wait for it. `reset`: it was restarted, as deployments do; it responds again in a moment. `other`: an error, which the log has under the id of this request. Null if it responded.
             * @example null
             * @enum {string|null}
             */
            failure: "timeout" | "overloaded" | "reset" | "other" | null;
            /**
             * @description Newest migration of its database.
             * @example 0032_locations.sql
             */
            migration: string | null;
            /** @description Size of its cell in bytes. Null in the shared database. */
            size_bytes: number | null;
            work: components["schemas"]["OrganizationWork"];
            /**
             * Format: date-time
             * @description Time at which the first of this work was or will be due. Long past, it says that sweeps do not keep up or fail. Null if no work is left.
             * @example 2026-11-02T09:30:00.000Z
             */
            oldest_due_at: string | null;
            /**
             * Format: date-time
             * @description Time of the next sweep of its cell. Null while one runs, and in the shared database, which is swept each minute.
             * @example 2026-11-02T09:30:00.000Z
             */
            next_sweep_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last sweep of its cell that was reported. Null before the first one, and in the shared database.
             * @example 2026-11-02T09:30:00.000Z
             */
            last_sweep_at: string | null;
        };
        /** @description Work that is left for sweeps, the periodic runs in the background. */
        OrganizationWork: {
            /** @description Number of ranges of messages, and memories, that wait to be embedded. Above 10,000, that number. */
            index_jobs: number;
            /** @description Number of of those that failed ten times, and are not tried again before a repair. Above 10,000, that number. */
            failed_index_jobs: number;
            /** @description Number of memories that wait for tags and a summary. Above 10,000, that number. */
            enrichment_jobs: number;
            /** @description Number of conversations that wait for summaries. Above 10,000, that number. */
            summary_jobs: number;
            /** @description Number of messages whose words the keyword index does not have yet. Above 10,000, that number. */
            late_words: number;
            /** @description Number of deleted conversations and memories whose rows are not removed yet, without those under a hold. Above 10,000, that number. */
            deletions: number;
            /** @description Number of deleted vectors whose removal is not confirmed yet. Above 10,000, that number. */
            vector_deletions: number;
            /** @description Number of operations that are not complete, apart from imports. Above 10,000, that number. */
            operations: number;
            /** @description Number of webhooks that wait to repeat a delivery that failed. Above 10,000, that number. */
            webhooks: number;
        } | null;
        /**
         * @example {
         *       "on_source_deleted": "delete"
         *     }
         */
        UpdateOrganizationBody: {
            on_source_deleted: components["schemas"]["OnSourceDeleted"];
        };
        /** @description Deletion of an organization. It reports its progress, and when all rows and vectors of the organization are removed for good. */
        DeleteOrganizationOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_organization";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of conversations and memories completed so far. */
                done: number;
                /** @description Number of conversations and memories to complete. Null if they were not counted at the request. */
                total: number | null;
            };
            /** @description Number of conversations and memories removed for good. `cancelOperation` adds those whose removal has begun, which are not restored; then it does not change any more. */
            purged: number;
            /** @description Number of conversations and memories that `cancelOperation` restored; null if the deletion is not canceled. */
            restored: number | null;
            /** @description Ids of the legal holds that the deletion lifted, because the request had `force`. `cancelOperation` restores them. */
            overridden_holds: string[];
            /** @description Number of summaries over deleted messages that were removed for good so far. */
            summaries_deleted: number;
            /**
             * Format: date-time
             * @description Time when the last database row and keyword index entry was removed for good; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the history of the database, from which it can be restored to an earlier point in time, still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
            /** @description Archives that may still have what was deleted: they were begun before the last row was removed, and their objects exist. Empty once none does. Those that are kept longest come first, and at most 20 are named: `archive_count` is the number of all. */
            archives: {
                /**
                 * @description Id of the archive.
                 * @example arc_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description Time from which the archive is deleted; null if it is kept.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                expires_at: string | null;
            }[];
            /** @description Number of archives that may still have what was deleted, also of those that `archives` does not name. */
            archive_count: number;
            /** @description Number of earlier versions of memories that were removed for good so far. */
            memory_versions_deleted: number;
        };
        /** @description A move of an organization between the shared database and one of its own. */
        MoveOrganizationOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "move_organization";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of messages and memories completed so far. */
                done: number;
                /** @description Number of messages and memories to complete. Null never. */
                total: number | null;
            };
            place: components["schemas"]["Place"] & unknown;
            /**
             * Format: date-time
             * @description Time from which the organization is where it moved to. Its old rows are then removed. Null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            moved_at: string | null;
        };
        /**
         * @example {
         *       "place": "cell"
         *     }
         */
        MoveOrganizationBody: {
            place: components["schemas"]["Place"] & unknown;
        };
        /**
         * @example {
         *       "name": "production worker",
         *       "scopes": [
         *         "read",
         *         "write",
         *         "search"
         *       ]
         *     }
         */
        CreateKeyBody: {
            /**
             * @description Display name of the key.
             * @example production worker
             */
            name: string;
            /**
             * @description Permissions of the key.
             * @example [
             *       "read",
             *       "write",
             *       "search"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description Bind the key to one agent: it can read and write only that agent's conversations and memories. Cannot be combined with the scope `admin`.
             * @example support-bot
             */
            agent_id?: string | null;
            /**
             * @description Bind the key to one user: it can write only that user's conversations and memories, and read them and shared ones. With `agent_id`, only those of both. Cannot be combined with the scope `admin`.
             * @example user_4711
             */
            user_id?: string | null;
            /**
             * Format: date-time
             * @description Time from which the key is rejected. Default: null, the key does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
        };
        /** @description One page of a list. */
        ApiKeyPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["ApiKey"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A key without its secret. */
        ApiKey: {
            /**
             * @description Id of an API key. It is not the key's secret, and cannot authenticate a request.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Display name of the key.
             * @example production worker
             */
            name: string;
            /**
             * @description First characters of the secret, to recognize the key by.
             * @example engram_sk_live_a8Xk
             */
            prefix: string;
            /**
             * @description Permissions of the key.
             * @example [
             *       "read",
             *       "write",
             *       "search"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description Agent that the key is bound to: the key can read and write only that agent's data. Null if it is not bound to one.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description User that the key is bound to: the key can write only that user's data, and read it and what is shared. Null if it is not bound to one.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * Format: date-time
             * @description Time when the key was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time from which the key is rejected; null if it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Time when the key was revoked; null if it was not.
             * @example 2026-11-02T09:30:00.000Z
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last request with the key, to the minute. It is written at most once a minute, so it lags by about a minute. Null before the first request.
             * @example 2026-11-02T09:30:00.000Z
             */
            last_used_at: string | null;
            /**
             * @description Id of the key that replaces this one; null if it was not rotated.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            rotated_to: string | null;
        };
        /**
         * @example {
         *       "overlap_seconds": 3600
         *     }
         */
        RotateKeyBody: {
            /**
             * @description Number of seconds for which the old key stays valid; 0 ends it at once. At most 2,592,000 (30 days); default 3,600. An earlier `expires_at` of the old key still applies.
             * @default 3600
             */
            overlap_seconds?: number;
            /**
             * Format: date-time
             * @description Time from which the new key is rejected. Default: null, the key does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
        };
        /** @description A code that is used once, instead of a key. */
        SignInCode: {
            /**
             * @description The code. Shown only in this response; the service stores only a hash.
             * @example engram_code_1m8c75g5ff69myj986sm_1m8c75g5gdxd8f0bsk7z_XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py4k
             */
            code: string;
            /**
             * Format: date-time
             * @description Time from which the code is rejected.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string;
        };
        /** @description A person of the organization. */
        Member: {
            /**
             * @description Id of a member.
             * @example member_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Name of the person.
             * @example Maria Rossi
             */
            name: string;
            role: components["schemas"]["Role"];
            /**
             * @description Email address in lower case; null if none is known.
             * @example maria@example.com
             */
            email: string | null;
            /**
             * @description Identity provider that signs the member in; null before the first time, and for members who use sign-in codes.
             * @example https://accounts.google.com
             */
            issuer: string | null;
            /**
             * @description Id of the person at that provider; null if `issuer` is.
             * @example 10769150350006150715113082367
             */
            subject: string | null;
            /**
             * @description Agent that the member is bound to, as a key can be. Null if there is none.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description User that the member is bound to, as a key can be. Null if there is none.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * Format: date-time
             * @description Time when the member was added.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the member was removed; null if they were not.
             * @example 2026-11-02T09:30:00.000Z
             */
            removed_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last request of the member or a client of theirs, to the minute. Null before the first one.
             * @example 2026-11-02T09:30:00.000Z
             */
            last_used_at: string | null;
        };
        /**
         * @description What a member may do. `reader`: read and search. `writer`: also write and delete. `admin`: everything that a key with the scope `admin` may do, except what is only for owners. `owner`: also manage owners, create keys with the scope `admin`, and delete the organization.
         * @enum {string}
         */
        Role: "owner" | "admin" | "writer" | "reader";
        /**
         * @example {
         *       "name": "Maria Rossi",
         *       "role": "writer",
         *       "email": "maria@example.com"
         *     }
         */
        CreateMemberBody: {
            /**
             * @description Name of the person.
             * @example Maria Rossi
             */
            name: string;
            role: components["schemas"]["Role"];
            /**
             * @description Email address, compared and returned in lower case. An identity provider that proves it signs the member in.
             * @example maria@example.com
             */
            email?: string | null;
            /**
             * @description Bind the member to one agent, as a key can be. Not for the roles `owner` and `admin`.
             * @example support-bot
             */
            agent_id?: string | null;
            /**
             * @description Bind the member to one user, as a key can be. Not for the roles `owner` and `admin`.
             * @example user_4711
             */
            user_id?: string | null;
        };
        /** @description One page of a list. */
        MemberPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Member"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "role": "reader"
         *     }
         */
        UpdateMemberBody: {
            /**
             * @description Name of the person.
             * @example Maria Rossi
             */
            name?: string;
            role?: components["schemas"]["Role"];
            /**
             * @description Email address. Another one, or null, also ends the sign-in with the identity provider so far.
             * @example maria@example.com
             */
            email?: string | null;
        };
        /** @description Who sends the request, and what it may do. */
        Me: {
            /**
             * @description Id of an organization, the tenant that owns keys, conversations and memories.
             * @example org_06e3tqz8m1k4v9x2c7d0
             */
            organization_id: string;
            /**
             * @description Id of the API key, or of the member, that did it.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string;
            /**
             * @description Grant of the access token; null for a request with the key itself.
             * @example grant_06e3tqz8m1k4v9x2c7d0
             */
            grant_id: string | null;
            /** @description The member; null for a key. */
            member: components["schemas"]["Member"] | null;
            /** @description What the request may do. */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description The only agent whose data is accessible; null for all agents.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description The only user whose data is accessible; null for all users.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * Format: date-time
             * @description Time from which the key or the access token is rejected; null if it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
        };
        /** @description One page of a list. */
        GrantPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Grant"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description What a client may do with a key, as a person has allowed over OAuth. */
        Grant: {
            /**
             * @description Id of a grant.
             * @example grant_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Key or member that it was given with. The grant ends when the key is not active any more, or the member is removed.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string;
            /**
             * @description OAuth id of the client: the URL of its metadata document, or a text that the service or the operator gave it.
             * @example https://claude.ai/oauth/mcp-oauth-client-metadata
             */
            client_id: string;
            /**
             * @description Name that the client gives itself. Nothing proves it.
             * @example Claude
             */
            client_name: string;
            /**
             * @description Host of the client's metadata document, which proves whose client it is. Null if the client registered itself or was registered by the operator.
             * @example claude.ai
             */
            client_domain: string | null;
            /**
             * @description URL to which the client's user was sent with the authorization code.
             * @example https://claude.ai/api/mcp/auth_callback
             */
            redirect_uri: string;
            /** @description Scopes that were allowed. Those that the key or the member lacks do not count. `admin` is only for the console of the service itself. */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description Agent that the grant is bound to, besides that of its key. Null if it is not bound to one.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description User that the grant is bound to, besides that of its key. Null if it is not bound to one.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * Format: date-time
             * @description Time when it was given.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time from which the grant is rejected: 30 days after the client last refreshed its token. Ten minutes after it was given, if the client has not redeemed its code yet.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string;
        };
        Conversation: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Your own id for the conversation, unique within the organization.
             * @example ticket-1029
             */
            external_id: string | null;
            /**
             * @description Title of the conversation. At most 1,000 characters.
             * @example Refund for order 1029
             */
            title: string | null;
            /**
             * @description Your own id for the agent that the conversation or memory belongs to.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Whether every user of the organization can read it beside their own. What is shared belongs to no user, and only a key that is bound to no user can change it. */
            shared: boolean;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            metadata: components["schemas"]["Metadata"];
            /** @description Number of messages in the conversation. */
            message_count: number;
            /** @description Highest sequence number (position) that a message of the conversation has ever had; 0 if there never was a message. Deleting messages does not lower it. */
            last_sequence: number;
            /**
             * Format: date-time
             * @description `created_at` of the last message, the one with the highest sequence number; null without messages.
             * @example 2026-11-02T09:30:00.000Z
             */
            last_message_at: string | null;
            /**
             * Format: date-time
             * @description Time when the conversation was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change to the conversation or to one of its messages.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * @description Present only with `as_of`, if the item was changed after that moment. Its fields are those of today, because earlier ones are not kept.
             * @enum {boolean}
             */
            edited_since?: true;
        };
        /**
         * @description Your own data: any JSON object, returned exactly as it was sent. At most 16,384 bytes as JSON.
         * @example {
         *       "ticket": "T-1029",
         *       "priority": 2
         *     }
         */
        Metadata: {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "title": "Refund for order 1029",
         *       "agent_id": "support-bot",
         *       "user_id": "user_4711",
         *       "tags": [
         *         "billing"
         *       ]
         *     }
         */
        CreateConversationBody: {
            /**
             * @description Your own id for the conversation. If its agent and user have one with this external id, that one is returned with 200, unchanged.
             * @example ticket-1029
             */
            external_id?: string | null;
            /**
             * @description Title of the conversation. At most 1,000 characters.
             * @example Refund for order 1029
             */
            title?: string | null;
            /**
             * @description Your own id for the agent that the conversation belongs to. A key bound to an agent sets that agent, and rejects any other with 403.
             * @example support-bot
             */
            agent_id?: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id?: string | null;
            /** @description `true`: every user of the organization can read it beside their own; it then has no `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`. */
            shared?: boolean | null;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            metadata?: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
        };
        /** @description One page of a list. */
        ConversationPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["ListedConversation"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Number of matching items on all pages. Present only with `include_total=true`. Null if counting would read too many items. */
            total?: number | null;
        };
        ListedConversation: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Your own id for the conversation, unique within the organization.
             * @example ticket-1029
             */
            external_id: string | null;
            /**
             * @description Title of the conversation. At most 1,000 characters.
             * @example Refund for order 1029
             */
            title: string | null;
            /**
             * @description Your own id for the agent that the conversation or memory belongs to.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Whether every user of the organization can read it beside their own. What is shared belongs to no user, and only a key that is bound to no user can change it. */
            shared: boolean;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            metadata: components["schemas"]["Metadata"];
            /** @description Number of messages in the conversation. */
            message_count: number;
            /** @description Highest sequence number (position) that a message of the conversation has ever had; 0 if there never was a message. Deleting messages does not lower it. */
            last_sequence: number;
            /**
             * Format: date-time
             * @description `created_at` of the last message, the one with the highest sequence number; null without messages.
             * @example 2026-11-02T09:30:00.000Z
             */
            last_message_at: string | null;
            /**
             * Format: date-time
             * @description Time when the conversation was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change to the conversation or to one of its messages.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * @description Present only with `as_of`, if the item was changed after that moment. Its fields are those of today, because earlier ones are not kept.
             * @enum {boolean}
             */
            edited_since?: true;
            /** @description The message with the highest sequence number; null without messages. Present only with `include_last_message=true`. */
            last_message?: {
                /**
                 * @description Id of a message.
                 * @example msg_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /** @description Sequence number: the position in the conversation, 1, 2, 3… It is never reused, so a deleted message leaves a gap. */
                sequence: number;
                role: components["schemas"]["MessageRole"];
                /**
                 * @description Name of the speaker.
                 * @example Maria
                 */
                name: string | null;
                /** @description The first 200 characters of the content. Fewer if the content is shorter, or takes more bytes compressed. */
                excerpt: string;
            } | null;
        };
        /**
         * @description Role of the speaker. `assistant` is the agent; `tool` is the result of a tool call.
         * @enum {string}
         */
        MessageRole: "user" | "assistant" | "system" | "tool";
        ConversationWithMessages: components["schemas"]["Conversation"] & {
            messages: components["schemas"]["MessagePage"];
        };
        /** @description One page of a list. */
        MessagePage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Message"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        Message: {
            /**
             * @description Id of a message.
             * @example msg_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /** @description Sequence number: the position in the conversation, 1, 2, 3… It is never reused, so a deleted message leaves a gap. */
            sequence: number;
            role: components["schemas"]["MessageRole"];
            /**
             * @description Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
             * @example Where is my refund for order 1029?
             */
            content: string;
            /**
             * @description Name of the speaker.
             * @example Maria
             */
            name: string | null;
            /**
             * @description Id of the tool call that the message makes or answers.
             * @example call_8fk2
             */
            tool_call_id: string | null;
            /**
             * @description Name of the tool whose call or result the message is.
             * @example lookup_order
             */
            tool_name: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * @description The message as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Where is my refund for order 1029?"
             *       }
             *     ]
             */
            parts: unknown[] | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Your own id for the message, unique within the conversation.
             * @example m-17
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time when the message was said, with millisecond precision. It is the time that you set when you stored the message; otherwise the time of storing.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the message was stored.
             * @example 2026-11-02T09:30:00.000Z
             */
            stored_at: string;
            /**
             * Format: date-time
             * @description Time of the last change to content or metadata; null if there was none.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string | null;
            /**
             * @description Present only with `as_of`, if the item was changed after that moment. Its fields are those of today, because earlier ones are not kept.
             * @enum {boolean}
             */
            edited_since?: true;
        };
        /**
         * @example {
         *       "title": "Refund, done",
         *       "tags": [
         *         "billing",
         *         "done"
         *       ]
         *     }
         */
        UpdateConversationBody: {
            /**
             * @description Title of the conversation. At most 1,000 characters.
             * @example Refund for order 1029
             */
            title?: string | null;
            /** @description Whether every user of the organization can read the conversation. Only a key that is bound to no user can share; any other gets 403. A conversation with a user cannot be shared: the request fails with 409. */
            shared?: boolean;
            /**
             * @description New tags, which replace all of the old.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            metadata?: components["schemas"]["Metadata"] & unknown;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
        };
        /** @description Deletion of one conversation. It reports when the rows and vectors of the conversation are removed for good. */
        DeleteConversationOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_conversation";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description Number of memories that cite a deleted message and got a new version, because the organization's `on_source_deleted` is `flag`. */
            memories_flagged: number;
            /** @description Number of memories that cite a deleted message and were deleted with it, because the organization's `on_source_deleted` is `delete`. Their rows and vectors are removed like those of any deleted memory. The times of this operation do not cover them. */
            memories_deleted: number;
            /** @description Number of summaries over deleted messages that were removed for good so far. */
            summaries_deleted: number;
            /**
             * Format: date-time
             * @description Time when the last database row and keyword index entry was removed for good; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the history of the database, from which it can be restored to an earlier point in time, still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
            /** @description Archives that may still have what was deleted: they were begun before the last row was removed, and their objects exist. Empty once none does. Those that are kept longest come first, and at most 20 are named: `archive_count` is the number of all. */
            archives: {
                /**
                 * @description Id of the archive.
                 * @example arc_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description Time from which the archive is deleted; null if it is kept.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                expires_at: string | null;
            }[];
            /** @description Number of archives that may still have what was deleted, also of those that `archives` does not name. */
            archive_count: number;
        };
        ConversationsCounted: {
            /** @description Number of conversations that would be deleted now. */
            conversations: number;
            /** @description Number of messages in these conversations. */
            messages: number;
            /** @description Number of items that match the filter and are under legal hold. They would not be deleted. */
            held: number;
            /** @description Whether all matching items were counted. `false` if counting would read more than 100,000 items with a filter by tags or metadata, or 1,250,000 otherwise. The counts then cover only the oldest items, and the deletion may delete more than they say. */
            complete: boolean;
        };
        /** @description Deletion of conversations by filter. It reports its progress, and when all their rows and vectors are removed for good. */
        DeleteConversationsOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_conversations";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of conversations completed so far. */
                done: number;
                /** @description Number of conversations to complete. Null until all matching conversations are found, which may take several steps. */
                total: number | null;
            };
            /** @description Number of conversations deleted so far: they are excluded from every response, and then removed for good. */
            soft_deleted: number;
            /** @description Number of matching items that it found under legal hold and did not delete. `delete_user`: 0 again once it continues after a hold was lifted. What came under a hold after it was deleted does not count: the deletion is `running` until it can be removed for good. */
            held: number;
            /** @description Ids of the legal holds that held these items. */
            hold_ids: string[];
            /**
             * Format: date-time
             * @description Time when the last database row and keyword index entry was removed for good; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the history of the database, from which it can be restored to an earlier point in time, still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
            /** @description Archives that may still have what was deleted: they were begun before the last row was removed, and their objects exist. Empty once none does. Those that are kept longest come first, and at most 20 are named: `archive_count` is the number of all. */
            archives: {
                /**
                 * @description Id of the archive.
                 * @example arc_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description Time from which the archive is deleted; null if it is kept.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                expires_at: string | null;
            }[];
            /** @description Number of archives that may still have what was deleted, also of those that `archives` does not name. */
            archive_count: number;
            /**
             * @description Id of the rule of retention that began the deletion; null if a request did, or if the items had expired.
             * @example ret_06e3tqz8m1k4v9x2c7d0
             */
            retention_rule_id: string | null;
            /** @description Number of memories that cite a deleted message and got a new version, because the organization's `on_source_deleted` is `flag`. */
            memories_flagged: number;
            /** @description Number of memories that cite a deleted message and were deleted with it, because the organization's `on_source_deleted` is `delete`. Their rows and vectors are removed like those of any deleted memory. The times of this operation do not cover them. */
            memories_deleted: number;
            /** @description Number of summaries over deleted messages that were removed for good so far. */
            summaries_deleted: number;
        };
        /**
         * @example {
         *       "filter": {
         *         "user_id": "user_4711"
         *       },
         *       "dry_run": true
         *     }
         */
        DeleteConversationsBody: {
            /** @description Conversations to delete. All conditions must match; at least one is required. */
            filter: {
                /**
                 * @description Only conversations of this agent.
                 * @example support-bot
                 */
                agent_id?: string;
                /**
                 * @description Only conversations with this user.
                 * @example user_4711
                 */
                user_id?: string;
                /**
                 * @description Only conversations with at least one of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_any?: string[];
                /**
                 * @description Only conversations with all of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_all?: string[];
                /**
                 * Format: date-time
                 * @description Only conversations created at or after this time.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_after?: string;
                /**
                 * Format: date-time
                 * @description Only conversations created before this time.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_before?: string;
                /**
                 * @description Only conversations whose `metadata` has all of these keys with these values at its top level. At most 16 keys.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            /**
             * @description `true`: delete nothing, and return the number of items that would be deleted. Recommended before every deletion. Default `false`.
             * @default false
             */
            dry_run?: boolean;
            /**
             * @description `true`: what is deleted is not stored again, by whatever way it comes: captures, appends, forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default `false`.
             * @default false
             */
            forget?: boolean;
        };
        /**
         * @example {
         *       "sequence": 2
         *     }
         */
        ForkConversationBody: {
            /** @description Sequence number of the last message to copy; 0 for no messages. Default: all messages. */
            sequence?: number;
            /**
             * @description Your own id for the fork. No other conversation of its agent and user may have it.
             * @example ticket-1029
             */
            external_id?: string | null;
            /**
             * @description Title of the fork. Default: the title of the original.
             * @example Refund for order 1029
             */
            title?: string | null;
        };
        AppendedMessages: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /** @description Ids of all messages of the request, in the same order. */
            message_ids: string[];
            /** @description Ids of the messages that were stored already, recognized by their `external_id`. They are also in `message_ids`. */
            existing_ids: string[];
            /** @description Sequence number of the first new message; null if none is new. */
            first_sequence: number | null;
            /** @description Sequence number of the last new message; null if none is new. */
            last_sequence: number | null;
            /** @description Whether the vector store had accepted the vectors of the messages before the response was sent. Always `false` without `wait`. */
            indexed: boolean;
        };
        /**
         * @example {
         *       "messages": [
         *         {
         *           "role": "user",
         *           "content": "Where is my refund for order 1029?"
         *         },
         *         {
         *           "role": "assistant",
         *           "content": "It was sent on Tuesday and takes three days."
         *         }
         *       ],
         *       "wait": "indexed"
         *     }
         */
        AppendMessagesBody: {
            /** @description Messages to add, oldest first; 1 to 1,000. */
            messages: components["schemas"]["NewMessage"][];
            /**
             * @description `indexed`: delay the response until the vector store has accepted the vectors of the messages, but for at most 25 seconds. Semantic search finds the messages some seconds after that, or at once if the service runs on a single machine. Default: respond without waiting.
             * @enum {string}
             */
            wait?: "indexed";
        };
        NewMessage: {
            role: components["schemas"]["MessageRole"];
            /**
             * @description Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
             * @example Where is my refund for order 1029?
             */
            content: string;
            /**
             * @description Name of the speaker.
             * @example Maria
             */
            name?: string | null;
            /**
             * @description Id of the tool call that the message makes or answers.
             * @example call_8fk2
             */
            tool_call_id?: string | null;
            /**
             * @description Name of the tool whose call or result the message is.
             * @example lookup_order
             */
            tool_name?: string | null;
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description The message as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Where is my refund for order 1029?"
             *       }
             *     ]
             */
            parts?: unknown[] | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Your own id for the message, unique within the conversation. If the same message is stored already, it is not stored again, and its id is returned in `existing_ids`. If a different message has this external id, the request fails with 409 and stores nothing.
             * @example m-17
             */
            external_id?: string | null;
            /**
             * Format: date-time
             * @description Time when the message was said, with millisecond precision. Set it to store messages from the past. Default: now.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at?: string;
        };
        /**
         * @example {
         *       "content": "Where is my refund for order 1030?"
         *     }
         */
        UpdateMessageBody: {
            /**
             * @description Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
             * @example Where is my refund for order 1029?
             */
            content?: string;
            metadata?: components["schemas"]["Metadata"] & unknown;
        };
        /** @description Deletion of one message. It reports when its row and vectors are removed for good. */
        DeleteMessageOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_message";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description Number of memories that cite a deleted message and got a new version, because the organization's `on_source_deleted` is `flag`. */
            memories_flagged: number;
            /** @description Number of memories that cite a deleted message and were deleted with it, because the organization's `on_source_deleted` is `delete`. Their rows and vectors are removed like those of any deleted memory. The times of this operation do not cover them. */
            memories_deleted: number;
            /** @description Number of summaries over deleted messages that were removed for good so far. */
            summaries_deleted: number;
            /**
             * Format: date-time
             * @description Time when the last database row and keyword index entry was removed for good; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the history of the database, from which it can be restored to an earlier point in time, still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
            /** @description Archives that may still have what was deleted: they were begun before the last row was removed, and their objects exist. Empty once none does. Those that are kept longest come first, and at most 20 are named: `archive_count` is the number of all. */
            archives: {
                /**
                 * @description Id of the archive.
                 * @example arc_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description Time from which the archive is deleted; null if it is kept.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                expires_at: string | null;
            }[];
            /** @description Number of archives that may still have what was deleted, also of those that `archives` does not name. */
            archive_count: number;
        };
        ReplacedMessages: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /** @description Ids of all messages of the request, in the same order. */
            message_ids: string[];
            /** @description Ids of the messages that were stored already, recognized by their `external_id`. They are also in `message_ids`. */
            existing_ids: string[];
            /** @description Sequence number of the first new message; null if none is new. */
            first_sequence: number | null;
            /** @description Sequence number of the last new message; null if none is new. */
            last_sequence: number | null;
            /** @description Whether the vector store had accepted the vectors of the messages before the response was sent. Always `false` without `wait`. */
            indexed: boolean;
            /** @description Ids of the deleted messages, oldest first. */
            deleted_ids: string[];
        };
        /**
         * @example {
         *       "expected_last_sequence": 2,
         *       "from_sequence": 2,
         *       "messages": [
         *         {
         *           "role": "assistant",
         *           "content": "It was sent on Wednesday."
         *         }
         *       ]
         *     }
         */
        ReplaceMessagesBody: {
            /** @description Sequence number of the newest message that you have read; 0 if you have read none. If it is not the newest in the conversation, the request fails with 409 and changes nothing. */
            expected_last_sequence: number;
            /** @description Sequence number of the first message to delete. All messages from there on are deleted, at most 10,000. */
            from_sequence: number;
            /** @description Messages to add in place of the deleted ones, with new sequence numbers. An empty list only deletes. At most 1,000, and in total at most 2,097,152 bytes (content as UTF-8, everything else as JSON). */
            messages: components["schemas"]["NewMessage"][];
            /**
             * @description `indexed`: delay the response until the vector store has accepted the vectors of the messages, but for at most 25 seconds. Semantic search finds the messages some seconds after that, or at once if the service runs on a single machine. Default: respond without waiting.
             * @enum {string}
             */
            wait?: "indexed";
        };
        /** @description One page of a list. */
        SummaryPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Summary"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A summary of a part of a conversation. It is derived from messages, each of its sentences cites some, and it is deleted when one of the messages is changed or deleted. */
        Summary: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /** @description 1: a summary of messages, of 24 sequence numbers or 3,000 tokens. 2: of up to eight summaries of level 1, and so on. */
            level: number;
            /** @description Sequence number of the first message that the summary covers. */
            from_sequence: number;
            /** @description Sequence number of the last message that the summary covers. */
            to_sequence: number;
            /** @description Number of messages that it was made from; above level 1, of summaries. */
            source_count: number;
            /** @description Whether no later message belongs to it. False for the end of a conversation: a longer summary replaces it when the conversation has gone on. */
            full: boolean;
            /** @description At most eight sentences in the order of the messages; none if the messages have no sentence. */
            sentences: components["schemas"]["SummarySentence"][];
            /** @description Text model that wrote the sentences. Null if they are verbatim sentences of the messages, which no model chose. */
            model: string | null;
            /** @description Version of the service's rules for summaries that made it. */
            rules: number;
            /**
             * @description SHA-256 in hex of what it was made from. On level 1, of the JSON array with `[sequence, role, name, content]` of each message; above, of the JSON array with the `source_hash` of each summary.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            source_hash: string;
            /**
             * Format: date-time
             * @description Time when the summary was made.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        SummarySentence: {
            /**
             * @description The sentence.
             * @example The invoices move to the new ledger on March 3.
             */
            text: string;
            /** @description The messages that say so. All of them are in the range of the summary. */
            cites: {
                /**
                 * @description Id of a message.
                 * @example msg_06e3tqz8m1k4v9x2c7d0
                 */
                message_id: string;
                /** @description Sequence number of the message. */
                sequence: number;
                /** @description Where the sentence starts in the content of the message, in UTF-16 code units. Null if a text model wrote the sentence. */
                start: number | null;
                /** @description Where the sentence ends, exclusive, in the content of the message, in UTF-16 code units. Null if a text model wrote the sentence. */
                end: number | null;
            }[];
        };
        QueuedSummaries: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /** @description Sequence number of the last message that the summaries will cover; 0 without messages. */
            last_sequence: number;
        };
        CapturedMemory: {
            /**
             * @description Id of a memory.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            kind: components["schemas"]["MemoryKind"];
            /**
             * @description Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Maria prefers refunds to her card, never store credit."
             *       }
             *     ]
             */
            parts: unknown[] | {
                [key: string]: unknown;
            } | null;
            /** @description Messages that the memory was derived from, in the order in which you sent them. The ids stay when a message is deleted; its text does not. */
            sources: components["schemas"]["Source"][];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source: string | null;
            /**
             * @description Your own id for the agent that the conversation or memory belongs to.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Whether every user of the organization can read it beside their own. What is shared belongs to no user, and only a key that is bound to no user can change it. */
            shared: boolean;
            /**
             * @description Your own id for the memory, unique among the memories of its agent and user.
             * @example diet
             */
            external_id: string | null;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at: string | null;
            /**
             * @description Memory that this one replaced, which `createMemory` ended. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            supersedes: string | null;
            /**
             * @description Memory that replaced this one: the last that was captured with this one as `supersedes`. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            superseded_by: string | null;
            /**
             * @description Text model that wrote the tags or the summary because you gave none; null if no model wrote any. `engram/extractive-1` is not a model: it means that the service extracted them from the content by fixed rules.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent and user that have no `external_id`.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is the time that you set.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the memory was last changed, or when its content was last captured again.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /** @description Only with `check_conflicts`: memories of the same agent and user that may contradict this one, newest first. They have similar words, and another number, date, URL or e-mail address, or only one of the two is negated. They are candidates, found by fixed rules: both may be true. At most 5, among the 200 newest that hold and have at most 2,000 bytes. Empty if there are none, or if this memory is longer. */
            possible_conflicts?: string[];
        };
        /**
         * @description `note`: something to remember. `summary`: a summary of content from elsewhere, such as a conversation.
         * @enum {string}
         */
        MemoryKind: "note" | "summary";
        /** @description A message that a memory cites. */
        Source: {
            /**
             * @description Conversation of the cited message.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /**
             * @description Id of the cited message.
             * @example msg_06e3tqz8m1k4v9x2c7d0
             */
            message_id: string;
            /** @description Sequence number of the cited message: its position in the conversation. */
            sequence: number;
            /**
             * @description The cited text, word for word. Null if the whole message is cited, once the message is deleted, and once it was edited and no longer has the text.
             * @example I want the refund on my card.
             */
            quote: string | null;
            /** @description Offset in the content of the message at which `quote` starts, in UTF-16 code units, as in JavaScript strings. Null without `quote`, and once the message was edited. */
            start: number | null;
            /** @description Offset at which it ends (exclusive), in the same unit. Null if `start` is. */
            end: number | null;
            /**
             * @description `intact`: the message is as it was when it was cited. `edited`: its content was changed since. `deleted`: it was deleted.
             * @enum {string}
             */
            state: "intact" | "edited" | "deleted";
        };
        /**
         * @example {
         *       "content": "Maria prefers refunds to her card, never store credit.",
         *       "user_id": "user_4711",
         *       "tags": [
         *         "refunds"
         *       ]
         *     }
         */
        CreateMemoryBody: {
            /**
             * @description Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Maria prefers refunds to her card, never store credit."
             *       }
             *     ]
             */
            parts?: unknown[] | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Messages that the memory was derived from. At most 32. The key must be able to read each message. A memory of a user can cite messages of that user and of no user; a memory without a user, only messages of no user. Otherwise the request fails with 400, `errors` names the source, and nothing is stored.
             * @example [
             *       {
             *         "message_id": "msg_06e3tqz8m1k4v9x2c7d0",
             *         "quote": "I want the refund on my card."
             *       }
             *     ]
             */
            sources?: components["schemas"]["NewSource"][];
            kind?: components["schemas"]["MemoryKind"];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source?: string | null;
            /**
             * @description Your own id for the agent that the memory belongs to. A key bound to an agent sets that agent, and rejects any other with 403.
             * @example support-bot
             */
            agent_id?: string | null;
            /**
             * @description Your own id for the user that the memory belongs to. A key bound to a user sets that user, and rejects any other with 403.
             * @example user_4711
             */
            user_id?: string | null;
            /** @description `true`: every user of the organization can read it beside their own; it then has no `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`. */
            shared?: boolean | null;
            /**
             * @description Your own id for the memory, unique among the memories of its agent and user. Its content may occur in other memories. If it is stored already with this content, that memory is returned; with other content, the request fails with 409. `putMemory` replaces it.
             * @example diet
             */
            external_id?: string | null;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary?: string | null;
            metadata?: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until?: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at?: string | null;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Id of a memory of the same agent and user that this one replaces. It ends in the same transaction, at `valid_from` (then by default now) unless it has ended before, and names this one in `superseded_by`. Without such a memory, the request fails with 404, and if the new content is stored already, with 409. Nothing is stored then.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            supersedes?: string | null;
            /**
             * Format: date-time
             * @description Time when the memory was captured, with millisecond precision. Set it for a memory from the past. Default: now.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at?: string;
            /**
             * @description Whether to return `possible_conflicts`. Then the request also reads other memories of the agent and user. Default `false`.
             * @default false
             */
            check_conflicts?: boolean;
            /**
             * @description `indexed`: delay the response until the vector store has accepted the vectors of the memory, but for at most 25 seconds. Semantic search finds the memory some seconds after that, or at once if the service runs on a single machine. A bulk capture waits for at most 25 of its memories. `getMemory` shows whether each chunk is indexed. Default: respond without waiting.
             * @enum {string}
             */
            wait?: "indexed";
        };
        /** @description A message that a memory cites, or a part of it. */
        NewSource: {
            /**
             * @description Id of the cited message. Or send `conversation_id` and `sequence`.
             * @example msg_06e3tqz8m1k4v9x2c7d0
             */
            message_id?: string | null;
            /**
             * @description Conversation of the cited message, with `sequence`.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id?: string | null;
            /** @description Sequence number of the cited message in `conversation_id`. */
            sequence?: number | null;
            /**
             * @description Text that the message has word for word, at most 2,000 characters. If it occurs more than once, the first place counts. Default: the whole message is cited.
             * @example I want the refund on my card.
             */
            quote?: string | null;
            /** @description Instead of `quote`: offset at which the cited text starts, in UTF-16 code units, as in JavaScript strings. */
            start?: number | null;
            /** @description Offset at which it ends, in the same unit (exclusive), at most 2,000 after `start`. */
            end?: number | null;
        };
        CapturedMemories: {
            /** @description One item for each memory of the request, in the same order. */
            items: {
                /**
                 * @description Id of the memory; null if it was skipped.
                 * @example mem_06e3tqz8m1k4v9x2c7d0
                 */
                id: string | null;
                /** @description Whether the memory is new; `false` if its content was stored already, or skipped. */
                created: boolean;
                /**
                 * @description `forgotten`: the memory or its user was deleted with `forget`, so it was not stored. Absent otherwise.
                 * @enum {string}
                 */
                skipped?: "forgotten";
            }[];
        };
        /**
         * @example {
         *       "memories": [
         *         {
         *           "content": "Refunds over 100 euros need a second pair of eyes."
         *         }
         *       ]
         *     }
         */
        CreateMemoriesBody: {
            /** @description Memories to store: 1 to 1,000, and in total at most 2,097,152 bytes (content as UTF-8, everything else as JSON). */
            memories: components["schemas"]["NewMemory"][];
            /**
             * @description `indexed`: delay the response until the vector store has accepted the vectors of the memory, but for at most 25 seconds. Semantic search finds the memory some seconds after that, or at once if the service runs on a single machine. A bulk capture waits for at most 25 of its memories. `getMemory` shows whether each chunk is indexed. Default: respond without waiting.
             * @enum {string}
             */
            wait?: "indexed";
        };
        /**
         * @example {
         *       "content": "Maria prefers refunds to her card, never store credit.",
         *       "user_id": "user_4711",
         *       "tags": [
         *         "refunds"
         *       ]
         *     }
         */
        NewMemory: {
            /**
             * @description Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Maria prefers refunds to her card, never store credit."
             *       }
             *     ]
             */
            parts?: unknown[] | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Messages that the memory was derived from. At most 32. The key must be able to read each message. A memory of a user can cite messages of that user and of no user; a memory without a user, only messages of no user. Otherwise the request fails with 400, `errors` names the source, and nothing is stored.
             * @example [
             *       {
             *         "message_id": "msg_06e3tqz8m1k4v9x2c7d0",
             *         "quote": "I want the refund on my card."
             *       }
             *     ]
             */
            sources?: components["schemas"]["NewSource"][];
            kind?: components["schemas"]["MemoryKind"];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source?: string | null;
            /**
             * @description Your own id for the agent that the memory belongs to. A key bound to an agent sets that agent, and rejects any other with 403.
             * @example support-bot
             */
            agent_id?: string | null;
            /**
             * @description Your own id for the user that the memory belongs to. A key bound to a user sets that user, and rejects any other with 403.
             * @example user_4711
             */
            user_id?: string | null;
            /** @description `true`: every user of the organization can read it beside their own; it then has no `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`. */
            shared?: boolean | null;
            /**
             * @description Your own id for the memory, unique among the memories of its agent and user. Its content may occur in other memories. If it is stored already with this content, that memory is returned; with other content, the request fails with 409. `putMemory` replaces it.
             * @example diet
             */
            external_id?: string | null;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary?: string | null;
            metadata?: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until?: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at?: string | null;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Id of a memory of the same agent and user that this one replaces. It ends in the same transaction, at `valid_from` (then by default now) unless it has ended before, and names this one in `superseded_by`. Without such a memory, the request fails with 404, and if the new content is stored already, with 409. Nothing is stored then.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            supersedes?: string | null;
            /**
             * Format: date-time
             * @description Time when the memory was captured, with millisecond precision. Set it for a memory from the past. Default: now.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at?: string;
        };
        Memory: {
            /**
             * @description Id of a memory.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            kind: components["schemas"]["MemoryKind"];
            /**
             * @description Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Maria prefers refunds to her card, never store credit."
             *       }
             *     ]
             */
            parts: unknown[] | {
                [key: string]: unknown;
            } | null;
            /** @description Messages that the memory was derived from, in the order in which you sent them. The ids stay when a message is deleted; its text does not. */
            sources: components["schemas"]["Source"][];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source: string | null;
            /**
             * @description Your own id for the agent that the conversation or memory belongs to.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Whether every user of the organization can read it beside their own. What is shared belongs to no user, and only a key that is bound to no user can change it. */
            shared: boolean;
            /**
             * @description Your own id for the memory, unique among the memories of its agent and user.
             * @example diet
             */
            external_id: string | null;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at: string | null;
            /**
             * @description Memory that this one replaced, which `createMemory` ended. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            supersedes: string | null;
            /**
             * @description Memory that replaced this one: the last that was captured with this one as `supersedes`. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            superseded_by: string | null;
            /**
             * @description Text model that wrote the tags or the summary because you gave none; null if no model wrote any. `engram/extractive-1` is not a model: it means that the service extracted them from the content by fixed rules.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent and user that have no `external_id`.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is the time that you set.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the memory was last changed, or when its content was last captured again.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
        };
        /**
         * @example {
         *       "content": "Maria prefers refunds to her card, never store credit.",
         *       "user_id": "user_4711",
         *       "tags": [
         *         "refunds"
         *       ],
         *       "external_id": "refunds"
         *     }
         */
        PutMemoryBody: {
            /**
             * @description Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Maria prefers refunds to her card, never store credit."
             *       }
             *     ]
             */
            parts?: unknown[] | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Messages that the memory was derived from. At most 32. The key must be able to read each message. A memory of a user can cite messages of that user and of no user; a memory without a user, only messages of no user. Otherwise the request fails with 400, `errors` names the source, and nothing is stored.
             * @example [
             *       {
             *         "message_id": "msg_06e3tqz8m1k4v9x2c7d0",
             *         "quote": "I want the refund on my card."
             *       }
             *     ]
             */
            sources?: components["schemas"]["NewSource"][];
            kind?: components["schemas"]["MemoryKind"];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source?: string | null;
            /**
             * @description Your own id for the agent that the memory belongs to. A key bound to an agent sets that agent, and rejects any other with 403.
             * @example support-bot
             */
            agent_id?: string | null;
            /**
             * @description Your own id for the user that the memory belongs to. A key bound to a user sets that user, and rejects any other with 403.
             * @example user_4711
             */
            user_id?: string | null;
            /** @description `true`: every user of the organization can read it beside their own; it then has no `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`. */
            shared?: boolean | null;
            /**
             * @description Your own id for the memory, unique among the memories of its agent and user. Any other memory may have the same content.
             * @example diet
             */
            external_id: string;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary?: string | null;
            metadata?: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until?: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at?: string | null;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Id of a memory of the same agent and user that this one replaces. It ends in the same transaction, at `valid_from` (then by default now) unless it has ended before, and names this one in `superseded_by`. Without such a memory, the request fails with 404, and if the new content is stored already, with 409. Nothing is stored then.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            supersedes?: string | null;
            /**
             * Format: date-time
             * @description Time when the memory was captured, with millisecond precision. Set it for a memory from the past. Default: now.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at?: string;
            /**
             * @description `indexed`: delay the response until the vector store has accepted the vectors of the memory, but for at most 25 seconds. Semantic search finds the memory some seconds after that, or at once if the service runs on a single machine. A bulk capture waits for at most 25 of its memories. `getMemory` shows whether each chunk is indexed. Default: respond without waiting.
             * @enum {string}
             */
            wait?: "indexed";
        };
        /** @description One page of a list. */
        MemoryPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Memory"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Number of matching items on all pages. Present only with `include_total=true`. Null if counting would read too many items. */
            total?: number | null;
        };
        MemoryWithChunks: {
            /**
             * @description Id of a memory.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            kind: components["schemas"]["MemoryKind"];
            /**
             * @description Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Maria prefers refunds to her card, never store credit."
             *       }
             *     ]
             */
            parts: unknown[] | {
                [key: string]: unknown;
            } | null;
            /** @description Messages that the memory was derived from, in the order in which you sent them. The ids stay when a message is deleted; its text does not. */
            sources: components["schemas"]["Source"][];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source: string | null;
            /**
             * @description Your own id for the agent that the conversation or memory belongs to.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Whether every user of the organization can read it beside their own. What is shared belongs to no user, and only a key that is bound to no user can change it. */
            shared: boolean;
            /**
             * @description Your own id for the memory, unique among the memories of its agent and user.
             * @example diet
             */
            external_id: string | null;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at: string | null;
            /**
             * @description Memory that this one replaced, which `createMemory` ended. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            supersedes: string | null;
            /**
             * @description Memory that replaced this one: the last that was captured with this one as `supersedes`. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            superseded_by: string | null;
            /**
             * @description Text model that wrote the tags or the summary because you gave none; null if no model wrote any. `engram/extractive-1` is not a model: it means that the service extracted them from the content by fixed rules.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent and user that have no `external_id`.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is the time that you set.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the memory was last changed, or when its content was last captured again.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /** @description Chunks of the memory, in order. */
            chunks: components["schemas"]["MemoryChunk"][];
        };
        /** @description A part of a memory, which semantic search finds by one vector. The chunks of a memory together are its whole content. */
        MemoryChunk: {
            /**
             * @description Id of a chunk: several neighboring messages, or a part of a memory, which semantic search finds by one vector.
             * @example chk_2k7d9x4c6e0v1m8q3t5z
             */
            id: string;
            /** @description Position among the chunks, from 0. */
            ordinal: number;
            /** @description Start in the content, after the overlap with the previous chunk. Counted in UTF-16 code units, as in JavaScript strings. */
            start: number;
            /** @description End in the content (exclusive), where the next chunk starts. Counted in UTF-16 code units, as in JavaScript strings. */
            end: number;
            /** @description Start of the text that the vector is computed from. It is up to 64 tokens before `start`, so that it overlaps the previous chunk. Counted in UTF-16 code units, as in JavaScript strings. */
            overlap_start: number;
            /** @description Whether the vector of the chunk is stored, so that semantic search can find the chunk. */
            indexed: boolean;
        };
        /** @description One page of a list. */
        MemoryVersionPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["MemoryVersion"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A memory as it was from `stored_at` until `replaced_at`. Each version has all of its fields but `sources`, `shared` and `expires_at`, which only the memory itself has. */
        MemoryVersion: {
            /** @description Number of the version. It increases with each change, but not by one: capturing the same content again also increases it, and keeps no earlier version. */
            version: number;
            kind: components["schemas"]["MemoryKind"];
            /**
             * @description Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Maria prefers refunds to her card, never store credit."
             *       }
             *     ]
             */
            parts: unknown[] | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at: string | null;
            /**
             * @description Memory that this one replaced, which `createMemory` ended. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            supersedes: string | null;
            /**
             * @description Memory that replaced this one: the last that was captured with this one as `supersedes`. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            superseded_by: string | null;
            /**
             * @description Text model that wrote the tags or the summary because you gave none; null if no model wrote any. `engram/extractive-1` is not a model: it means that the service extracted them from the content by fixed rules.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent and user that have no `external_id`.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is the time that you set.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description Key of the request that stored this version. Null if the text model in `enriched_by` wrote it, or if it was stored by a release without versions.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string | null;
            /**
             * Format: date-time
             * @description Time when this version was stored.
             * @example 2026-11-02T09:30:00.000Z
             */
            stored_at: string;
            /**
             * Format: date-time
             * @description Time when the next version was stored. Null for the current version, which is the memory as it is now.
             * @example 2026-11-02T09:30:00.000Z
             */
            replaced_at: string | null;
        };
        /**
         * @example {
         *       "tags": [
         *         "customer",
         *         "refunds",
         *         "card"
         *       ]
         *     }
         */
        UpdateMemoryBody: {
            /**
             * @description New content, which is chunked and embedded again. At least one character.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content?: string;
            /**
             * @description User of a memory that has none. A memory of another user stays as it is: the request fails with 409.
             * @example user_4711
             */
            user_id?: string;
            /** @description Whether every user of the organization can read the memory. Only a key that is bound to no user can share; any other gets 403. A memory with a user cannot be shared: the request fails with 409. */
            shared?: boolean;
            /**
             * @description Messages that the memory was derived from, which replace all of the old. At most 32. The key must be able to read each message. A memory of a user can cite messages of that user and of no user; a memory without a user, only messages of no user. Otherwise the request fails with 400, `errors` names the source, and nothing is stored.
             * @example [
             *       {
             *         "message_id": "msg_06e3tqz8m1k4v9x2c7d0",
             *         "quote": "I want the refund on my card."
             *       }
             *     ]
             */
            sources?: components["schemas"]["NewSource"][];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source?: string | null;
            /**
             * @description New tags, which replace all of the old.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary?: string | null;
            metadata?: components["schemas"]["Metadata"] & unknown;
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until?: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at?: string | null;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
        };
        /** @description Deletion of one memory. It reports when its row and vectors are removed for good. */
        DeleteMemoryOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_memory";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Time when the last database row and keyword index entry was removed for good; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the history of the database, from which it can be restored to an earlier point in time, still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
            /** @description Archives that may still have what was deleted: they were begun before the last row was removed, and their objects exist. Empty once none does. Those that are kept longest come first, and at most 20 are named: `archive_count` is the number of all. */
            archives: {
                /**
                 * @description Id of the archive.
                 * @example arc_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description Time from which the archive is deleted; null if it is kept.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                expires_at: string | null;
            }[];
            /** @description Number of archives that may still have what was deleted, also of those that `archives` does not name. */
            archive_count: number;
            /** @description Number of earlier versions of memories that were removed for good so far. */
            memory_versions_deleted: number;
        };
        MemoriesCounted: {
            /** @description Number of memories that would be deleted now. */
            memories: number;
            /** @description Number of items that match the filter and are under legal hold. They would not be deleted. */
            held: number;
            /** @description Whether all matching items were counted. `false` if counting would read more than 100,000 items with a filter by tags or metadata, or 1,250,000 otherwise. The counts then cover only the oldest items, and the deletion may delete more than they say. */
            complete: boolean;
        };
        /** @description Deletion of memories by filter, or of all memories. It reports its progress, and when all their rows and vectors are removed for good. */
        DeleteMemoriesOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_memories";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of memories completed so far. */
                done: number;
                /** @description Number of memories to complete. Null until all matching memories are found, which may take several steps. */
                total: number | null;
            };
            /** @description Number of memories deleted so far: they are excluded from every response, and then removed for good. */
            soft_deleted: number;
            /** @description Number of matching items that it found under legal hold and did not delete. `delete_user`: 0 again once it continues after a hold was lifted. What came under a hold after it was deleted does not count: the deletion is `running` until it can be removed for good. */
            held: number;
            /** @description Ids of the legal holds that held these items. */
            hold_ids: string[];
            /**
             * Format: date-time
             * @description Time when the last database row and keyword index entry was removed for good; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the history of the database, from which it can be restored to an earlier point in time, still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
            /** @description Archives that may still have what was deleted: they were begun before the last row was removed, and their objects exist. Empty once none does. Those that are kept longest come first, and at most 20 are named: `archive_count` is the number of all. */
            archives: {
                /**
                 * @description Id of the archive.
                 * @example arc_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description Time from which the archive is deleted; null if it is kept.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                expires_at: string | null;
            }[];
            /** @description Number of archives that may still have what was deleted, also of those that `archives` does not name. */
            archive_count: number;
            /** @description Number of earlier versions of memories that were removed for good so far. */
            memory_versions_deleted: number;
            /**
             * @description Id of the rule of retention that began the deletion; null if a request did, or if the items had expired.
             * @example ret_06e3tqz8m1k4v9x2c7d0
             */
            retention_rule_id: string | null;
        };
        /**
         * @example {
         *       "filter": {
         *         "agent_id": "support-bot"
         *       },
         *       "dry_run": true
         *     }
         */
        DeleteMemoriesBody: {
            /** @description Memories to delete. All conditions must match; at least one is required. */
            filter?: {
                /**
                 * @description Only memories of this agent.
                 * @example support-bot
                 */
                agent_id?: string;
                /**
                 * @description Only memories of this user. Memories without a user do not match.
                 * @example user_4711
                 */
                user_id?: string;
                /**
                 * @description Only memories of this kind.
                 * @enum {string}
                 */
                kind?: "note" | "summary";
                /**
                 * @description Only memories from this source.
                 * @example slack
                 */
                source?: string;
                /**
                 * @description Only memories with at least one of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_any?: string[];
                /**
                 * @description Only memories with all of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_all?: string[];
                /**
                 * Format: date-time
                 * @description Only memories captured at or after this time.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_after?: string;
                /**
                 * Format: date-time
                 * @description Only memories captured before this time.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_before?: string;
                /**
                 * @description Only memories whose `metadata` has all of these keys with these values at its top level. At most 16 keys.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            /**
             * @description Instead of a filter: delete every memory that the key can change.
             * @enum {boolean}
             */
            all?: true;
            /**
             * @description `true`: delete nothing, and return the number of memories that would be deleted. Recommended before every deletion. Default `false`.
             * @default false
             */
            dry_run?: boolean;
            /**
             * @description `true`: what is deleted is not stored again, by whatever way it comes: captures, appends, forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default `false`.
             * @default false
             */
            forget?: boolean;
        };
        /** @description Enrichment: a text model writes the tags and summaries that memories lack. */
        EnrichMemoriesOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "enrich_memories";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of memories completed so far. */
                done: number;
                /** @description Number of memories to complete. Null until all memories to enrich are queued. */
                total: number | null;
            };
            /** @description Number of memories for which the text model wrote tags or a summary. `progress.done` also counts memories for which the model gave no usable answer. */
            enriched: number;
        };
        /**
         * @example {
         *       "filter": {
         *         "source": "slack"
         *       }
         *     }
         */
        EnrichMemoriesBody: {
            /**
             * @description Memories to enrich. All conditions must match. Default: all that the key can change.
             * @default {}
             */
            filter?: {
                /**
                 * @description Only memories of this agent.
                 * @example support-bot
                 */
                agent_id?: string;
                /**
                 * @description Only memories of this user. Memories without a user do not match.
                 * @example user_4711
                 */
                user_id?: string;
                /**
                 * @description Only memories of this kind.
                 * @enum {string}
                 */
                kind?: "note" | "summary";
                /**
                 * @description Only memories from this source.
                 * @example slack
                 */
                source?: string;
                /**
                 * @description Only memories with at least one of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_any?: string[];
                /**
                 * @description Only memories with all of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_all?: string[];
                /**
                 * Format: date-time
                 * @description Only memories captured at or after this time.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_after?: string;
                /**
                 * Format: date-time
                 * @description Only memories captured before this time.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_before?: string;
                /**
                 * @description Only memories whose `metadata` has all of these keys with these values at its top level. At most 16 keys.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
        };
        /** @description One page of a list. */
        EntityPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Entity"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description Something that messages mention, found by rules. Mentions of the same kind whose values differ only in case and accents are one entity. */
        Entity: {
            /**
             * @description Id of an entity. It is computed from its kind and value: the same entity always has the same id in an organization.
             * @example ent_5f0c1e7ab3d94c2688e1f6a07b52d913
             */
            id: string;
            kind: components["schemas"]["EntityKind"];
            /**
             * @description The entity as its newest mention writes it. For a date, the day (`2026-03-01`) or month (`2026-03`) that is meant.
             * @example src/app.ts
             */
            value: string;
            /** @description Number of mentions. Null if 1,000 messages or more mention the entity, or 1,000 conversations. */
            mention_count: number | null;
            /** @description Number of conversations with a mention. Null if 1,000 messages or more mention the entity, or 1,000 conversations. */
            conversation_count: number | null;
            /**
             * Format: date-time
             * @description `created_at` of the first message with a mention. If the counts are null, of the first in the 1,000 oldest messages with a mention, by conversation.
             * @example 2026-11-02T09:30:00.000Z
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description `created_at` of the last message with a mention. If the counts are null, of the last in the 100 newest messages with a mention, by conversation.
             * @example 2026-11-02T09:30:00.000Z
             */
            last_seen_at: string;
        };
        /**
         * @description Kind of an entity. `file`: a file name or path. `symbol`: a name in code that has several parts or is called. `error_code`: an error code or the name of an exception. `command`: a command line. `url`: a link. `ticket`: the number of an issue, ticket or pull request. `version`: a version number. `date`: a day or month. `amount`: an amount of money with its currency. `email`: an email address. `quoted_name`: a name or title in double quotes.
         * @enum {string}
         */
        EntityKind: "file" | "symbol" | "error_code" | "command" | "url" | "ticket" | "version" | "date" | "amount" | "email" | "quoted_name";
        /** @description One page of a list. */
        MentionPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Mention"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A place in a message where an entity is mentioned. */
        Mention: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /**
             * @description Id of a message.
             * @example msg_06e3tqz8m1k4v9x2c7d0
             */
            message_id: string;
            /** @description Sequence number of the message. */
            sequence: number;
            /** @description Where the mention starts in the content of the message, in UTF-16 code units. */
            start: number;
            /** @description Where the mention ends in the content of the message, in UTF-16 code units; exclusive. */
            end: number;
            /**
             * @description The mention, exactly as the message has it.
             * @example src/app.ts
             */
            text: string;
            /**
             * Format: date-time
             * @description `created_at` of the message.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description One page of a list. */
        UserPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["User"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A user: the `user_id` of conversations and memories. Nothing else is stored of users. */
        User: {
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            id: string;
            /** @description Number of conversations with the user. Null if there are more than 1,000. */
            conversation_count: number | null;
            /** @description Number of memories of the user. Null if there are more than 1,000. */
            memory_count: number | null;
            /**
             * Format: date-time
             * @description Time when the earliest conversation or memory of the user was created. Null if there is none, and while the 100 earliest are being deleted.
             * @example 2026-11-02T09:30:00.000Z
             */
            first_seen_at: string | null;
            /**
             * Format: date-time
             * @description Time when a conversation or memory of the user was last created or changed. Null if there is none, and while the 100 newest are being deleted.
             * @example 2026-11-02T09:30:00.000Z
             */
            last_seen_at: string | null;
        };
        /** @description Deletion of the conversations, memories and receipts of recall of a user. It reports its progress, and when all their rows and vectors are removed for good. What is under legal hold stays: the deletion is `running` until the last of these holds is lifted, and then deletes it, too. `target_id` is the id of the user. */
        DeleteUserOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_user";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of conversations and memories completed so far. */
                done: number;
                /** @description Number of conversations and memories to complete. Null until all matching conversations and memories are found, which may take several steps. */
                total: number | null;
            };
            /** @description Number of conversations and memories deleted so far: they are excluded from every response, and then removed for good. */
            soft_deleted: number;
            /** @description Number of matching items that it found under legal hold and did not delete. `delete_user`: 0 again once it continues after a hold was lifted. What came under a hold after it was deleted does not count: the deletion is `running` until it can be removed for good. */
            held: number;
            /** @description Ids of the legal holds that held these items. */
            hold_ids: string[];
            /**
             * Format: date-time
             * @description Time when the last database row and keyword index entry was removed for good; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the history of the database, from which it can be restored to an earlier point in time, still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
            /** @description Archives that may still have what was deleted: they were begun before the last row was removed, and their objects exist. Empty once none does. Those that are kept longest come first, and at most 20 are named: `archive_count` is the number of all. */
            archives: {
                /**
                 * @description Id of the archive.
                 * @example arc_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description Time from which the archive is deleted; null if it is kept.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                expires_at: string | null;
            }[];
            /** @description Number of archives that may still have what was deleted, also of those that `archives` does not name. */
            archive_count: number;
            /** @description Number of earlier versions of memories that were removed for good so far. */
            memory_versions_deleted: number;
            /** @description Number of receipts of recall of the user that were removed for good so far. All are excluded from every response from the request on. */
            recalls_deleted: number;
            /** @description Number of memories that cite a deleted message and got a new version, because the organization's `on_source_deleted` is `flag`. */
            memories_flagged: number;
            /** @description Number of memories that cite a deleted message and were deleted with it, because the organization's `on_source_deleted` is `delete`. Their rows and vectors are removed like those of any deleted memory. The times of this operation do not cover them. */
            memories_deleted: number;
            /** @description Number of summaries over deleted messages that were removed for good so far. */
            summaries_deleted: number;
        };
        MemorySearchAnswer: {
            /** @description Results, best first. */
            results: components["schemas"]["MemoryResult"][];
            /** @description Reasons why the results may be incomplete or less well ordered; empty if there are none. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: matches by meaning may be missing, because of the filters. They match more conversations than one query of the vector store can list, or too few of the nearest vectors match them, or the organization has more conversations than one search compares with them. `keyword_partial`: matches by keywords may be missing, because the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, or a phrase of frequent words was not found everywhere, or an exclusion may have excluded too much. With filters, only the conversations with the rarest words may have been searched. It also says that the words of a large write of the organization are still being inserted. `phrase_too_long`: a quoted phrase has more than 32 words, so it was searched as plain words. `model_mismatch`: some messages or memories have vectors of an earlier embedding model and were searched by keywords only. For a key that is bound to an agent, it may concern data of other agents, if 5,000 or more vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded; a service on a single machine has none. The results are ordered as without `rerank`. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description Number of messages and memories that semantic search cannot find yet, because their vectors are not stored, or are stored but not yet visible to queries. Keyword search finds them. In `keyword` mode, it counts only those whose vectors are not stored. It is a lower bound if more than 5,000 indexing jobs of the organization are queued. */
            pending: number;
            /** @description Estimated number of tokens of the content of all results: never less than OpenAI's tokenizer o200k counts. In English and code it is about 6 % more, in Chinese, Japanese and Korean about 11 %, in other languages up to several times as much. */
            tokens: number;
            /** @description Number of results that were left out, because all results together would exceed `max_tokens` or 2 MB. To get them, raise `max_tokens` or use a narrower filter; for messages, also fewer `neighbors`. */
            omitted: number;
            /** @description Number of results, among the `limit` best, that were left out because their `relevance` is below `min_relevance`. */
            below_min_relevance: number;
            /**
             * @description Present only with `record`: id of the receipt, which is stored durably. Null if none was kept, because nothing is stored for the user any more, or because `conversation_id` is not a conversation that the key can read.
             * @example rcl_06e3tqz8m1k4v9x2c7d0
             */
            recall_id?: string | null;
        };
        MemoryResult: {
            /**
             * @description The result is a memory. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "memory";
            memory: components["schemas"]["FoundMemory"];
            /** @description Whether the memory has ended by `valid_at`: its `valid_until` is not later. */
            ended: boolean;
            /** @description Score by which the results of one search are ordered. It cannot be compared between searches; `relevance` can. */
            score: number;
            /** @description Estimate of how likely the result is to answer the query, from 0 to 1. It is the geometric mean of two estimated probabilities: that a search with such a best match has found an answer at all, and that this match or a message near it holds one. It can be compared between searches. In one `mode`, it depends on the query, the best match of the result and what is stored, not on `limit` or on the other results. It rises with the similarity in meaning, and with the share of the query's words that occur in the match or within two messages of it; rare words count more. If the topic never came up, all results stay below 0.25 in 95 of 100 searches. If the topic came up but the question was never answered, they stay below 0.8 in 95 of 100. */
            relevance: number;
            /** @description Ranges of the content that match words of the query, in order. At most 100, all within the first 100,000 UTF-16 code units. Empty if no word of the content matches, but its meaning, a neighboring message or the speaker's name. */
            highlights: components["schemas"]["Highlight"][];
            chunk: components["schemas"]["MatchedChunk"];
            explanation?: components["schemas"]["SearchExplanation"];
        };
        /** @description The memory. With `max_tokens`, a long one may have only the part of its content that matches. */
        FoundMemory: {
            /**
             * @description Id of a memory.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            kind: components["schemas"]["MemoryKind"];
            /**
             * @description Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Maria prefers refunds to her card, never store credit."
             *       }
             *     ]
             */
            parts: unknown[] | {
                [key: string]: unknown;
            } | null;
            /** @description Messages that the memory was derived from, in the order in which you sent them. The ids stay when a message is deleted; its text does not. */
            sources: components["schemas"]["Source"][];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source: string | null;
            /**
             * @description Your own id for the agent that the conversation or memory belongs to.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Whether every user of the organization can read it beside their own. What is shared belongs to no user, and only a key that is bound to no user can change it. */
            shared: boolean;
            /**
             * @description Your own id for the memory, unique among the memories of its agent and user.
             * @example diet
             */
            external_id: string | null;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at: string | null;
            /**
             * @description Memory that this one replaced, which `createMemory` ended. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            supersedes: string | null;
            /**
             * @description Memory that replaced this one: the last that was captured with this one as `supersedes`. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            superseded_by: string | null;
            /**
             * @description Text model that wrote the tags or the summary because you gave none; null if no model wrote any. `engram/extractive-1` is not a model: it means that the service extracted them from the content by fixed rules.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent and user that have no `external_id`.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is the time that you set.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the memory was last changed, or when its content was last captured again.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /** @description Only if `content` is a part of the whole content: offset of its start in it, in UTF-16 code units, as in JavaScript strings. */
            content_start?: number;
            /** @description Only if `content` is a part: offset of its end in the whole content, in the same unit. */
            content_end?: number;
            /** @description Only if `content` is a part: length of the whole content, in the same unit. `getMemory` returns the whole content. */
            content_length?: number;
        };
        Highlight: {
            /** @description Start offset in UTF-16 code units, as in JavaScript strings, from 0. */
            start: number;
            /** @description End offset in the same unit; the character at this offset is not part of the range. */
            end: number;
        };
        /** @description Part of the memory that matches best by meaning. Null if only keywords match, or if changed content is not indexed yet. */
        MatchedChunk: {
            /**
             * @description Id of a chunk: several neighboring messages, or a part of a memory, which semantic search finds by one vector.
             * @example chk_2k7d9x4c6e0v1m8q3t5z
             */
            id: string;
            /** @description Position among the chunks, from 0. */
            ordinal: number;
            /** @description Start in the content, after the overlap with the previous chunk. Counted in UTF-16 code units, as in JavaScript strings. */
            start: number;
            /** @description End in the content (exclusive), where the next chunk starts. Counted in UTF-16 code units, as in JavaScript strings. */
            end: number;
            /** @description Start of the text that the vector is computed from. It is up to 64 tokens before `start`, so that it overlaps the previous chunk. Counted in UTF-16 code units, as in JavaScript strings. */
            overlap_start: number;
        } | null;
        /** @description Components of the score, present with `explain`. For a message among the 100 best by `message`, `window` or `chunk`, the score before `rerank` is their sum. For any other message, the score is lower than the sum. */
        SearchExplanation: {
            /** @description Keyword score (BM25) of the message, scaled so that the best message has 1, and the 100th best or, with fewer matches, the worst has 0. A single match has 1. */
            message: number;
            /** @description Keyword score (BM25) of the message together with the two messages before and the two after it, scaled in the same way as `message`. */
            window: number;
            /** @description Keyword score (BM25) of the whole conversation, scaled so that the best conversation has 1, and the 15th best or, with fewer matches, the worst has 0. */
            conversation: number;
            /** @description Similarity in meaning (cosine) between the query and the nearest chunk, a group of neighboring messages that contains this one. Scaled so that the nearest chunk has 1, and the 100th nearest or, with fewer matches, the farthest has 0. */
            chunk: number;
            /** @description Above 0 if the message directly follows a short question that matches the words of the query; otherwise 0. */
            answer: number;
            /** @description Below 0 if the message is a short question; otherwise 0. */
            question: number;
            /** @description Above 0 if the query asks when and the message contains a time; otherwise 0. */
            time: number;
            /** @description Above 0 if the query asks how many and the message contains a number; otherwise 0. */
            number: number;
            /** @description Above 0 if the message was said at a time that the query names, or soon after; otherwise 0. */
            date: number;
            /** @description Below 0 if the query names the other speaker of a conversation of two; otherwise 0. */
            speaker: number;
            /** @description Below 0 if the message has the role `system` and `hidden: true` in its `metadata`; otherwise 0. */
            hidden: number;
            /** @description Above 0 if the message contains a quoted phrase of the query; otherwise 0. */
            phrase: number;
            /** @description Below 0 if the result is a memory that does not hold at `valid_at`; otherwise 0. */
            validity: number;
        };
        /**
         * @example {
         *       "query": "How does Maria want refunds?",
         *       "limit": 5
         *     }
         */
        SearchMemoriesBody: {
            /** @description A question, words or code. A hyphen excludes nothing, so `rm -rf dist` finds the command. In `keyword` mode, every match contains each `"quoted phrase"` of the query. In `hybrid` mode, messages and memories that contain a quoted phrase rank higher. In a query of several lines, quotes have no meaning. Limits: 48 distinct words (of more, the longest are used), 16 phrases (of more, the first are used), 32 words per phrase. A longer phrase counts as plain words; in `keyword` mode it is rejected with 400. */
            query: string;
            /**
             * @description Words or phrases that no match has. They count in every mode and in any form of the words. At most 16, of 32 words each. A phrase needs no quotes. Messages near a match may contain them.
             * @example [
             *       "paypal",
             *       "gift card"
             *     ]
             */
            exclude?: string[];
            /**
             * @description `semantic` searches by meaning, `keyword` by keywords, `hybrid` by both.
             * @default hybrid
             * @enum {string}
             */
            mode?: "hybrid" | "semantic" | "keyword";
            /**
             * @description Maximum number of results.
             * @default 10
             */
            limit?: number;
            /**
             * @description Only memories of this agent.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Only memories of this user. Shared ones match, too; others without a user do not.
             * @example user_4711
             */
            user_id?: string;
            /** @description Which conversations and memories are searched: those that are not shared (`own`), the shared ones (`shared`), or both. Default: both. */
            visibility?: ("own" | "shared")[];
            /**
             * @description Only memories of this kind.
             * @enum {string}
             */
            kind?: "note" | "summary";
            /**
             * @description Only memories from this source.
             * @example slack
             */
            source?: string;
            /**
             * @description Only memories with at least one of these tags.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags_any?: string[];
            /**
             * @description Only memories with all of these tags.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags_all?: string[];
            /**
             * @description Only memories whose `metadata` has all of these keys with these values at its top level. At most 16 keys.
             * @example {
             *       "ticket": "T-1029"
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /**
             * Format: date-time
             * @description Only memories captured at or after this time.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_after?: string;
            /**
             * Format: date-time
             * @description Only memories captured before this time.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_before?: string;
            /**
             * @description Only what was stored at a moment of the past: a time, or a message as the id of its conversation, `:` and its sequence number. Matches are found and ranked by what is stored and indexed today. What was changed since has `edited_since`.
             * @example 2026-11-02T09:30:00.000Z
             */
            as_of?: string;
            /**
             * Format: date-time
             * @description Time at which memories should hold. Memories that do not hold then, because they have ended or not begun, rank below all other results. Default: now.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_at?: string;
            /**
             * @description Whether to return the components of each match's score, as `explanation`. Default `false`.
             * @default false
             */
            explain?: boolean;
            /**
             * @description Whether to order the 50 best matches again with a model that reads query and text together. More accurate but slower, usually by a few hundred milliseconds. Default `false`.
             * @default false
             */
            rerank?: boolean;
            /** @description Lowest `relevance`, 0 to 1. Results below it are left out and counted in `below_min_relevance`. Default: 0, which leaves out none. */
            min_relevance?: number;
            /**
             * @description Number of best results that are kept although their `relevance` is below `min_relevance`: in a small store, an answer in other words than the question has a low relevance. A result with the relevance 0 is never kept. At most 10. Default 0.
             * @default 0
             */
            keep_best?: number;
            /**
             * @description Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and hashes of the items, but no content. `true`, or an object with your own `run_id` and `metadata` for it. Default `false`.
             * @default false
             * @example true
             */
            record?: boolean | {
                /**
                 * @description Your own id for the run of the agent that asked.
                 * @example run_29
                 */
                run_id?: string;
                metadata?: components["schemas"]["Metadata"] & unknown;
            };
            /** @description Maximum tokens of the results. Only their content counts, as in `tokens`. Messages and memories are chosen one by one: the best matches up to half of the limit, then the best match of each other result up to 70 %, then the nearest neighbors of these, then further matches. At first, a match has at most 300 tokens: a longer one is cut to the part with the most matching words, a memory to the chunk that matches. What is left makes cut matches longer, the best one first. A result is left out, and counted in `omitted`, if none of its messages fits. Default: no limit. */
            max_tokens?: number;
        };
        SearchAnswer: {
            /** @description Results, best first. No message is in two results. */
            results: components["schemas"]["SearchResult"][];
            /** @description Reasons why the results may be incomplete or less well ordered; empty if there are none. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: matches by meaning may be missing, because of the filters. They match more conversations than one query of the vector store can list, or too few of the nearest vectors match them, or the organization has more conversations than one search compares with them. `keyword_partial`: matches by keywords may be missing, because the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, or a phrase of frequent words was not found everywhere, or an exclusion may have excluded too much. With filters, only the conversations with the rarest words may have been searched. It also says that the words of a large write of the organization are still being inserted. `phrase_too_long`: a quoted phrase has more than 32 words, so it was searched as plain words. `model_mismatch`: some messages or memories have vectors of an earlier embedding model and were searched by keywords only. For a key that is bound to an agent, it may concern data of other agents, if 5,000 or more vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded; a service on a single machine has none. The results are ordered as without `rerank`. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description Number of messages and memories that semantic search cannot find yet, because their vectors are not stored, or are stored but not yet visible to queries. Keyword search finds them. In `keyword` mode, it counts only those whose vectors are not stored. It is a lower bound if more than 5,000 indexing jobs of the organization are queued. */
            pending: number;
            /** @description Estimated number of tokens of the content of all results: never less than OpenAI's tokenizer o200k counts. In English and code it is about 6 % more, in Chinese, Japanese and Korean about 11 %, in other languages up to several times as much. */
            tokens: number;
            /** @description Number of results that were left out, because all results together would exceed `max_tokens` or 2 MB. To get them, raise `max_tokens` or use a narrower filter; for messages, also fewer `neighbors`. */
            omitted: number;
            /** @description Number of results, among the `limit` best, that were left out because their `relevance` is below `min_relevance`. */
            below_min_relevance: number;
            /**
             * @description Present only with `record`: id of the receipt, which is stored durably. Null if none was kept, because nothing is stored for the user any more, or because `conversation_id` is not a conversation that the key can read.
             * @example rcl_06e3tqz8m1k4v9x2c7d0
             */
            recall_id?: string | null;
        };
        SearchResult: components["schemas"]["MessagesResult"] | components["schemas"]["MemoryResult"];
        MessagesResult: {
            /**
             * @description The result consists of messages of a conversation. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "messages";
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            conversation: components["schemas"]["ConversationSummary"];
            /** @description Sequence number of the first message in `messages`. */
            start_sequence: number;
            /** @description Sequence number of the last message in `messages`. */
            end_sequence: number;
            /** @description Score by which the results of one search are ordered. It cannot be compared between searches; `relevance` can. */
            score: number;
            /** @description Estimate of how likely the result is to answer the query, from 0 to 1. It is the geometric mean of two estimated probabilities: that a search with such a best match has found an answer at all, and that this match or a message near it holds one. It can be compared between searches. In one `mode`, it depends on the query, the best match of the result and what is stored, not on `limit` or on the other results. It rises with the similarity in meaning, and with the share of the query's words that occur in the match or within two messages of it; rare words count more. If the topic never came up, all results stay below 0.25 in 95 of 100 searches. If the topic came up but the question was never answered, they stay below 0.8 in 95 of 100. */
            relevance: number;
            /** @description Messages that match, best first. All others in `messages` are neighbors. */
            matches: {
                /**
                 * @description Id of a message.
                 * @example msg_06e3tqz8m1k4v9x2c7d0
                 */
                message_id: string;
                /** @description Sequence number of the message: its position in the conversation. */
                sequence: number;
                /** @description Score of this message. */
                score: number;
                /** @description Ranges of the content that match words of the query, in order. At most 100, all within the first 100,000 UTF-16 code units. Empty if no word of the content matches, but its meaning, a neighboring message or the speaker's name. */
                highlights: components["schemas"]["Highlight"][];
                explanation?: components["schemas"]["SearchExplanation"];
            }[];
            /** @description The matches and their neighbors, oldest first. At most 50; if there are more, those around the best matches are returned. Without `max_tokens`, every message has its full content. With `max_tokens`, messages between the first and the last may be missing, and a long match may have only the part of its content with the matching words. */
            messages: components["schemas"]["FoundMessage"][];
            /**
             * @description Id of the chunk (group of neighboring messages) that matches best by meaning; null if only keywords match.
             * @example chk_2k7d9x4c6e0v1m8q3t5z
             */
            chunk_id: string | null;
            /** @description The summary of level 1 that covers the best match, if it has one; none if an earlier result has it. Present only if `in` has `summaries`. At most 10 in one response, those of the best results, and with `max_tokens` only those that fit besides all messages. */
            summaries?: components["schemas"]["FoundSummary"][];
            /** @description Present if messages were left out, because of `max_tokens`, or because the result would have more than 50 messages or the response more than 2 MB. Pass the range to `listMessages` to read all of them. */
            cut?: {
                /** @description Sequence number of the first message of the complete range. */
                from_sequence: number;
                /** @description Sequence number of the last message of the complete range. */
                to_sequence: number;
            };
        };
        /** @description The conversation of the messages. */
        ConversationSummary: {
            /**
             * @description Title of the conversation. At most 1,000 characters.
             * @example Refund for order 1029
             */
            title: string | null;
            /**
             * @description Your own id for the conversation, unique within the organization.
             * @example ticket-1029
             */
            external_id: string | null;
            /**
             * @description Your own id for the agent that the conversation or memory belongs to.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Whether every user of the organization can read it beside their own. What is shared belongs to no user, and only a key that is bound to no user can change it. */
            shared: boolean;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * Format: date-time
             * @description Time when the conversation was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        FoundMessage: components["schemas"]["Message"] & {
            /** @description Only if `content` is a part of the whole content: offset of its start in it, in UTF-16 code units, as in JavaScript strings. */
            content_start?: number;
            /** @description Only if `content` is a part: offset of its end in the whole content, in the same unit. */
            content_end?: number;
            /** @description Only if `content` is a part: length of the whole content, in the same unit. `getMessage` returns the whole content. */
            content_length?: number;
        };
        FoundSummary: {
            /** @description 1: a summary of messages, of 24 sequence numbers or 3,000 tokens. 2: of up to eight summaries of level 1, and so on. */
            level: number;
            /** @description Sequence number of the first message that the summary covers. */
            from_sequence: number;
            /** @description Sequence number of the last message that the summary covers. */
            to_sequence: number;
            /** @description Number of messages that it was made from; above level 1, of summaries. */
            source_count: number;
            /** @description Whether no later message belongs to it. False for the end of a conversation: a longer summary replaces it when the conversation has gone on. */
            full: boolean;
            /** @description At most eight sentences in the order of the messages; none if the messages have no sentence. */
            sentences: components["schemas"]["SummarySentence"][];
            /** @description Text model that wrote the sentences. Null if they are verbatim sentences of the messages, which no model chose. */
            model: string | null;
            /** @description Version of the service's rules for summaries that made it. */
            rules: number;
            /**
             * @description SHA-256 in hex of what it was made from. On level 1, of the JSON array with `[sequence, role, name, content]` of each message; above, of the JSON array with the `source_hash` of each summary.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            source_hash: string;
            /**
             * Format: date-time
             * @description Time when the summary was made.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /** @description The messages that the sentences cite, in order. */
            messages: components["schemas"]["CitedMessage"][];
        };
        CitedMessage: {
            /**
             * @description Id of a message.
             * @example msg_06e3tqz8m1k4v9x2c7d0
             */
            message_id: string;
            /** @description Sequence number of the message. */
            sequence: number;
            role: components["schemas"]["MessageRole"];
            /**
             * @description Name of the speaker.
             * @example Maria
             */
            name: string | null;
            /** @description Content of the message. Of a longer one, the part with what is cited, at most 1000 characters. */
            content: string;
            /**
             * Format: date-time
             * @description Time of the message.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        /**
         * @example {
         *       "query": "When was the refund sent?",
         *       "limit": 5
         *     }
         */
        SearchBody: {
            /** @description A question, words or code. A hyphen excludes nothing, so `rm -rf dist` finds the command. In `keyword` mode, every match contains each `"quoted phrase"` of the query. In `hybrid` mode, messages and memories that contain a quoted phrase rank higher. In a query of several lines, quotes have no meaning. Limits: 48 distinct words (of more, the longest are used), 16 phrases (of more, the first are used), 32 words per phrase. A longer phrase counts as plain words; in `keyword` mode it is rejected with 400. */
            query: string;
            /**
             * @description Words or phrases that no match has. They count in every mode and in any form of the words. At most 16, of 32 words each. A phrase needs no quotes. Messages near a match may contain them.
             * @example [
             *       "paypal",
             *       "gift card"
             *     ]
             */
            exclude?: string[];
            /**
             * @description `semantic` searches by meaning, `keyword` by keywords, `hybrid` by both.
             * @default hybrid
             * @enum {string}
             */
            mode?: "hybrid" | "semantic" | "keyword";
            /**
             * @description Maximum number of results.
             * @default 10
             */
            limit?: number;
            /**
             * @description What to search: `conversations`, `memories` or both in one ranking. `summaries` searches conversations, too, and returns with each result the summaries of its best match: they come with the messages that they cite and never rank above them. They are those of today, so `as_of` excludes `summaries`. The filters by agent, user, tags, metadata and time apply to memories too. The filters that only conversations have (`conversation_id`, `roles`, `names`, `entities`) exclude all memories.
             * @default [
             *       "conversations"
             *     ]
             */
            in?: ("conversations" | "memories" | "summaries")[];
            /**
             * @description Only this conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id?: string;
            /**
             * @description Id or `external_id` of a conversation to leave out, such as the one whose messages the prompt has already. Its messages take the place of no result. Memories that cite it are searched.
             * @example chat-17
             */
            exclude_conversation?: string;
            /**
             * @description Only data of this agent.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Only data of this user. What is shared matches, too; other data without a user does not.
             * @example user_4711
             */
            user_id?: string;
            /** @description Which conversations and memories are searched: those that are not shared (`own`), the shared ones (`shared`), or both. Default: both. */
            visibility?: ("own" | "shared")[];
            /**
             * @description Only conversations and memories with any of these tags.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags_any?: string[];
            /**
             * @description Only conversations and memories with all of these tags.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags_all?: string[];
            /** @description Only matches with these roles. */
            roles?: components["schemas"]["MessageRole"][];
            /** @description Only matches whose speaker has one of these names. */
            names?: string[];
            /** @description Only matches that mention at least one of these entities. A message is compared once it is indexed, within seconds. */
            entities?: {
                kind: components["schemas"]["EntityKind"];
                /**
                 * @description Value of the entity. Case and accents do not matter.
                 * @example src/app.ts
                 */
                value: string;
            }[];
            /**
             * @description Only conversations and memories whose `metadata` has these keys and values. They are compared at its top level. At most 16 keys.
             * @example {
             *       "ticket": "T-1029"
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /**
             * Format: date-time
             * @description Only matches at or after this time.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_after?: string;
            /**
             * Format: date-time
             * @description Only matches before this time.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_before?: string;
            /**
             * @description Only what was stored at a moment of the past: a time, or a message as the id of its conversation, `:` and its sequence number. Matches are found and ranked by what is stored and indexed today. What was changed since has `edited_since`.
             * @example 2026-11-02T09:30:00.000Z
             */
            as_of?: string;
            /**
             * @description How many neighbors of each match to return: the messages around it. Filters do not apply to them.
             * @default {
             *       "before": 2,
             *       "after": 2
             *     }
             */
            neighbors?: {
                /**
                 * @description Messages before each match.
                 * @default 2
                 */
                before?: number;
                /**
                 * @description Messages after each match.
                 * @default 2
                 */
                after?: number;
            };
            /**
             * @description Adjustments of the scores, in addition to words and meaning. All but `hidden` apply in `hybrid` mode only. Default: all of them; `[]` for none. `answer`: a message after a question that matches the query ranks higher. `question`: a short question ranks lower. Both count less, the longer the messages are on average, and not at all from 180 words. `time`: if the query asks when, a message that contains a time ranks higher. `number`: if the query asks how many, a message that contains a number ranks higher. `date`: if the query names a day, week, month or year, a message said then or soon after ranks higher. `last week` counts from `created_before`, or from now. Of a day such as 3/12, both readings count half, unless the language of the query or another date tells which is meant. `speaker`: if the query names a speaker of a conversation of two, messages by the other rank lower. `hidden`: a message with the role `system` and `hidden: true` in its `metadata`, such as the hidden context of an imported chat, ranks after all others.
             * @default [
             *       "answer",
             *       "question",
             *       "time",
             *       "number",
             *       "date",
             *       "speaker",
             *       "hidden"
             *     ]
             */
            priors?: ("answer" | "question" | "time" | "number" | "date" | "speaker" | "hidden")[];
            /**
             * Format: date-time
             * @description Time at which memories should hold. Memories that do not hold then, because they have ended or not begun, rank below all other results. Default: now.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_at?: string;
            /**
             * @description Whether to return the components of each match's score, as `explanation`. Default `false`.
             * @default false
             */
            explain?: boolean;
            /**
             * @description Whether to order the 50 best matches again with a model that reads query and text together. More accurate but slower, usually by a few hundred milliseconds. Default `false`.
             * @default false
             */
            rerank?: boolean;
            /** @description Lowest `relevance`, 0 to 1. Results below it are left out and counted in `below_min_relevance`. Default: 0, which leaves out none. */
            min_relevance?: number;
            /**
             * @description Number of best results that are kept although their `relevance` is below `min_relevance`: in a small store, an answer in other words than the question has a low relevance. A result with the relevance 0 is never kept. At most 10. Default 0.
             * @default 0
             */
            keep_best?: number;
            /**
             * @description Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and hashes of the items, but no content. `true`, or an object with your own `run_id` and `metadata` for it. Default `false`.
             * @default false
             * @example true
             */
            record?: boolean | {
                /**
                 * @description Your own id for the run of the agent that asked.
                 * @example run_29
                 */
                run_id?: string;
                metadata?: components["schemas"]["Metadata"] & unknown;
            };
            /** @description Maximum tokens of the results. Only their content counts, as in `tokens`. Messages and memories are chosen one by one: the best matches up to half of the limit, then the best match of each other result up to 70 %, then the nearest neighbors of these, then further matches. At first, a match has at most 300 tokens: a longer one is cut to the part with the most matching words, a memory to the chunk that matches. What is left makes cut matches longer, the best one first. A result is left out, and counted in `omitted`, if none of its messages fits. Default: no limit. */
            max_tokens?: number;
        };
        ContextAnswer: {
            /** @description One text for a prompt: memories, search results, then the newest messages, each with its id or number and its time. A memory also names the messages that it cites, as `from [3] of conv_…`, without their text: quotations are only in `memories`, and cost nothing. A sentence at its start says that it is data. The tags around it occur nowhere within it, and the further lines of a message or memory are indented, so stored text can neither end the block nor pretend to be another entry. Empty if there is nothing to include. */
            text: string;
            /** @description Upper bound on the number of tokens that a model counts in `text`, also if it is sent as a JSON string. At most `max_tokens`. It is computed as in `search`. */
            tokens: number;
            /** @description The newest messages. Empty without `conversation_id`. */
            messages: {
                /** @description The newest messages of the conversation, oldest first and without a gap, except with the layout `stable` between those in `stable` and the others. A message that is longer than a quarter of this part (half, for the newest) is cut to its beginning. */
                items: components["schemas"]["ContextMessage"][];
                /** @description Upper bound on the tokens of these messages in `text`. */
                tokens: number;
                /** @description Number of earlier messages of the conversation that are not included. */
                omitted: number;
            };
            /** @description Memories. Without `query`, and with neither a user nor an agent in the request or the key, there are none. */
            memories: {
                /** @description Memories, long ones cut to the part that matches: those that the query finds, best first, then the newest of the user or agent. Those that do not hold at `valid_at` come after all others. */
                items: components["schemas"]["ContextMemory"][];
                /** @description Upper bound on the tokens of these memories in `text`. */
                tokens: number;
                /** @description Number of memories that did not fit, among those that the query finds and the 50 newest. */
                omitted: number;
            };
            /** @description Search results in conversations. Empty without `query`. */
            results: {
                /** @description What the query finds in conversations, best first. No message is in two results, or also in `messages`. A long match is cut to the part with the most matching words. */
                items: components["schemas"]["ContextResult"][];
                /** @description Upper bound on the tokens of these results in `text`. */
                tokens: number;
                /** @description Number of search results that did not fit. */
                omitted: number;
                /** @description Number of results, among the `limit` best, that were left out because their `relevance` is below `min_relevance`. */
                below_min_relevance: number;
            };
            /** @description Summaries of the conversation, of messages before its newest ones that are included. Present only if `shares` gives them a weight. */
            summaries?: {
                /** @description Summaries in the order of the messages, each message covered at most once: of higher levels at the beginning of the conversation, of lower levels towards its end. Without sentences about messages that are included. */
                items: components["schemas"]["ContextSummary"][];
                /** @description Upper bound on the tokens of these summaries in `text`. */
                tokens: number;
            };
            /** @description Reasons why the results may be incomplete or less well ordered; empty if there are none. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: matches by meaning may be missing, because of the filters. They match more conversations than one query of the vector store can list, or too few of the nearest vectors match them, or the organization has more conversations than one search compares with them. `keyword_partial`: matches by keywords may be missing, because the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, or a phrase of frequent words was not found everywhere, or an exclusion may have excluded too much. With filters, only the conversations with the rarest words may have been searched. It also says that the words of a large write of the organization are still being inserted. `phrase_too_long`: a quoted phrase has more than 32 words, so it was searched as plain words. `model_mismatch`: some messages or memories have vectors of an earlier embedding model and were searched by keywords only. For a key that is bound to an agent, it may concern data of other agents, if 5,000 or more vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded; a service on a single machine has none. The results are ordered as without `rerank`. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description As in `search`. 0 without `query`. */
            pending: number;
            /**
             * @description Present only with `record`: id of the receipt, which is stored durably. Null if none was kept, because nothing is stored for the user any more, or because `conversation_id` is not a conversation that the key can read.
             * @example rcl_06e3tqz8m1k4v9x2c7d0
             */
            recall_id?: string | null;
            /** @description Only with the layout `stable`: the blocks that begin `text`, with memories, earlier messages, and summaries of what is before these. Each keeps its bytes, and new ones come at the end, until the stable part begins anew. Every request reads what is in it again, so an edited or deleted text is never in it. */
            stable?: string[];
            /** @description Only with the layout `stable`: the block that ends `text`, with what `query` finds, other memories and the newest messages. What is in `stable` is not in it again. Empty if there is nothing to include. */
            dynamic?: string;
            /**
             * @description Only with the layout `stable`: what the next request sends as `previous`. It is another one whenever `stable` has changed. Null if `stable` is empty.
             * @example ctx_06e3tqz8m1k4v9x2c7d0
             */
            stable_id?: string | null;
            /**
             * @description Only with the layout `stable`: why the stable part began anew. Null if it begins with that of `previous`.
             *
             *     - `new`: The request has no `previous`.
             *     - `unknown_previous`: There is no such stable part, or it was not continued for 24 hours, or it belongs to another request: to another conversation, excluded conversation, user, agent, `metadata` or `as_of`, or to a key with another agent or user.
             *     - `edited`: A message or memory in it, or a message that a summary in it covers, was edited.
             *     - `deleted`: A message or memory in it was deleted, or does not match the request any more. The deletion of a message that only a summary covers counts as `edited`.
             *     - `ended`: A memory in it does not hold any more at `valid_at`.
             *     - `over_share`: It has more tokens than its share, or it is full and much was stored since that is not in it.
             * @enum {string|null}
             */
            stable_changed?: "new" | "unknown_previous" | "edited" | "deleted" | "ended" | "over_share" | null;
        };
        /** @description A message of a context. `getMessage` returns its other fields. */
        ContextMessage: {
            /**
             * @description Id of a message.
             * @example msg_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /** @description Sequence number: the position in the conversation, 1, 2, 3… It is never reused, so a deleted message leaves a gap. */
            sequence: number;
            role: components["schemas"]["MessageRole"];
            /**
             * @description Name of the speaker.
             * @example Maria
             */
            name: string | null;
            /**
             * @description Id of the tool call that the message makes or answers.
             * @example call_8fk2
             */
            tool_call_id: string | null;
            /**
             * @description Name of the tool whose call or result the message is.
             * @example lookup_order
             */
            tool_name: string | null;
            /**
             * @description Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
             * @example Where is my refund for order 1029?
             */
            content: string;
            /** @description Only if `content` is a part of the whole content: offset of its start in it, in UTF-16 code units, as in JavaScript strings. */
            content_start?: number;
            /** @description Only if `content` is a part: offset of its end in the whole content, in the same unit. */
            content_end?: number;
            /** @description Only if `content` is a part: length of the whole content, in the same unit. `getMessage` returns the whole content. */
            content_length?: number;
            /**
             * Format: date-time
             * @description Time when the message was said, with millisecond precision. It is the time that you set when you stored the message; otherwise the time of storing.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description A memory of a context, or the part of it that matches. `getMemory` returns its other fields. */
        ContextMemory: {
            /**
             * @description Id of a memory.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /** @description Only if `content` is a part of the whole content: offset of its start in it, in UTF-16 code units, as in JavaScript strings. */
            content_start?: number;
            /** @description Only if `content` is a part: offset of its end in the whole content, in the same unit. */
            content_end?: number;
            /** @description Only if `content` is a part: length of the whole content, in the same unit. `getMemory` returns the whole content. */
            content_length?: number;
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until: string | null;
            /** @description Messages that the memory was derived from, in the order in which you sent them. The ids stay when a message is deleted; its text does not. */
            sources: components["schemas"]["Source"][];
            /**
             * Format: date-time
             * @description Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is the time that you set.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /** @description Whether the memory has ended by `valid_at`: its `valid_until` is not later. */
            ended: boolean;
            /** @description As in a search result. Null if the query did not find the memory, or if there is none. */
            relevance: number | null;
        };
        ContextResult: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /**
             * @description Title of the conversation. At most 1,000 characters.
             * @example Refund for order 1029
             */
            title: string | null;
            /** @description Estimate of how likely the result is to answer the query, from 0 to 1. It is the geometric mean of two estimated probabilities: that a search with such a best match has found an answer at all, and that this match or a message near it holds one. It can be compared between searches. In one `mode`, it depends on the query, the best match of the result and what is stored, not on `limit` or on the other results. It rises with the similarity in meaning, and with the share of the query's words that occur in the match or within two messages of it; rare words count more. If the topic never came up, all results stay below 0.25 in 95 of 100 searches. If the topic came up but the question was never answered, they stay below 0.8 in 95 of 100. */
            relevance: number;
            /** @description The messages that match and their neighbors, oldest first. Some between may be missing. */
            messages: components["schemas"]["ContextMessage"][];
        };
        /** @description A summary of messages of the conversation, or those of its sentences that are included. */
        ContextSummary: {
            /** @description 1: a summary of messages, of 24 sequence numbers or 3,000 tokens. 2: of up to eight summaries of level 1, and so on. */
            level: number;
            /** @description Sequence number of the first message that the summary covers. */
            from_sequence: number;
            /** @description Sequence number of the last message that the summary covers. */
            to_sequence: number;
            /** @description At most eight sentences in the order of the messages; none if the messages have no sentence. */
            sentences: components["schemas"]["SummarySentence"][];
            /** @description Text model that wrote the sentences. Null if they are verbatim sentences of the messages, which no model chose. */
            model: string | null;
            /**
             * Format: date-time
             * @description Time when the summary was made.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        /**
         * @example {
         *       "query": "When was the refund sent?",
         *       "user_id": "user_4711",
         *       "max_tokens": 2000
         *     }
         */
        ContextBody: {
            /** @description What the model is about to answer, such as the user's last message. It is searched in conversations and memories as `search` does. Default: no search. */
            query?: string;
            /**
             * @description Conversation that is being continued. Its newest messages are included. It counts as absent if it belongs to another user or agent than the request names.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id?: string;
            /**
             * @description Id or `external_id` of a conversation to leave out of the search results, such as the one whose messages the prompt has already. With `shares.messages` 0, the context then has none of its messages.
             * @example chat-17
             */
            exclude_conversation?: string;
            /**
             * @description Only memories and search results of this user; shared ones match, too. The newest of these memories are included.
             * @example user_4711
             */
            user_id?: string;
            /** @description Which memories and search results are included: those that are not shared (`own`), the shared ones (`shared`), or both. Default: both. With `shared` alone, the newest shared memories are included without a user, too. */
            visibility?: ("own" | "shared")[];
            /**
             * @description Only memories and search results of this agent. With `user_id`, both must match. The newest memories are included.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Only memories and search results whose `metadata` has these keys and values: the metadata of the memory, or of the conversation. They are compared at its top level. At most 16 keys. The newest messages of `conversation_id` are included in any case.
             * @example {
             *       "project": "/home/ann/shop"
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /**
             * @description Answer as of a moment of the past, with what was stored by then: a time, or a message as the id of its conversation, `:` and its sequence number, for the moment at which this message was stored. What was deleted since stays deleted. What was changed since is returned as it is today, and has `edited_since`.
             * @example 2026-11-02T09:30:00.000Z
             */
            as_of?: string;
            /**
             * @description Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and hashes of the items, but no content. `true`, or an object with your own `run_id` and `metadata` for it. Default `false`.
             * @default false
             * @example true
             */
            record?: boolean | {
                /**
                 * @description Your own id for the run of the agent that asked.
                 * @example run_29
                 */
                run_id?: string;
                metadata?: components["schemas"]["Metadata"] & unknown;
            };
            /**
             * @description Maximum tokens of `text`, also if it is sent as a JSON string. Tokens are counted as in `tokens`.
             * @default 4000
             */
            max_tokens?: number;
            /**
             * Format: date-time
             * @description Time at which memories should hold. Memories that do not hold then, because they have ended or not begun, come after all others, and `text` marks them. Default: now.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_at?: string;
            /**
             * @description How the parts divide `max_tokens`, in proportion to their weights. What a part does not need, the others get. A part with the weight 0 is left out.
             * @default {
             *       "messages": 0.5,
             *       "memories": 0.2,
             *       "results": 0.3,
             *       "summaries": 0
             *     }
             */
            shares?: {
                /**
                 * @description Weight of the newest messages. Default 0.5.
                 * @default 0.5
                 */
                messages?: number;
                /**
                 * @description Weight of the memories. Default 0.2.
                 * @default 0.2
                 */
                memories?: number;
                /**
                 * @description Weight of the search results. Default 0.3.
                 * @default 0.3
                 */
                results?: number;
                /**
                 * @description Weight of summaries of the conversation, of messages before the newest ones that are included. They are those of today: with `as_of` there are none. Default 0.
                 * @default 0
                 */
                summaries?: number;
            };
            /**
             * @description `single`: one text, made anew for each request. `stable`: also the two texts of which it consists, for providers that cache what a prompt begins with. `stable` is to be sent before the conversation, and keeps its bytes from request to request; `dynamic` is to be sent after it.
             * @default single
             * @enum {string}
             */
            layout?: "single" | "stable";
            /**
             * @description With the layout `stable`: `stable_id` of the context before, whose stable part this one continues. Default: none, so that the stable part begins anew. Ignored with the layout `single`.
             * @example ctx_06e3tqz8m1k4v9x2c7d0
             */
            previous?: string | null;
            /** @description Lowest `relevance` of a search result, 0 to 1. Results below it are left out and counted. Default: 0.005, but the 3 best memories are kept whatever their relevance, and `text` marks those below it with "low relevance". */
            min_relevance?: number;
        };
        /** @description One page of a list. */
        RecallPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Recall"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A receipt of recall: what a search or a context answered. It has ids and hashes of the items, and the query, but no content. */
        Recall: {
            /**
             * @description Id of a receipt of recall: what a search or a context answered.
             * @example rcl_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Operation whose answer was recorded.
             * @enum {string}
             */
            operation: "search" | "searchMemories" | "getContext";
            /**
             * @description Body of the request: the query, the filters and all other fields with their defaults, except `record`. So a receipt has the text of its query.
             * @example {
             *       "query": "When was the refund sent?",
             *       "user_id": "user_4711"
             *     }
             */
            request: {
                [key: string]: unknown;
            };
            /**
             * @description Agent of the request: that of the key, of the filter, or of `conversation_id`.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description User of the request: that of the key, of the filter, or of `conversation_id`. The receipt is deleted with the user.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Key of the request. */
            key: {
                /**
                 * @description Id of the API key, or of the member, that did it.
                 * @example key_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /**
                 * @description Agent that the key was bound to.
                 * @example support-bot
                 */
                agent_id: string | null;
                /**
                 * @description User that the key was bound to.
                 * @example user_4711
                 */
                user_id: string | null;
            };
            /**
             * @description Your own id for the run of the agent that asked.
             * @example run_29
             */
            run_id: string | null;
            metadata: components["schemas"]["Metadata"];
            /** @description Every item of the answer, in its order: results as they rank, messages by sequence. */
            items: components["schemas"]["RecalledItem"][];
            /** @description The lists of the answer in order: what each cost, and what was left out of it. */
            layout: {
                /**
                 * @description List of the answer.
                 * @enum {string}
                 */
                part: "memories" | "results" | "summaries" | "messages";
                /** @description Number of its items. */
                items: number;
                /** @description Tokens of the list, as the answer stated them. */
                tokens: number;
                /** @description Number of items or results that did not fit into the budget of tokens or bytes. */
                omitted: number;
                /** @description Number of results that the floor `min_relevance` left out. */
                below_min_relevance: number;
            }[];
            /** @description Tokens of the whole answer, as it stated them. */
            tokens: number;
            /** @description Reasons why the results may be incomplete or less well ordered; empty if there are none. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: matches by meaning may be missing, because of the filters. They match more conversations than one query of the vector store can list, or too few of the nearest vectors match them, or the organization has more conversations than one search compares with them. `keyword_partial`: matches by keywords may be missing, because the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, or a phrase of frequent words was not found everywhere, or an exclusion may have excluded too much. With filters, only the conversations with the rarest words may have been searched. It also says that the words of a large write of the organization are still being inserted. `phrase_too_long`: a quoted phrase has more than 32 words, so it was searched as plain words. `model_mismatch`: some messages or memories have vectors of an earlier embedding model and were searched by keywords only. For a key that is bound to an agent, it may concern data of other agents, if 5,000 or more vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded; a service on a single machine has none. The results are ordered as without `rerank`. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description Number of messages and memories that semantic search cannot find yet, because their vectors are not stored, or are stored but not yet visible to queries. Keyword search finds them. In `keyword` mode, it counts only those whose vectors are not stored. It is a lower bound if more than 5,000 indexing jobs of the organization are queued. */
            pending: number;
            /** @description Models of the search. */
            models: {
                /**
                 * @description Model of the vectors.
                 * @example @cf/baai/bge-base-en-v1.5
                 */
                embedding: string;
                /** @description Model that ordered the results again; null without `rerank`. */
                reranking: string | null;
            };
            /** @description Version of the rules by which the service ranks, cuts and lays out. It increases with every release that changes them. */
            rules: number;
            /** @description Ids of the items that were used, as `updateRecall` noted them. Null until then. */
            used: string[] | null;
            /**
             * @description What came of the answer, as `updateRecall` noted it. Null until then.
             * @example answered
             */
            outcome: string | null;
            /**
             * Format: date-time
             * @description Time of the last note; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            noted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the answer was recorded.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the receipt is deleted, 30 days after `created_at`.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string;
        };
        /** @description An item of an answer, without its content. */
        RecalledItem: {
            /**
             * @description What the item is.
             * @enum {string}
             */
            type: "message" | "memory";
            /**
             * @description Id of the message or memory. It stays when the item is deleted.
             * @example msg_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description List of the answer that had the item. In a search, all are `results`. In a context, `results` are messages that the search found, `summaries` messages that a summary cites, and `messages` the newest ones of the conversation.
             * @enum {string}
             */
            part: "memories" | "results" | "summaries" | "messages";
            /**
             * @description Conversation of a message; null for a memory.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string | null;
            /** @description Sequence number of a message; null for a memory. */
            sequence: number | null;
            /** @description Number of the version of a memory, as in `listMemoryVersions`. Null for a message, of which no versions are kept, and for a memory that was deleted before the answer was recorded. */
            version: number | null;
            /**
             * Format: date-time
             * @description Time of the last change to a message before the answer; null if there was none, and for a memory.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string | null;
            /**
             * @description Keyed hash of the content that was returned: of the part, if the item was cut, and of the sentences that cite it, if only a summary had the message. It is the first half of HMAC-SHA-256 in base64url, computed with the same secret of the organization as the hashes of tombstones. It tells whether the content is still the same, and cannot be turned back into it.
             * @example Zk3v0h2pJwQmX1cY7dR9bA
             */
            hash: string;
            /** @description Score of the item in the search, to six digits. Null for a neighbor of a match, and in a context. */
            score: number | null;
            /** @description `relevance` of the result with the item, to six digits. Null if the search did not find it. */
            relevance: number | null;
            /** @description Only of an item that was cut: start of the returned part in its content, in UTF-16 code units. */
            content_start?: number;
            /** @description Only of an item that was cut: end of the returned part in its content, in UTF-16 code units. */
            content_end?: number;
        };
        /**
         * @example {
         *       "outcome": "answered"
         *     }
         */
        UpdateRecallBody: {
            /** @description Ids of the items of the receipt that were used. They replace those noted before. */
            used?: string[];
            /**
             * @description What came of the answer, in your own words.
             * @example answered
             */
            outcome?: string | null;
        };
        /** @description The same request again, compared with its receipt. It has no content. */
        Replay: {
            /**
             * @description Id of a receipt of recall: what a search or a context answered.
             * @example rcl_06e3tqz8m1k4v9x2c7d0
             */
            recall_id: string;
            /** @description Whether the new answer has the same items, with the same content, in the same order. Scores may differ. */
            same: boolean;
            /** @description What differs: first items of the receipt in its order, then added ones. */
            differences: components["schemas"]["ReplayDifference"][];
            /** @description Reasons why the results may be incomplete or less well ordered; empty if there are none. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: matches by meaning may be missing, because of the filters. They match more conversations than one query of the vector store can list, or too few of the nearest vectors match them, or the organization has more conversations than one search compares with them. `keyword_partial`: matches by keywords may be missing, because the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, or a phrase of frequent words was not found everywhere, or an exclusion may have excluded too much. With filters, only the conversations with the rarest words may have been searched. It also says that the words of a large write of the organization are still being inserted. `phrase_too_long`: a quoted phrase has more than 32 words, so it was searched as plain words. `model_mismatch`: some messages or memories have vectors of an earlier embedding model and were searched by keywords only. For a key that is bound to an agent, it may concern data of other agents, if 5,000 or more vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded; a service on a single machine has none. The results are ordered as without `rerank`. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description Models of the new search. */
            models: {
                /**
                 * @description Model of the vectors.
                 * @example @cf/baai/bge-base-en-v1.5
                 */
                embedding: string;
                /** @description Model that ordered the results again; null without `rerank`. */
                reranking: string | null;
            };
            /** @description Version of the rules by which the service ranks, cuts and lays out. It increases with every release that changes them. */
            rules: number;
            /**
             * Format: date-time
             * @description Time of the new search.
             * @example 2026-11-02T09:30:00.000Z
             */
            replayed_at: string;
        };
        /** @description An item that differs, and why: `before` in the receipt, unless it was added, and `now` in the new answer, unless it is missing. */
        ReplayDifference: {
            /**
             * @description `missing`: only the receipt has the item. `added`: only the new answer has it. `changed`: both have it, with different content, or cut differently. `moved`: both have it with the same content, but in another order among the items of both.
             * @enum {string}
             */
            change: "missing" | "added" | "changed" | "moved";
            /**
             * @description Why. What happened to the item itself comes first: it was `deleted`, deleted with `forgotten` as its tombstone says, `edited` (content, tags, metadata or times), or is `newer` than the receipt. Otherwise what concerns the whole search: `rules_changed`, `reembedded` (another embedding model), `degraded` (one of the two searches could not take everything into account) or `indexed` (semantic search has found more since, which the receipt counts as `pending`). Otherwise, the item gave way to an item with one of the first four causes, and has its cause. `others_changed` is left: items that neither answer has were stored, changed or deleted, and scores depend on how frequent words are.
             * @enum {string}
             */
            cause: "deleted" | "forgotten" | "edited" | "newer" | "reembedded" | "rules_changed" | "degraded" | "indexed" | "others_changed";
            before?: components["schemas"]["RecalledItem"];
            now?: components["schemas"]["RecalledItem"];
        };
        /** @description A labelled query: a search, and what it should find. */
        Evaluation: {
            /**
             * @description Id of an evaluation.
             * @example eval_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Operation that is run.
             * @enum {string}
             */
            operation: "search" | "searchMemories";
            /**
             * @description Body of the search: the query, the filters and all other fields with their defaults.
             * @example {
             *       "query": "When was the refund sent?",
             *       "user_id": "user_4711"
             *     }
             */
            request: {
                [key: string]: unknown;
            };
            /** @description Ids of the messages and memories that the search should find. */
            expected: string[];
            /** @description Number of results that count: the k of any@k and nDCG. */
            depth: number;
            /**
             * @description Agent of the search: that of the key, or of the filter.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description User of the search: that of the key, of the filter, or of `conversation_id`. The evaluation is deleted with the user.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Receipt that it was made from; null if it was made from a request.
             * @example rcl_06e3tqz8m1k4v9x2c7d0
             */
            from_recall: string | null;
            /** @description The last run; null if there was none. */
            last_run: components["schemas"]["EvaluationRun"] | null;
            /**
             * Format: date-time
             * @description Time when it was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description How a search did: where it found what was expected. */
        EvaluationRun: {
            /** @description Where each expected item was found, in the order of `expected`. */
            ranks: {
                /**
                 * @description Id of the message or memory. It stays when the item is deleted.
                 * @example msg_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /** @description Place of the result that has the item, from 1. Null if none has it. */
                rank: number | null;
            }[];
            /** @description Whether any expected item is among the first `depth` results: any@k of this query. */
            any: boolean;
            /** @description nDCG of the first `depth` results, to six digits: 1 if all expected items rank first, 0 if none is found. A result that has several of them counts for each, up to 1. */
            ndcg: number;
            /** @description Reasons why the results may be incomplete or less well ordered; empty if there are none. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: matches by meaning may be missing, because of the filters. They match more conversations than one query of the vector store can list, or too few of the nearest vectors match them, or the organization has more conversations than one search compares with them. `keyword_partial`: matches by keywords may be missing, because the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, or a phrase of frequent words was not found everywhere, or an exclusion may have excluded too much. With filters, only the conversations with the rarest words may have been searched. It also says that the words of a large write of the organization are still being inserted. `phrase_too_long`: a quoted phrase has more than 32 words, so it was searched as plain words. `model_mismatch`: some messages or memories have vectors of an earlier embedding model and were searched by keywords only. For a key that is bound to an agent, it may concern data of other agents, if 5,000 or more vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded; a service on a single machine has none. The results are ordered as without `rerank`. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description Models of the search. */
            models: {
                /**
                 * @description Model of the vectors.
                 * @example @cf/baai/bge-base-en-v1.5
                 */
                embedding: string;
                /** @description Model that ordered the results again; null without `rerank`. */
                reranking: string | null;
            };
            /** @description Version of the rules by which the service ranks, cuts and lays out. It increases with every release that changes them. */
            rules: number;
            /**
             * Format: date-time
             * @description Time of the run.
             * @example 2026-11-02T09:30:00.000Z
             */
            run_at: string;
        };
        /**
         * @example {
         *       "request": {
         *         "query": "When was the refund sent?"
         *       },
         *       "expected": [
         *         "msg_06e3tqz8m1k4v9x2c7d0"
         *       ]
         *     }
         */
        CreateEvaluationBody: {
            request?: {
                /** @description A question, words or code. A hyphen excludes nothing, so `rm -rf dist` finds the command. In `keyword` mode, every match contains each `"quoted phrase"` of the query. In `hybrid` mode, messages and memories that contain a quoted phrase rank higher. In a query of several lines, quotes have no meaning. Limits: 48 distinct words (of more, the longest are used), 16 phrases (of more, the first are used), 32 words per phrase. A longer phrase counts as plain words; in `keyword` mode it is rejected with 400. */
                query: string;
                /**
                 * @description Words or phrases that no match has. They count in every mode and in any form of the words. At most 16, of 32 words each. A phrase needs no quotes. Messages near a match may contain them.
                 * @example [
                 *       "paypal",
                 *       "gift card"
                 *     ]
                 */
                exclude?: string[];
                /**
                 * @description `semantic` searches by meaning, `keyword` by keywords, `hybrid` by both.
                 * @default hybrid
                 * @enum {string}
                 */
                mode?: "hybrid" | "semantic" | "keyword";
                /**
                 * @description Maximum number of results.
                 * @default 10
                 */
                limit?: number;
                /**
                 * @description What to search: `conversations`, `memories` or both in one ranking. `summaries` searches conversations, too, and returns with each result the summaries of its best match: they come with the messages that they cite and never rank above them. They are those of today, so `as_of` excludes `summaries`. The filters by agent, user, tags, metadata and time apply to memories too. The filters that only conversations have (`conversation_id`, `roles`, `names`, `entities`) exclude all memories.
                 * @default [
                 *       "conversations"
                 *     ]
                 */
                in?: ("conversations" | "memories" | "summaries")[];
                /**
                 * @description Only this conversation.
                 * @example conv_06e3tqz8m1k4v9x2c7d0
                 */
                conversation_id?: string;
                /**
                 * @description Id or `external_id` of a conversation to leave out, such as the one whose messages the prompt has already. Its messages take the place of no result. Memories that cite it are searched.
                 * @example chat-17
                 */
                exclude_conversation?: string;
                /**
                 * @description Only data of this agent.
                 * @example support-bot
                 */
                agent_id?: string;
                /**
                 * @description Only data of this user. What is shared matches, too; other data without a user does not.
                 * @example user_4711
                 */
                user_id?: string;
                /** @description Which conversations and memories are searched: those that are not shared (`own`), the shared ones (`shared`), or both. Default: both. */
                visibility?: ("own" | "shared")[];
                /**
                 * @description Only conversations and memories with any of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_any?: string[];
                /**
                 * @description Only conversations and memories with all of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_all?: string[];
                /** @description Only matches with these roles. */
                roles?: components["schemas"]["MessageRole"][];
                /** @description Only matches whose speaker has one of these names. */
                names?: string[];
                /** @description Only matches that mention at least one of these entities. A message is compared once it is indexed, within seconds. */
                entities?: {
                    kind: components["schemas"]["EntityKind"];
                    /**
                     * @description Value of the entity. Case and accents do not matter.
                     * @example src/app.ts
                     */
                    value: string;
                }[];
                /**
                 * @description Only conversations and memories whose `metadata` has these keys and values. They are compared at its top level. At most 16 keys.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
                /**
                 * Format: date-time
                 * @description Only matches at or after this time.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_after?: string;
                /**
                 * Format: date-time
                 * @description Only matches before this time.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_before?: string;
                /**
                 * @description Only what was stored at a moment of the past: a time, or a message as the id of its conversation, `:` and its sequence number. Matches are found and ranked by what is stored and indexed today. What was changed since has `edited_since`.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                as_of?: string;
                /**
                 * @description How many neighbors of each match to return: the messages around it. Filters do not apply to them.
                 * @default {
                 *       "before": 2,
                 *       "after": 2
                 *     }
                 */
                neighbors?: {
                    /**
                     * @description Messages before each match.
                     * @default 2
                     */
                    before?: number;
                    /**
                     * @description Messages after each match.
                     * @default 2
                     */
                    after?: number;
                };
                /**
                 * @description Adjustments of the scores, in addition to words and meaning. All but `hidden` apply in `hybrid` mode only. Default: all of them; `[]` for none. `answer`: a message after a question that matches the query ranks higher. `question`: a short question ranks lower. Both count less, the longer the messages are on average, and not at all from 180 words. `time`: if the query asks when, a message that contains a time ranks higher. `number`: if the query asks how many, a message that contains a number ranks higher. `date`: if the query names a day, week, month or year, a message said then or soon after ranks higher. `last week` counts from `created_before`, or from now. Of a day such as 3/12, both readings count half, unless the language of the query or another date tells which is meant. `speaker`: if the query names a speaker of a conversation of two, messages by the other rank lower. `hidden`: a message with the role `system` and `hidden: true` in its `metadata`, such as the hidden context of an imported chat, ranks after all others.
                 * @default [
                 *       "answer",
                 *       "question",
                 *       "time",
                 *       "number",
                 *       "date",
                 *       "speaker",
                 *       "hidden"
                 *     ]
                 */
                priors?: ("answer" | "question" | "time" | "number" | "date" | "speaker" | "hidden")[];
                /**
                 * Format: date-time
                 * @description Time at which memories should hold. Memories that do not hold then, because they have ended or not begun, rank below all other results. Default: now.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                valid_at?: string;
                /**
                 * @description Whether to return the components of each match's score, as `explanation`. Default `false`.
                 * @default false
                 */
                explain?: boolean;
                /**
                 * @description Whether to order the 50 best matches again with a model that reads query and text together. More accurate but slower, usually by a few hundred milliseconds. Default `false`.
                 * @default false
                 */
                rerank?: boolean;
                /** @description Lowest `relevance`, 0 to 1. Results below it are left out and counted in `below_min_relevance`. Default: 0, which leaves out none. */
                min_relevance?: number;
                /**
                 * @description Number of best results that are kept although their `relevance` is below `min_relevance`: in a small store, an answer in other words than the question has a low relevance. A result with the relevance 0 is never kept. At most 10. Default 0.
                 * @default 0
                 */
                keep_best?: number;
                /** @description Maximum tokens of the results. Only their content counts, as in `tokens`. Messages and memories are chosen one by one: the best matches up to half of the limit, then the best match of each other result up to 70 %, then the nearest neighbors of these, then further matches. At first, a match has at most 300 tokens: a longer one is cut to the part with the most matching words, a memory to the chunk that matches. What is left makes cut matches longer, the best one first. A result is left out, and counted in `omitted`, if none of its messages fits. Default: no limit. */
                max_tokens?: number;
            };
            /**
             * @description Receipt of a search whose request is taken, in place of `request`. A receipt of a context cannot be used.
             * @example rcl_06e3tqz8m1k4v9x2c7d0
             */
            from_recall?: string;
            /** @description Ids of the messages and memories that the search should find. Default with `from_recall`: the items that its receipt notes as `used`. */
            expected?: string[];
            /**
             * @description Number of results that count: the k of any@k and nDCG.
             * @default 10
             */
            depth?: number;
        };
        /** @description One page of a list. */
        EvaluationPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Evaluation"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A run, compared with the one before. */
        EvaluationResult: {
            evaluation: components["schemas"]["Evaluation"];
            /** @description The run before; null if this is the first. */
            previous: components["schemas"]["EvaluationRun"] | null;
            /** @description Expected items that have another rank than in the run before. */
            moved: {
                /**
                 * @description Id of the message or memory. It stays when the item is deleted.
                 * @example msg_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /** @description Place of the result that has the item, from 1. Null if none has it. */
                before: number | null;
                /** @description Place of the result that has the item, from 1. Null if none has it. */
                now: number | null;
            }[];
        };
        IndexStatus: {
            /**
             * @description Embedding model in use.
             * @example @cf/baai/bge-base-en-v1.5
             */
            model: string;
            /** @description Number of dimensions of the vectors of this model. */
            dimensions: number;
            /** @description Number of messages and memories stored. Keyword search finds all of them. */
            messages: number;
            /** @description Number of messages and memories that are still waiting to be indexed for semantic search: the vector store has not accepted their vectors. */
            pending: number;
            /** @description Number of messages and memories whose indexing for semantic search failed 10 times and is not tried again. `repairIndex` tries again. */
            failed: number;
            /** @description Number of chunks with a stored vector of the current embedding model: windows of messages, and parts of memories. */
            chunks: number;
            /** @description Number of chunks whose vector was made by an earlier embedding model. Semantic search does not find them. */
            chunks_of_other_models: number;
            /** @description Number of vectors of deleted or changed content whose deletion the vector store has not confirmed yet. */
            deletions_pending: number;
            /** @description Whether everything was counted. `false` if a count stopped at 50,000 rows. The counts are then lower bounds, except `messages` for a key that is not bound to an agent. */
            complete: boolean;
            /** @description Newest failure among the messages and memories that `pending` and `failed` count; null if there was none. */
            last_error: {
                /**
                 * @description Error code, followed by numbers such as a status. It never contains text that a model or another service returned. `text_refused`: the embedding model accepts other texts, but not this one. `embedding_failed`: the embedding model gave no response, or an invalid one. `vector_store_failed`: the same of the vector store. `internal_failure`: another failure, which the log of the service describes.
                 * @example text_refused: code 5006, status 422
                 */
                message: string;
                /**
                 * Format: date-time
                 * @description Time of the failure.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                at: string;
            } | null;
        };
        /** @description A repair of the search index. */
        RepairIndexOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "repair_index";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of conversations and memories completed so far. */
                done: number;
                /** @description Number of conversations and memories to complete. Null until all conversations and memories to repair are queued. */
                total: number | null;
            };
            /** @description Number of conversations and memories that were indexed again completely. */
            reindexed: number;
            /** @description Number of conversations and memories of which some content could not be indexed for semantic search in 10 attempts. Keyword search still finds them. */
            failed: number;
            /** @description Why the repair failed; null unless `status` is `failed`. */
            problem: {
                /**
                 * @description Error code, for programs. `attempts_exhausted`: the work failed as often as the service tries it.
                 * @enum {string}
                 */
                code: "attempts_exhausted";
                /** @description Short name of the error, the same for every occurrence of the code. */
                title: string;
                /** @description What failed and what to do next, for people. Safe to display. */
                detail: string;
            } | null;
        };
        /** @example {} */
        RepairIndexBody: {
            /**
             * @description Repair only this conversation. Default: all conversations and memories.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id?: string;
        };
        /** @description One page of a list. */
        OperationPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Operation"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description Work that continues after the response to the request that started it. The fields depend on `type`. For a deletion, they report when each part of the data was removed for good. */
        Operation: components["schemas"]["DeleteConversationOperation"] | components["schemas"]["DeleteConversationsOperation"] | components["schemas"]["DeleteMessageOperation"] | components["schemas"]["DeleteMemoryOperation"] | components["schemas"]["DeleteMemoriesOperation"] | components["schemas"]["DeleteUserOperation"] | components["schemas"]["DeleteOrganizationOperation"] | components["schemas"]["MoveOrganizationOperation"] | components["schemas"]["RepairIndexOperation"] | components["schemas"]["EnrichMemoriesOperation"] | components["schemas"]["CreateArchiveOperation"] | components["schemas"]["ImportOperation"];
        /** @description The writing of an archive. `target_id` is the id of the archive. It is canceled if the archive is deleted before it is complete. */
        CreateArchiveOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "create_archive";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of lines completed so far. */
                done: number;
                /** @description Number of lines to complete. Null until the archive is complete. */
                total: number | null;
            };
        };
        /** @description An import whose lines are sent in several requests. */
        ImportOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "import";
            /**
             * @description Id of an operation: work that continues after the response, such as a deletion or an import.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request that started the operation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when no work was left to do; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of lines completed so far. */
                done: number;
                /** @description Number of lines to complete. Null if `createImport` did not state the number of lines. */
                total: number | null;
            };
            /** @description Number of lines processed, whether stored or rejected. To resume the import, send the lines after these. */
            lines_processed: number;
        };
        ExportLine: components["schemas"]["ConversationLine"] | components["schemas"]["MessageLine"] | components["schemas"]["MemoryLine"] | components["schemas"]["MemoryVersionLine"] | components["schemas"]["RecallLine"] | components["schemas"]["EndLine"];
        /** @description A conversation. Its messages follow. */
        ConversationLine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation";
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Your own id for the conversation, unique within the organization.
             * @example ticket-1029
             */
            external_id: string | null;
            /**
             * @description Title of the conversation. At most 1,000 characters.
             * @example Refund for order 1029
             */
            title: string | null;
            /**
             * @description Your own id for the agent that the conversation or memory belongs to.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Whether every user of the organization can read it beside their own. What is shared belongs to no user, and only a key that is bound to no user can change it.
             * @default false
             */
            shared?: boolean;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            metadata: components["schemas"]["Metadata"];
            /** @description Number of messages in the conversation. */
            message_count: number;
            /** @description Highest sequence number (position) that a message of the conversation has ever had; 0 if there never was a message. Deleting messages does not lower it. */
            last_sequence: number;
            /**
             * Format: date-time
             * @description `created_at` of the last message, the one with the highest sequence number; null without messages.
             * @default null
             * @example 2026-11-02T09:30:00.000Z
             */
            last_message_at?: string | null;
            /**
             * Format: date-time
             * @description Time when the conversation was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change to the conversation or to one of its messages.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @default null
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Present only with `as_of`, if the item was changed after that moment. Its fields are those of today, because earlier ones are not kept.
             * @enum {boolean}
             */
            edited_since?: true;
        };
        /** @description A message. It belongs to the nearest conversation line above it. */
        MessageLine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message";
            /**
             * @description Id of a message.
             * @example msg_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /** @description Sequence number: the position in the conversation, 1, 2, 3… It is never reused, so a deleted message leaves a gap. */
            sequence: number;
            role: components["schemas"]["MessageRole"];
            /**
             * @description Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
             * @example Where is my refund for order 1029?
             */
            content: string;
            /**
             * @description Name of the speaker.
             * @example Maria
             */
            name: string | null;
            /**
             * @description Id of the tool call that the message makes or answers.
             * @example call_8fk2
             */
            tool_call_id: string | null;
            /**
             * @description Name of the tool whose call or result the message is.
             * @example lookup_order
             */
            tool_name: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * @description The message as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Where is my refund for order 1029?"
             *       }
             *     ]
             */
            parts: unknown[] | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Your own id for the message, unique within the conversation.
             * @example m-17
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time when the message was said, with millisecond precision. It is the time that you set when you stored the message; otherwise the time of storing.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the message was stored.
             * @example 2026-11-02T09:30:00.000Z
             */
            stored_at: string;
            /**
             * Format: date-time
             * @description Time of the last change to content or metadata; null if there was none.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string | null;
            /**
             * @description Present only with `as_of`, if the item was changed after that moment. Its fields are those of today, because earlier ones are not kept.
             * @enum {boolean}
             */
            edited_since?: true;
            /** @description Digest of the message. The service compares it when a message is sent again with the same `external_id`, to decide whether it is the same message. Null if `external_id` is null. */
            external_digest: string | null;
        };
        /** @description A memory with its full content. */
        MemoryLine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "memory";
            /**
             * @description Id of a memory.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            kind: components["schemas"]["MemoryKind"];
            /**
             * @description Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Maria prefers refunds to her card, never store credit."
             *       }
             *     ]
             */
            parts?: unknown[] | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Messages that the memory cites. They are imported as they are, and not compared with the messages.
             * @default []
             */
            sources?: {
                /**
                 * @description Conversation of the cited message.
                 * @example conv_06e3tqz8m1k4v9x2c7d0
                 */
                conversation_id: string;
                /**
                 * @description Id of the cited message.
                 * @example msg_06e3tqz8m1k4v9x2c7d0
                 */
                message_id: string;
                /** @description Sequence number of the cited message: its position in the conversation. */
                sequence: number;
                /**
                 * @description The cited text, word for word. Null if the whole message is cited, once the message is deleted, and once it was edited and no longer has the text.
                 * @example I want the refund on my card.
                 */
                quote: string | null;
                /** @description Offset in the content of the message at which `quote` starts, in UTF-16 code units, as in JavaScript strings. Null without `quote`, and once the message was edited. */
                start: number | null;
                /** @description Offset at which it ends (exclusive), in the same unit. Null if `start` is. */
                end: number | null;
                /**
                 * @description `intact`: the message is as it was when it was cited. `edited`: its content was changed since. `deleted`: it was deleted.
                 * @enum {string}
                 */
                state: "intact" | "edited" | "deleted";
            }[];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source: string | null;
            /**
             * @description Your own id for the agent that the conversation or memory belongs to.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @default null
             * @example user_4711
             */
            user_id?: string | null;
            /**
             * @description Whether every user of the organization can read it beside their own. What is shared belongs to no user, and only a key that is bound to no user can change it.
             * @default false
             */
            shared?: boolean;
            /**
             * @description Your own id for the memory, unique among the memories of its agent and user.
             * @default null
             * @example diet
             */
            external_id?: string | null;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @default null
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @default null
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until?: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @default null
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at?: string | null;
            /**
             * @description Memory that this one replaced, which `createMemory` ended. It stays when that memory is deleted.
             * @default null
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            supersedes?: string | null;
            /**
             * @description Memory that replaced this one: the last that was captured with this one as `supersedes`. It stays when that memory is deleted.
             * @default null
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            superseded_by?: string | null;
            /**
             * @description Text model that wrote the tags or the summary because you gave none; null if no model wrote any. `engram/extractive-1` is not a model: it means that the service extracted them from the content by fixed rules.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent and user that have no `external_id`.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is the time that you set.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the memory was last changed, or when its content was last captured again.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.
             * @default null
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Number of the version. It increases with each change, but not by one: capturing the same content again also increases it, and keeps no earlier version.
             * @default 1
             */
            version?: number;
            /**
             * @description Key of the request that stored this version. Null if the text model in `enriched_by` wrote it, or if it was stored by a release without versions.
             * @default null
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id?: string | null;
            /**
             * Format: date-time
             * @description Time when this version was stored. Null in exports of releases without versions; it is then the time of the import.
             * @default null
             * @example 2026-11-02T09:30:00.000Z
             */
            stored_at?: string | null;
            /** @description Whether you gave the tags and the summary. A text model never replaces those that you gave. */
            given: {
                /** @description `true`: you gave the tags. `false`: the text model may write them. */
                tags: boolean;
                /** @description `true`: you gave the summary. `false`: the text model may write it. */
                summary: boolean;
            };
        };
        /** @description An earlier version of a memory. All memories come before the first of these lines. Those of one memory are together, newest first. */
        MemoryVersionLine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "memory_version";
            /**
             * @description Id of a memory.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            memory_id: string;
            /** @description Number of the version. It increases with each change, but not by one: capturing the same content again also increases it, and keeps no earlier version. */
            version: number;
            kind: components["schemas"]["MemoryKind"];
            /**
             * @description Content of the version. Null if the line of the memory, or of a later version of it, has the content with this `content_hash`.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string | null;
            /**
             * @description The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Maria prefers refunds to her card, never store credit."
             *       }
             *     ]
             */
            parts: unknown[] | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source: string | null;
            /**
             * @description Your own id for the user that the conversation or memory belongs to.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Labels to filter by, returned in the order in which you sent them. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * @description Short summary of the content. At most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.
             * @example 2026-11-02T09:30:00.000Z
             */
            valid_until: string | null;
            /**
             * Format: date-time
             * @description Time of the event that the memory is about. It does not affect search.
             * @example 2026-11-02T09:30:00.000Z
             */
            occurred_at: string | null;
            /**
             * @description Memory that this one replaced, which `createMemory` ended. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            supersedes: string | null;
            /**
             * @description Memory that replaced this one: the last that was captured with this one as `supersedes`. It stays when that memory is deleted.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            superseded_by: string | null;
            /**
             * @description Text model that wrote the tags or the summary because you gave none; null if no model wrote any. `engram/extractive-1` is not a model: it means that the service extracted them from the content by fixed rules.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent and user that have no `external_id`.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is the time that you set.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description Key of the request that stored this version. Null if the text model in `enriched_by` wrote it, or if it was stored by a release without versions.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string | null;
            /**
             * Format: date-time
             * @description Time when this version was stored.
             * @example 2026-11-02T09:30:00.000Z
             */
            stored_at: string;
            /**
             * Format: date-time
             * @description Time when the next version was stored.
             * @example 2026-11-02T09:30:00.000Z
             */
            replaced_at: string;
            /** @description Whether you gave the tags and the summary. A text model never replaces those that you gave. */
            given: {
                /** @description `true`: you gave the tags. `false`: the text model may write them. */
                tags: boolean;
                /** @description `true`: you gave the summary. `false`: the text model may write it. */
                summary: boolean;
            };
        };
        /** @description A receipt of recall. All other lines come before the first of these. Its hashes can be compared only in the organization that recorded it. */
        RecallLine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "recall";
            /**
             * @description Id of a receipt of recall: what a search or a context answered.
             * @example rcl_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Operation whose answer was recorded.
             * @enum {string}
             */
            operation: "search" | "searchMemories" | "getContext";
            /**
             * @description Body of the request: the query, the filters and all other fields with their defaults, except `record`. So a receipt has the text of its query.
             * @example {
             *       "query": "When was the refund sent?",
             *       "user_id": "user_4711"
             *     }
             */
            request: {
                [key: string]: unknown;
            };
            /**
             * @description Agent of the request: that of the key, of the filter, or of `conversation_id`.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description User of the request: that of the key, of the filter, or of `conversation_id`. The receipt is deleted with the user.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Key of the request. */
            key: {
                /**
                 * @description Id of the API key, or of the member, that did it.
                 * @example key_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /**
                 * @description Agent that the key was bound to.
                 * @example support-bot
                 */
                agent_id: string | null;
                /**
                 * @description User that the key was bound to.
                 * @example user_4711
                 */
                user_id: string | null;
            };
            /**
             * @description Your own id for the run of the agent that asked.
             * @example run_29
             */
            run_id: string | null;
            metadata: components["schemas"]["Metadata"];
            /** @description Every item of the answer, in its order: results as they rank, messages by sequence. */
            items: components["schemas"]["RecalledItem"][];
            /** @description The lists of the answer in order: what each cost, and what was left out of it. */
            layout: {
                /**
                 * @description List of the answer.
                 * @enum {string}
                 */
                part: "memories" | "results" | "summaries" | "messages";
                /** @description Number of its items. */
                items: number;
                /** @description Tokens of the list, as the answer stated them. */
                tokens: number;
                /** @description Number of items or results that did not fit into the budget of tokens or bytes. */
                omitted: number;
                /** @description Number of results that the floor `min_relevance` left out. */
                below_min_relevance: number;
            }[];
            /** @description Tokens of the whole answer, as it stated them. */
            tokens: number;
            /** @description Reasons why the results may be incomplete or less well ordered; empty if there are none. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: matches by meaning may be missing, because of the filters. They match more conversations than one query of the vector store can list, or too few of the nearest vectors match them, or the organization has more conversations than one search compares with them. `keyword_partial`: matches by keywords may be missing, because the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, or a phrase of frequent words was not found everywhere, or an exclusion may have excluded too much. With filters, only the conversations with the rarest words may have been searched. It also says that the words of a large write of the organization are still being inserted. `phrase_too_long`: a quoted phrase has more than 32 words, so it was searched as plain words. `model_mismatch`: some messages or memories have vectors of an earlier embedding model and were searched by keywords only. For a key that is bound to an agent, it may concern data of other agents, if 5,000 or more vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded; a service on a single machine has none. The results are ordered as without `rerank`. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description Number of messages and memories that semantic search cannot find yet, because their vectors are not stored, or are stored but not yet visible to queries. Keyword search finds them. In `keyword` mode, it counts only those whose vectors are not stored. It is a lower bound if more than 5,000 indexing jobs of the organization are queued. */
            pending: number;
            /** @description Models of the search. */
            models: {
                /**
                 * @description Model of the vectors.
                 * @example @cf/baai/bge-base-en-v1.5
                 */
                embedding: string;
                /** @description Model that ordered the results again; null without `rerank`. */
                reranking: string | null;
            };
            /** @description Version of the rules by which the service ranks, cuts and lays out. It increases with every release that changes them. */
            rules: number;
            /** @description Ids of the items that were used, as `updateRecall` noted them. Null until then. */
            used: string[] | null;
            /**
             * @description What came of the answer, as `updateRecall` noted it. Null until then.
             * @example answered
             */
            outcome: string | null;
            /**
             * Format: date-time
             * @description Time of the last note; null until then.
             * @example 2026-11-02T09:30:00.000Z
             */
            noted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the answer was recorded.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the receipt is deleted, 30 days after `created_at`.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string;
        };
        /** @description The last line. A response that does not end with it was cut off. */
        EndLine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "end";
            /** @description `false` if the export has more lines. To get them, export again with `after` and `after_sequence` of the line before this one. */
            complete: boolean;
            /** @description Number of conversations in this response. */
            conversations: number;
            /** @description Number of messages in this response. */
            messages: number;
            /**
             * @description Number of memories in this response.
             * @default 0
             */
            memories?: number;
            /**
             * @description Number of earlier versions of memories in this response.
             * @default 0
             */
            memory_versions?: number;
            /**
             * @description Number of receipts of recall in this response.
             * @default 0
             */
            recalls?: number;
        };
        /**
         * @example {
         *       "lines": 120000
         *     }
         */
        CreateImportBody: {
            /** @description Total number of lines of the import, if you know it. It becomes `progress.total` of the operation. */
            lines?: number;
        };
        ImportedLines: {
            conversations: {
                /** @description Number of conversations that are new. */
                created: number;
                /** @description Number of conversations that were stored already. */
                existing: number;
            };
            messages: {
                /** @description Number of messages that are new. */
                created: number;
                /** @description Number of messages that were stored already. */
                existing: number;
            };
            memories: {
                /** @description Number of memories that are new. */
                created: number;
                /** @description Number of memories that were stored already. */
                existing: number;
            };
            memory_versions: {
                /** @description Number of earlier versions of memories that are new. */
                created: number;
                /** @description Number of earlier versions of memories that were stored already. */
                existing: number;
            };
            recalls: {
                /** @description Number of receipts of recall that are new. */
                created: number;
                /** @description Number of receipts of recall that were stored already. */
                existing: number;
            };
            /** @description Lines that were refused, in order. Empty if there were none. */
            problems: components["schemas"]["ImportProblem"][];
            /** @description Lines of items that were deleted with `forget`, in order. They are no problem. */
            skipped: components["schemas"]["SkippedLine"][];
        };
        /** @description A line that was not imported. */
        ImportProblem: {
            /** @description Number of the line in this request, from 1. */
            line: number;
            /**
             * @description Why the line was not imported. `invalid_json`: it is not JSON, or is JSON that cannot be stored exactly. `validation_failed`: it does not have the form of an export line. `not_found`: it is a message whose conversation, or a version whose memory, was not imported before it. `import_conflict`: its sequence number, id or external id belongs to a different item, or its agent has a memory with this content under another id. `held`: it would change an item under legal hold: it is an earlier version of a held memory, or a message before the last one of a held conversation.
             * @enum {string}
             */
            code: "invalid_json" | "validation_failed" | "not_found" | "import_conflict" | "held";
            /** @description What is wrong with the line, for people. */
            detail: string;
        };
        /** @description A line that is valid and was left out. */
        SkippedLine: {
            /** @description Number of the line in this request, from 1. */
            line: number;
            /**
             * @description Why. `forgotten`: the item, its conversation or its user was deleted with `forget`.
             * @enum {string}
             */
            skipped: "forgotten";
        };
        /**
         * @example {
         *       "expires_in_days": 30
         *     }
         */
        CreateArchiveBody: {
            /**
             * @description Days after which the archive is deleted. Default: it is kept until you delete it.
             * @example 30
             */
            expires_in_days?: number | null;
        };
        /** @description One page of a list. */
        ArchivePage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Archive"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A copy of all conversations and memories of the organization, in an object store apart from the database. It outlives what is deleted later. */
        Archive: {
            /**
             * @description Id of an archive.
             * @example arc_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Id of the operation that writes the archive.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            operation_id: string;
            /**
             * Format: date-time
             * @description Time when the archive was begun. It has everything that was stored by then and not deleted before the archive reached it.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the archive was complete; null while it is written.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Time from which the archive is deleted; null if it is kept until you delete it.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /** @description Version of the format of the lines. */
            schema_version: number;
            /** @description Lines of each type. */
            counts: {
                /** @description Number of conversations written so far. */
                conversations: number;
                /** @description Number of messages written so far. */
                messages: number;
                /** @description Number of memories written so far. */
                memories: number;
                /** @description Number of earlier versions of memories written so far. */
                memory_versions: number;
                /** @description Number of receipts of recall written so far. */
                recalls: number;
            };
            /** @description Number of parts written so far. */
            part_count: number;
            /** @description Size of the parts in bytes, as lines. */
            bytes: number;
            /** @description Size of the parts in bytes, as they are stored: compressed with gzip. */
            stored_bytes: number;
        };
        /** @description When archives are begun without a request. */
        ArchiveSchedule: {
            /**
             * @description An archive is begun each time this number of days has passed; null for none.
             * @example 7
             */
            every_days: number | null;
            /**
             * @description Days after which such an archive expires; null to keep all.
             * @example 30
             */
            keep_days: number | null;
            /**
             * Format: date-time
             * @description Time of the next archive; null if there is none.
             * @example 2026-11-02T09:30:00.000Z
             */
            next_at: string | null;
        };
        /**
         * @example {
         *       "every_days": 7,
         *       "keep_days": 30
         *     }
         */
        SetArchiveScheduleBody: {
            /**
             * @description An archive is begun each time this number of days has passed; null for none.
             * @example 7
             */
            every_days: number | null;
            /**
             * @description Days after which such an archive expires. Default null: all are kept.
             * @example 30
             */
            keep_days?: number | null;
        };
        /** @description An archive with its parts, by which a copy of it can be verified. */
        ArchiveManifest: {
            /**
             * @description Id of an archive.
             * @example arc_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Id of the operation that writes the archive.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            operation_id: string;
            /**
             * Format: date-time
             * @description Time when the archive was begun. It has everything that was stored by then and not deleted before the archive reached it.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when the archive was complete; null while it is written.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Time from which the archive is deleted; null if it is kept until you delete it.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /** @description Version of the format of the lines. */
            schema_version: number;
            /** @description Lines of each type. */
            counts: {
                /** @description Number of conversations written so far. */
                conversations: number;
                /** @description Number of messages written so far. */
                messages: number;
                /** @description Number of memories written so far. */
                memories: number;
                /** @description Number of earlier versions of memories written so far. */
                memory_versions: number;
                /** @description Number of receipts of recall written so far. */
                recalls: number;
            };
            /** @description Number of parts written so far. */
            part_count: number;
            /** @description Size of the parts in bytes, as lines. */
            bytes: number;
            /** @description Size of the parts in bytes, as they are stored: compressed with gzip. */
            stored_bytes: number;
            /** @description The parts, in order. */
            parts: components["schemas"]["ArchivePart"][];
        };
        /** @description A part of an archive: some of its lines, in order. */
        ArchivePart: {
            /** @description Number of the part, from 1. */
            number: number;
            /** @description Number of lines. */
            lines: number;
            /** @description Size of the lines in bytes. */
            bytes: number;
            /** @description Size in bytes as stored: compressed with gzip. */
            stored_bytes: number;
            /**
             * @description SHA-256 of the lines, as `getArchiveLines` returns them.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
        };
        /** @description One page of a list. */
        TombstonePage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Tombstone"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description What a deletion with `forget` leaves behind: hashes of ids, external ids and, for memories, contents, computed with a secret of the organization. It has no text, and no hash can be turned back into one. */
        Tombstone: {
            /**
             * @description Id of a tombstone.
             * @example tomb_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description What the deletion deleted: one item, all that matched a filter (`conversations`, `memories`), or a user with all its data.
             * @enum {string}
             */
            kind: "message" | "conversation" | "conversations" | "memory" | "memories" | "user";
            /**
             * @description Id of the deletion. Its operation names the deleted item or user.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            operation_id: string;
            /** @description Number of conversations deleted so far. They are refused with their messages. */
            conversations: number;
            /** @description Number of messages deleted so far, with those of the conversations. */
            messages: number;
            /** @description Number of memories deleted so far. */
            memories: number;
            /**
             * Format: date-time
             * @description Time of the deletion.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description A legal hold. While it is active, nothing that it holds is deleted, edited or removed for good, by anybody. */
        Hold: {
            /**
             * @description Id of a legal hold.
             * @example hold_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `active` until the hold is lifted.
             * @enum {string}
             */
            status: "active" | "lifted";
            /**
             * @description Why the hold exists, such as the number of a case. At most 256 characters.
             * @example Case 2026-114
             */
            reason: string;
            /** @description What is held; null if the hold names ids. */
            filter: components["schemas"]["HoldFilter"] | null;
            /** @description Number of ids that the hold names; null if it has a filter. */
            item_count: number | null;
            /**
             * Format: date-time
             * @description Time from which it holds.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description Id of the API key, or of the member, that did it.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            created_by: string;
            /**
             * Format: date-time
             * @description Time when it was lifted; null while it is active.
             * @example 2026-11-02T09:30:00.000Z
             */
            lifted_at: string | null;
            /**
             * @description Id of the API key, or of the member, that lifted it; null while it is active.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            lifted_by: string | null;
        };
        /** @description Conversations and memories that are held, also those that are stored later. All conditions must match. An empty filter holds everything. */
        HoldFilter: {
            /**
             * @description Only conversations, or only memories. Default: both.
             * @enum {string}
             */
            corpus?: "conversations" | "memories";
            /**
             * @description Only items of this agent.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Only items of this user.
             * @example user_4711
             */
            user_id?: string;
            /**
             * @description Only items with at least one of these tags.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags_any?: string[];
            /**
             * @description Only items with all of these tags.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags_all?: string[];
            /**
             * @description Only conversations whose `metadata` has all of these keys with these values at its top level. At most 16 keys.
             * @example {
             *       "ticket": "T-1029"
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /**
             * Format: date-time
             * @description Only items created at or after this time.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_after?: string;
            /**
             * Format: date-time
             * @description Only items created before this time.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_before?: string;
        };
        /**
         * @example {
         *       "reason": "Case 2026-114",
         *       "filter": {
         *         "user_id": "user_4711"
         *       }
         *     }
         */
        CreateHoldBody: {
            /**
             * @description Why the hold exists, such as the number of a case. At most 256 characters.
             * @example Case 2026-114
             */
            reason: string;
            /** @description Ids of the conversations and memories to hold, at most 1,000. */
            ids?: string[];
            filter?: components["schemas"]["HoldFilter"];
        };
        /** @description One page of a list. */
        HoldPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Hold"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A legal hold with what it holds. */
        HoldDetails: {
            /**
             * @description Id of a legal hold.
             * @example hold_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `active` until the hold is lifted.
             * @enum {string}
             */
            status: "active" | "lifted";
            /**
             * @description Why the hold exists, such as the number of a case. At most 256 characters.
             * @example Case 2026-114
             */
            reason: string;
            /** @description What is held; null if the hold names ids. */
            filter: components["schemas"]["HoldFilter"] | null;
            /** @description Number of ids that the hold names; null if it has a filter. */
            item_count: number | null;
            /**
             * Format: date-time
             * @description Time from which it holds.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description Id of the API key, or of the member, that did it.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            created_by: string;
            /**
             * Format: date-time
             * @description Time when it was lifted; null while it is active.
             * @example 2026-11-02T09:30:00.000Z
             */
            lifted_at: string | null;
            /**
             * @description Id of the API key, or of the member, that lifted it; null while it is active.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            lifted_by: string | null;
            /** @description The ids that it names; null if it has a filter. */
            ids: string[] | null;
            /** @description Number of conversations that it holds now. 0 once it is lifted. */
            conversations: number;
            /** @description Number of memories that it holds now. 0 once it is lifted. */
            memories: number;
            /** @description Whether all items were counted. `false`: there are more than one request reads, and the numbers are of the first ones. */
            complete: boolean;
        };
        /** @description What is deleted at which age. */
        RetentionRule: {
            /**
             * @description Id of a rule of retention.
             * @example ret_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Your own name for the rule.
             * @example Support chats
             */
            name: string;
            /**
             * @description What the rule deletes. `events`: the event log, which never keeps more than seven days. `recalls`: receipts of recall, which are never kept for more than 30 days. `usage`: whole days of it.
             * @enum {string}
             */
            kind: "conversations" | "memories" | "events" | "usage" | "audit_events" | "recalls";
            /**
             * @description Age in days of 24 hours from which items are deleted.
             * @example 365
             */
            older_than_days: number;
            /**
             * @description Time by which the age counts. `last_message_at`: only for conversations. One without messages counts from its `created_at`.
             * @enum {string}
             */
            by: "created_at" | "updated_at" | "last_message_at";
            /** @description Which conversations or memories the rule is about. All conditions must match; without any, it is about all. */
            filter: {
                /**
                 * @description Only those of this agent.
                 * @example support-bot
                 */
                agent_id?: string;
                /**
                 * @description Only those of this user.
                 * @example user_4711
                 */
                user_id?: string;
                /**
                 * @description Only those with at least one of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_any?: string[];
                /**
                 * @description Only those with all of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_all?: string[];
                /**
                 * @description Only those whose `metadata` has all of these keys with these values at its top level. At most 16 keys.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            /** @description `true`: the rule only counts what it would delete, in `matched`, and deletes nothing. */
            dry_run: boolean;
            /** @description Number of items that the rule matched when it was last applied; a lower bound if counting would have read too many. Null if it was not applied yet. */
            matched: number | null;
            /**
             * @description Id of the last deletion of conversations or memories by the rule. Null if there was none yet, and for other kinds, whose deletion has no operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            operation_id: string | null;
            /**
             * Format: date-time
             * @description Time when the rule was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change of the rule by a request.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time when the rule was last applied; null if it was not applied yet.
             * @example 2026-11-02T09:30:00.000Z
             */
            applied_at: string | null;
        };
        /**
         * @example {
         *       "name": "Support chats",
         *       "kind": "conversations",
         *       "older_than_days": 365,
         *       "by": "last_message_at",
         *       "filter": {
         *         "tags_any": [
         *           "support"
         *         ]
         *       },
         *       "dry_run": true
         *     }
         */
        CreateRetentionRuleBody: {
            /**
             * @description Your own name for the rule.
             * @example Support chats
             */
            name: string;
            /**
             * @description What the rule deletes. `events`: the event log, which never keeps more than seven days. `recalls`: receipts of recall, which are never kept for more than 30 days. `usage`: whole days of it.
             * @enum {string}
             */
            kind: "conversations" | "memories" | "events" | "usage" | "audit_events" | "recalls";
            /**
             * @description Age in days of 24 hours from which items are deleted.
             * @example 365
             */
            older_than_days: number;
            /**
             * @description Time by which the age counts. `last_message_at`: only for conversations. One without messages counts from its `created_at`. Default `created_at`, the only one of kinds other than `conversations` and `memories`.
             * @default created_at
             * @enum {string}
             */
            by?: "created_at" | "updated_at" | "last_message_at";
            /**
             * @description Which conversations or memories the rule is about. All conditions must match; without any, it is about all.
             * @default {}
             */
            filter?: {
                /**
                 * @description Only those of this agent.
                 * @example support-bot
                 */
                agent_id?: string;
                /**
                 * @description Only those of this user.
                 * @example user_4711
                 */
                user_id?: string;
                /**
                 * @description Only those with at least one of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_any?: string[];
                /**
                 * @description Only those with all of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_all?: string[];
                /**
                 * @description Only those whose `metadata` has all of these keys with these values at its top level. At most 16 keys.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            /**
             * @description `true`: the rule only counts what it would delete, in `matched`, and deletes nothing. Default `false`.
             * @default false
             */
            dry_run?: boolean;
        };
        /** @description The rules of retention of an organization. */
        RetentionRuleList: {
            /** @description The rules, oldest first. */
            items: components["schemas"]["RetentionRule"][];
        };
        /** @description What a rule would delete now. */
        RetentionPreview: {
            /** @description Number of items that a rule with these fields would delete now. */
            matched: number;
            /** @description Number of items that match the filter and are under legal hold. They would not be deleted. */
            held: number;
            /** @description Whether all matching items were counted. `false` if counting would read more than 100,000 items with a filter by tags or metadata, or 1,250,000 otherwise. The counts then cover only the oldest items, and the deletion may delete more than they say. */
            complete: boolean;
            /**
             * @description Ids of up to 10 of them, oldest first. Of `usage`, its days; of `events`, their sequences.
             * @example [
             *       "conv_06e3tqz8m1k4v9x2c7d0"
             *     ]
             */
            samples: string[];
        };
        /**
         * @example {
         *       "kind": "conversations",
         *       "older_than_days": 365
         *     }
         */
        PreviewRetentionRuleBody: {
            /**
             * @description What the rule deletes. `events`: the event log, which never keeps more than seven days. `recalls`: receipts of recall, which are never kept for more than 30 days. `usage`: whole days of it.
             * @enum {string}
             */
            kind: "conversations" | "memories" | "events" | "usage" | "audit_events" | "recalls";
            /**
             * @description Age in days of 24 hours from which items are deleted.
             * @example 365
             */
            older_than_days: number;
            /**
             * @description Time by which the age counts. `last_message_at`: only for conversations. One without messages counts from its `created_at`. Default `created_at`, the only one of kinds other than `conversations` and `memories`.
             * @default created_at
             * @enum {string}
             */
            by?: "created_at" | "updated_at" | "last_message_at";
            /**
             * @description Which conversations or memories the rule is about. All conditions must match; without any, it is about all.
             * @default {}
             */
            filter?: {
                /**
                 * @description Only those of this agent.
                 * @example support-bot
                 */
                agent_id?: string;
                /**
                 * @description Only those of this user.
                 * @example user_4711
                 */
                user_id?: string;
                /**
                 * @description Only those with at least one of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_any?: string[];
                /**
                 * @description Only those with all of these tags.
                 * @example [
                 *       "billing",
                 *       "refund"
                 *     ]
                 */
                tags_all?: string[];
                /**
                 * @description Only those whose `metadata` has all of these keys with these values at its top level. At most 16 keys.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
        };
        /**
         * @example {
         *       "dry_run": false
         *     }
         */
        UpdateRetentionRuleBody: {
            /**
             * @description Your own name for the rule.
             * @example Support chats
             */
            name?: string;
            /**
             * @description Age in days of 24 hours from which items are deleted.
             * @example 365
             */
            older_than_days?: number;
            /** @description `true`: the rule only counts what it would delete, in `matched`, and deletes nothing. */
            dry_run?: boolean;
        };
        /** @description A part of the event log. */
        EventPage: {
            /** @description Events in the order of their sequences. May be empty. */
            items: components["schemas"]["Event"][];
            /**
             * @description Position up to which the log was read, for `after` of the next request. It covers events that the filters left out.
             * @example 1042
             */
            after: number;
            /**
             * @description Sequence of the oldest event in the log.
             * @example 1
             */
            oldest: number;
            /** @description Whether the log was read to its end. If `false`, send the next request at once. */
            caught_up: boolean;
        };
        /** @description A change in the organization. It has ids and numbers, never content. */
        Event: {
            /**
             * @description Id of the event. No other event of any organization has it.
             * @example evt_06e3tqz8m1k4v9x2c7d0_1042
             */
            id: string;
            /**
             * @description Position of the event in the log of the organization: 1, 2, 3, without gaps, in the order of the changes.
             * @example 1042
             */
            sequence: number;
            /**
             * @description What changed. `messages.indexed`: search by meaning now covers all messages up to `last_sequence`, except texts that the model rejects. `summary.created`: messages of a conversation have a summary. `operation.updated`: the status of an operation changed. `key.rotated` names the old key, and `key.created` follows for the new one. Types are added, but never renamed or removed: ignore those that you do not know.
             * @enum {string}
             */
            type: "conversation.created" | "conversation.updated" | "conversation.deleted" | "messages.appended" | "messages.updated" | "messages.deleted" | "messages.indexed" | "summary.created" | "memory.created" | "memory.updated" | "memory.deleted" | "operation.updated" | "key.created" | "key.revoked" | "key.rotated";
            /**
             * @description The conversation, for events of conversations, messages and summaries; otherwise null.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string | null;
            /**
             * @description The memory, for events of memories; otherwise null.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            memory_id: string | null;
            /**
             * @description The operation, for `operation.updated`; otherwise null.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            operation_id: string | null;
            /**
             * @description The key, for events of keys; otherwise null.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string | null;
            /**
             * @description Agent of the conversation or memory; null if it has none, once it is purged, and for other events.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description User of the conversation or memory; null if it has none, once it is purged, and for other events.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Sequence number of the first message that changed, or that a summary covers. Of a conversation that was created by a fork or an import, the first of its messages. Null for other events. */
            first_sequence: number | null;
            /** @description Sequence number of the last message that changed, or that a summary covers, or up to which messages are indexed. Of a conversation that was created by a fork or an import, the last of its messages. Null for other events. */
            last_sequence: number | null;
            /**
             * Format: date-time
             * @description Time of the change.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description A ticket, which opens one socket. */
        Ticket: {
            /**
             * @description The ticket. Open the socket with the subprotocols `engram.v1` and `engram.ticket.` followed by the ticket. It is shown only here.
             * @example engram_tk_1m8a32ytxaa7dwta9dt2_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py
             */
            ticket: string;
            /**
             * Format: date-time
             * @description Time from which the ticket is refused.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string;
        };
        /**
         * @example {
         *       "ttl_seconds": 30,
         *       "origin": "https://app.example.com"
         *     }
         */
        CreateTicketBody: {
            /**
             * @description Number of seconds in which the ticket can be used, at most 60. Default 60.
             * @default 60
             */
            ttl_seconds?: number;
            /**
             * @description The socket gets only events and broadcasts of this conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id?: string | null;
            /**
             * @description The socket gets only what a key bound to this agent would get.
             * @example support-bot
             */
            agent_id?: string | null;
            /**
             * @description The socket gets only what a key bound to this user would get.
             * @example user_4711
             */
            user_id?: string | null;
            /**
             * @description The ticket opens a socket only for pages of this origin, in lower case and without a default port. Default: for any program.
             * @example https://app.example.com
             */
            origin?: string;
            /**
             * @description Whether the socket also gets events of keys, if the key has the scope `admin`. Default `false`.
             * @default false
             */
            include_key_events?: boolean;
        };
        BroadcastResult: {
            /** @description Number of subscriptions and streams that it was sent to. */
            listeners: number;
        };
        /**
         * @example {
         *       "value": {
         *         "typing": true
         *       }
         *     }
         */
        BroadcastBody: {
            value: components["schemas"]["BroadcastValue"];
        };
        /**
         * @description Any JSON object, at most 4,096 characters as JSON. It is not stored.
         * @example {
         *       "typing": true
         *     }
         */
        BroadcastValue: {
            [key: string]: unknown;
        };
        PresenceList: {
            /** @description All presences, at most 100, in the order of `since`. */
            items: components["schemas"]["Presence"][];
        };
        /** @description A key or socket that is present in a conversation. It is not stored durably. */
        Presence: {
            /**
             * @description Id of this presence: that of the key, or of the grant, if it was set with this API, otherwise one that the socket has until it closes.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description The key that set it, or that created the ticket of the socket.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string;
            /**
             * @description The agent that the key or ticket is bound to; otherwise null.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description The user that the key or ticket is bound to; otherwise null.
             * @example user_4711
             */
            user_id: string | null;
            state: components["schemas"]["PresenceState"];
            /**
             * Format: date-time
             * @description Time when it was first set. A later change of `state` keeps it.
             * @example 2026-11-02T09:30:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description Time when it ends. Null for a socket, where it ends when the socket closes.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
        };
        /**
         * @description Any JSON object, at most 1,024 bytes as JSON, such as what the agent does now.
         * @example {
         *       "status": "reading"
         *     }
         */
        PresenceState: {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "state": {
         *         "status": "reading"
         *       },
         *       "ttl_seconds": 30
         *     }
         */
        SetPresenceBody: {
            state: components["schemas"]["PresenceState"];
            /**
             * @description Number of seconds after which the presence ends unless it is set again, at most 60. Default 60.
             * @default 60
             */
            ttl_seconds?: number;
        };
        /** @description A webhook with its secret, which is shown only once. */
        WebhookWithSecret: {
            /**
             * @description Id of a webhook.
             * @example wh_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description URL that events are sent to: `https`, with a public host name, and the port 443 or 8443. Addresses and internal names are refused. Hosts that the operator allows may be internal, and have any port and `http`.
             * @example https://hooks.example.com/engram
             */
            url: string;
            /**
             * @description Types of events to send; null for all.
             * @example [
             *       "messages.appended"
             *     ]
             */
            types: ("conversation.created" | "conversation.updated" | "conversation.deleted" | "messages.appended" | "messages.updated" | "messages.deleted" | "messages.indexed" | "summary.created" | "memory.created" | "memory.updated" | "memory.deleted" | "operation.updated" | "key.created" | "key.revoked" | "key.rotated")[] | null;
            /** @description Whether you want events to be sent. */
            enabled: boolean;
            /**
             * @description Why the service has paused the webhook: `failing` after the last attempt at an event, five days after the first, or `gone` after the response 410. Events keep their place until `resumeWebhook` or `skipDelivery`. Null unless paused.
             * @enum {string|null}
             */
            paused_reason: "gone" | "failing" | null;
            /**
             * @description Sequence of the last event that was delivered or skipped.
             * @example 1042
             */
            after: number;
            /**
             * Format: date-time
             * @description Time of the first failed attempt at the event that is sent next; null if none failed.
             * @example 2026-11-02T09:30:00.000Z
             */
            failing_since: string | null;
            /**
             * @description Sequence of the last event that was deleted from the log before it was sent, because the webhook was more than seven days or a million events behind. Read your data again. Null if none was; an update of `after` resets it.
             * @example 1042
             */
            missed_up_to: number | null;
            /**
             * Format: date-time
             * @description Time when the webhook was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change of its settings.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /**
             * @description Secret that verifies the signatures, in the form of Standard Webhooks. It is shown only in this response.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        };
        /**
         * @example {
         *       "url": "https://hooks.example.com/engram"
         *     }
         */
        CreateWebhookBody: {
            /**
             * @description URL that events are sent to: `https`, with a public host name, and the port 443 or 8443. Addresses and internal names are refused. Hosts that the operator allows may be internal, and have any port and `http`.
             * @example https://hooks.example.com/engram
             */
            url: string;
            /**
             * @description Types of events to send; null for all.
             * @example [
             *       "messages.appended"
             *     ]
             */
            types?: ("conversation.created" | "conversation.updated" | "conversation.deleted" | "messages.appended" | "messages.updated" | "messages.deleted" | "messages.indexed" | "summary.created" | "memory.created" | "memory.updated" | "memory.deleted" | "operation.updated" | "key.created" | "key.revoked" | "key.rotated")[] | null;
            /**
             * @description Whether events are sent. Default `true`.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description Sequence after which events are sent: a number of the past to send earlier ones too. Default `now`.
             * @default now
             */
            after?: "now" | number;
        };
        /** @description The webhooks of an organization. */
        WebhookList: {
            /** @description The webhooks, oldest first. */
            items: components["schemas"]["Webhook"][];
        };
        /** @description A URL that events are sent to. Its secret is not included. */
        Webhook: {
            /**
             * @description Id of a webhook.
             * @example wh_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description URL that events are sent to: `https`, with a public host name, and the port 443 or 8443. Addresses and internal names are refused. Hosts that the operator allows may be internal, and have any port and `http`.
             * @example https://hooks.example.com/engram
             */
            url: string;
            /**
             * @description Types of events to send; null for all.
             * @example [
             *       "messages.appended"
             *     ]
             */
            types: ("conversation.created" | "conversation.updated" | "conversation.deleted" | "messages.appended" | "messages.updated" | "messages.deleted" | "messages.indexed" | "summary.created" | "memory.created" | "memory.updated" | "memory.deleted" | "operation.updated" | "key.created" | "key.revoked" | "key.rotated")[] | null;
            /** @description Whether you want events to be sent. */
            enabled: boolean;
            /**
             * @description Why the service has paused the webhook: `failing` after the last attempt at an event, five days after the first, or `gone` after the response 410. Events keep their place until `resumeWebhook` or `skipDelivery`. Null unless paused.
             * @enum {string|null}
             */
            paused_reason: "gone" | "failing" | null;
            /**
             * @description Sequence of the last event that was delivered or skipped.
             * @example 1042
             */
            after: number;
            /**
             * Format: date-time
             * @description Time of the first failed attempt at the event that is sent next; null if none failed.
             * @example 2026-11-02T09:30:00.000Z
             */
            failing_since: string | null;
            /**
             * @description Sequence of the last event that was deleted from the log before it was sent, because the webhook was more than seven days or a million events behind. Read your data again. Null if none was; an update of `after` resets it.
             * @example 1042
             */
            missed_up_to: number | null;
            /**
             * Format: date-time
             * @description Time when the webhook was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change of its settings.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
        };
        /**
         * @example {
         *       "enabled": false
         *     }
         */
        UpdateWebhookBody: {
            /**
             * @description URL that events are sent to: `https`, with a public host name, and the port 443 or 8443. Addresses and internal names are refused. Hosts that the operator allows may be internal, and have any port and `http`.
             * @example https://hooks.example.com/engram
             */
            url?: string;
            /**
             * @description Types of events to send; null for all.
             * @example [
             *       "messages.appended"
             *     ]
             */
            types?: ("conversation.created" | "conversation.updated" | "conversation.deleted" | "messages.appended" | "messages.updated" | "messages.deleted" | "messages.indexed" | "summary.created" | "memory.created" | "memory.updated" | "memory.deleted" | "operation.updated" | "key.created" | "key.revoked" | "key.rotated")[] | null;
            /** @description Whether you want events to be sent. */
            enabled?: boolean;
            /** @description Sequence after which events are sent: a number of the past to send them again, or `now` for events from now on. */
            after?: "now" | number;
        };
        /** @description The result of a test. */
        WebhookTest: {
            event: components["schemas"]["WebhookTestEvent"];
            attempt: components["schemas"]["WebhookAttempt"];
        };
        /** @description The event that was sent. */
        WebhookTestEvent: {
            /**
             * @description Id of the event. Each test has another.
             * @example evt_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Always 0: the event is not in the log.
             * @enum {number}
             */
            sequence: 0;
            /**
             * @description Always `webhook.test`.
             * @enum {string}
             */
            type: "webhook.test";
            /**
             * @description The conversation, for events of conversations, messages and summaries; otherwise null.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string | null;
            /**
             * @description The memory, for events of memories; otherwise null.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            memory_id: string | null;
            /**
             * @description The operation, for `operation.updated`; otherwise null.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            operation_id: string | null;
            /**
             * @description The key, for events of keys; otherwise null.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string | null;
            /**
             * @description Agent of the conversation or memory; null if it has none, once it is purged, and for other events.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description User of the conversation or memory; null if it has none, once it is purged, and for other events.
             * @example user_4711
             */
            user_id: string | null;
            /** @description Sequence number of the first message that changed, or that a summary covers. Of a conversation that was created by a fork or an import, the first of its messages. Null for other events. */
            first_sequence: number | null;
            /** @description Sequence number of the last message that changed, or that a summary covers, or up to which messages are indexed. Of a conversation that was created by a fork or an import, the last of its messages. Null for other events. */
            last_sequence: number | null;
            /**
             * Format: date-time
             * @description Time of the test.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description How the request ended. */
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description Time when the request was sent.
             * @example 2026-11-02T09:30:00.000Z
             */
            started_at: string;
            /** @description Milliseconds until the response, or until the attempt failed. */
            duration_ms: number;
            /**
             * @description HTTP status of the response; null if none arrived.
             * @example 503
             */
            status: number | null;
            /**
             * @description Why the attempt failed; null if it succeeded. `status`: the response was not 200 to 299. `redirect`: it was a redirect, which is not followed. `timeout`: no response within 10 seconds. `name_not_resolved`: the host name has no address. `connection_failed`: the receiver accepted no connection. `tls_failed`: the TLS handshake failed, for example because the certificate is not valid. `connection_closed`: the connection ended before the response. `invalid_response`: the response was not HTTP, or its headers were too large. `no_response`: no response, for a reason that is not known. `url_refused`: the URL or the address of its host is not public. `secret_unreadable`: the service has another admin token than when the secret was made; rotate the secret.
             * @enum {string|null}
             */
            error: "status" | "redirect" | "timeout" | "name_not_resolved" | "connection_failed" | "tls_failed" | "connection_closed" | "invalid_response" | "no_response" | "url_refused" | "secret_unreadable" | null;
        };
        /** @description One page of a list. */
        DeliveryPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["Delivery"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description An event of which an attempt failed. */
        Delivery: {
            /**
             * @description Id of a delivery: the id of its event.
             * @example evt_06e3tqz8m1k4v9x2c7d0_1042
             */
            id: string;
            /**
             * @description Position of the event in the log of the organization: 1, 2, 3, without gaps, in the order of the changes.
             * @example 1042
             */
            sequence: number;
            /**
             * @description `pending`: the event will be sent. `delivered`: the receiver has it. `skipped`: it is not sent any more, after `skipDelivery` or an update of `after` or `types`.
             * @enum {string}
             */
            status: "pending" | "delivered" | "skipped";
            /**
             * Format: date-time
             * @description Earliest time of the next attempt; null if there is none, if it is due, or while the webhook is paused or disabled.
             * @example 2026-11-02T09:30:00.000Z
             */
            next_attempt_at: string | null;
            /** @description The last 12 attempts, oldest first. */
            attempts: (components["schemas"]["WebhookAttempt"] & unknown)[];
        };
        /** @description One page of a list. */
        AuditEventPage: {
            /** @description Items of this page, in the order that the operation states. */
            items: components["schemas"]["AuditEvent"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Where the chain begins, if a rule of retention has deleted its first events. Null if none is deleted. */
            start: {
                /** @description `number` of the last event that was deleted. */
                number: number;
                /** @description `hash` of it, from which that of the next event goes on. */
                hash: string;
            } | null;
        };
        AuditEvent: {
            /**
             * @description Id of an audit event.
             * @example aud_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description What was done. `organization.restored`: the deletion of the organization was canceled. `organization.move.started`: the operator has it moved between the shared database and one of its own; a move that is canceled afterwards has no further event. `messages.replaced` is recorded only if messages were deleted. Actions are added, but never renamed or removed.
             * @enum {string}
             */
            action: "key.created" | "key.revoked" | "key.rotated" | "grant.created" | "grant.deleted" | "member.created" | "member.updated" | "member.deleted" | "member.sign_in_code.created" | "message.deleted" | "messages.replaced" | "conversation.deleted" | "conversations.deleted" | "memory.deleted" | "memories.deleted" | "user.deleted" | "tombstone.deleted" | "hold.created" | "hold.lifted" | "items.expired" | "retention.created" | "retention.updated" | "retention.deleted" | "retention.applied" | "data.exported" | "archive.created" | "archive.deleted" | "archive_schedule.updated" | "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.paused" | "webhook.resumed" | "webhook.deleted" | "delivery.skipped" | "organization.updated" | "organization.deleted" | "organization.restored" | "organization.move.started";
            /**
             * @description Id of the key that was used, or of the member who did it; null if the request was made with the admin token, or for what the service does by itself: `items.expired`, `retention.applied`, `webhook.paused`, an archive of the schedule, and the deletion of one that has expired.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string | null;
            /** @description OAuth id of the client that did it with a grant of the key. `grant.created`, `grant.deleted`: the client of the grant. Otherwise null. */
            client_id: string | null;
            /** @description Name of that client, as it calls itself. Nothing proves it. Null without a client. */
            client_name: string | null;
            /**
             * @description Id of the affected key, grant, member, message, conversation, memory, tombstone, legal hold, rule of retention, archive, webhook or user. `messages.replaced`: the conversation. `delivery.skipped`: the webhook. `key.rotated`: the old key. `conversations.deleted` and `memories.deleted` (by filter), `items.expired`, `archive_schedule.updated`, `organization.updated`, `organization.deleted`, `organization.restored`, `organization.move.started`: the organization. `hold.lifted` by the deletion of the organization: the organization. `data.exported`: the user of an export with `user_id`, the archive whose lines were read, otherwise the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * @description Id of the operation that tracks the deletion, the archive or the move; null if the action has none, as `retention.applied` for what is no conversation or memory. `organization.restored`: the operation of the deletion that was canceled. `tombstone.deleted`: that of the deletion which left the tombstone. `hold.lifted`: the deletion of the organization that overrode its holds, and null if a key lifted the hold.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            operation_id: string | null;
            /**
             * @description Id of the request that did it: the `x-request-id` of its response. Null for background work, and for actions before request ids were recorded.
             * @example req_01jd8m3q0v7y2k9x4c6e
             */
            request_id: string | null;
            /**
             * Format: date-time
             * @description Time of the action.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /** @description Place in the chain of the organization's events, from 1 on without a gap. Null for an event of the last minutes, which is not in the chain yet. */
            number: number | null;
            /**
             * @description SHA-256 of a JSON array of two elements, as `JSON.stringify` writes it: the `hash` of the event before in the chain (null for the first), and an array of `[name, value]` of all other fields of this event that are not null, sorted by name. So an event that was changed or removed shows in the hashes of all later ones. Null if `number` is.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string | null;
        };
        /** @description One page of a list. */
        UsagePage: {
            /** @description Items of this page, in the order that the operation states. */
            items: (components["schemas"]["Usage"] | components["schemas"]["UsageGroup"])[];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description Usage of one key on one day. */
        Usage: {
            /**
             * Format: date
             * @description Day in UTC.
             * @example 2026-11-02
             */
            day: string;
            /**
             * @description Id of the key or the member; null for work that belongs to no request, such as indexing that the service repeats in the background.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string | null;
            /** @description Number of requests with the key, including rejected ones. A request to the MCP endpoint `/mcp` counts once, however many tools it calls. A frame that a client sends over a socket counts as a request, except the first of each socket, `ping`, and an `ack` that the service does not wait for. */
            requests: number;
            /** @description Number of new messages and memories, including those stored by a fork or an import. Items that were already stored do not count again: messages with a known external id, memories with the same content, repeats of a request with the same idempotency key, and lines that an earlier import stored. */
            messages: number;
            /** @description Number of bytes of content stored, as UTF-8: of the items that `messages` counts, and of messages and memories whose content was changed. */
            message_bytes: number;
            /** @description Number of successful searches of conversations and memories. */
            searches: number;
            /** @description Number of requests that were answered with a problem (a status of 400 or more). A failed MCP tool call counts as one. */
            errors: number;
            /** @description Number of texts for which the embedding model computed a vector: chunks of messages and memories each time they are indexed, and queries of hybrid and semantic searches, except those whose vector the service still has from an earlier search of the same organization. Texts that a text model reads to write tags and summaries do not count. */
            embeddings: number;
        };
        /** @description Sum of usage, with the dimensions in `group_by`. */
        UsageGroup: {
            /**
             * Format: date
             * @description Day in UTC.
             */
            day?: string;
            /** @description As in `Usage`. */
            key_id?: string | null;
            /** @description Operation id, `mcp`, `openEventSocket`, or `socketFrame` for frames of clients; null for work of no request. */
            operation?: string | null;
            /** @description MCP tool; null without one. */
            tool?: string | null;
            /**
             * @description User that the key is bound to. Null for keys that are bound to no user, whatever user their requests name, and for work of no request.
             * @example user_4711
             */
            user_id?: string | null;
            /** @description Sum. By `operation` or `tool`, each MCP tool call counts too. */
            requests: number;
            /** @description Sum. */
            messages: number;
            /** @description Sum. */
            message_bytes: number;
            /** @description Sum. */
            searches: number;
            /** @description Sum. */
            errors: number;
            /** @description Sum. */
            embeddings: number;
        };
        Health: {
            /** @enum {string} */
            status: "ok";
        };
        Readiness: {
            /** @enum {string} */
            status: "ready";
            /**
             * @description File name of the newest database migration that this version of the service requires. The database has it.
             * @example 0026_summaries.sql
             */
            migration: string;
        };
    };
    responses: {
        /** @description `validation_failed`: A field or parameter is missing, unknown or invalid. `errors` lists each with its path and the limit that it breaks. Nothing was changed. Correct the fields that `errors` lists, and send the request again. `invalid_json`: The body is not JSON, or is JSON that cannot be stored exactly, such as a lone surrogate or an integer beyond 2^53−1. Nothing was changed. Correct the body; `detail` names the problem. Send UTF-8. */
        ValidationFailedOrInvalidJson: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unauthenticated`: The key or token is missing, unknown, expired or revoked. Send a valid one as `Authorization: Bearer`. */
        Unauthenticated: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `forbidden`: The request is not permitted: the key lacks a scope or is bound to another agent or user, or the request comes from a web page of another origin. `detail` says which. Use a key with the scope, the agent and the user that `detail` names. A key with the scope `admin` can create one. `host_not_allowed`: The service does not accept this `Host`. Use a name that it accepts, or add this one to `ALLOWED_HOSTS` (deployment) or `ENGRAM_ALLOWED_HOSTS` (`npm start`). If a proxy serves the service, add its URL to `PUBLIC_URLS` or `ENGRAM_PUBLIC_URLS` instead. */
        ForbiddenOrHostNotAllowed: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`: The item does not exist, was deleted, or is not accessible with this key. The response is the same in all three cases. Check the id and the path, and that the key belongs to the right organization, agent and user. */
        NotFound: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `secret_already_shown`: An earlier request with this idempotency key created the API key, whose secret is shown only once. If you do not have the secret, revoke that API key and create another. */
        SecretAlreadyShown: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `payload_too_large`: The request exceeds a size limit, which `detail` names. Nothing was stored. Send less in one request. */
        PayloadTooLarge: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type`: The body has a `Content-Type` that the operation does not accept. Send the type that the request body lists, such as `application/json`. */
        UnsupportedMediaType: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_mismatch`: The idempotency key was used for a different request. Nothing was changed. Use a new idempotency key. */
        IdempotencyMismatch: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal`: The service failed unexpectedly. A write may have been stored. Report `request_id` to the people who run the service: its log has the details under this id. */
        Internal: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unavailable`: Something that the request needs, such as the database or a model, did not respond; `detail` names it. The database has 10 seconds for a call that reads, and 25 seconds for one that writes. A write may have been stored. Wait as long as `Retry-After` says, then send the request again with the same idempotency key. */
        Unavailable: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                /** @description Number of seconds to wait before you send the request again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `insufficient_storage`: The database cannot grow: the disk of the service is nearly full, or the database has reached its maximum size. Nothing was stored. Requests that only read still work. Tell the people who run the service: they must free disk space or, at the maximum size, delete data. */
        InsufficientStorage: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: A field or parameter is missing, unknown or invalid. `errors` lists each with its path and the limit that it breaks. Nothing was changed. Correct the fields that `errors` lists, and send the request again. `invalid_cursor`: `cursor` was altered, or is from a list with other parameters. Pass `next_cursor` unchanged, and keep all other parameters. To change them, start again without a cursor. */
        ValidationFailedOrInvalidCursor: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited`: The key or its organization has sent too many requests, or a webhook was tested too often. Nothing was changed. Wait as long as `Retry-After` says, then send the request again. */
        RateLimited: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                /** @description Number of seconds to wait before you send the request again. */
                "Retry-After"?: number;
                /** @description Rate limits: at most `q` requests in `w` seconds, for the key, and for all keys of its organization together. For example `"key";q=1000;w=10, "organization";q=3000;w=10`. Every response to a request with a valid key has this header, unless the service has no rate limits. The service counts requests approximately. */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: A field or parameter is missing, unknown or invalid. `errors` lists each with its path and the limit that it breaks. Nothing was changed. Correct the fields that `errors` lists, and send the request again. */
        ValidationFailed: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `held`: A legal hold forbids to delete or edit the item, or to delete or move an organization with an active hold. Nothing was changed. Wait until the holds that `detail` names are lifted, which needs a key with the scope `admin`. The holder of the admin token can delete an organization with `force`. */
        Held: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `held`: A legal hold forbids to delete or edit the item, or to delete or move an organization with an active hold. Nothing was changed. Wait until the holds that `detail` names are lifted, which needs a key with the scope `admin`. The holder of the admin token can delete an organization with `force`. `organization_moving`: The organization is being moved to another place, or its old rows are still being removed. Wait until the operation whose id `detail` names has ended, or cancel it. */
        HeldOrOrganizationMoving: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `host_not_allowed`: The service does not accept this `Host`. Use a name that it accepts, or add this one to `ALLOWED_HOSTS` (deployment) or `ENGRAM_ALLOWED_HOSTS` (`npm start`). If a proxy serves the service, add its URL to `PUBLIC_URLS` or `ENGRAM_PUBLIC_URLS` instead. */
        HostNotAllowed: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `email_conflict`: Another member of the organization has this email address. Nothing was changed. Update that member, or leave out the address. */
        EmailConflict: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again. If the request has several items, `errors` lists those that were deleted. Nothing was stored. Send the request without these items. To allow them again, delete their tombstone with a key that has the scope `admin`. */
        Forgotten: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `held`: A legal hold forbids to delete or edit the item, or to delete or move an organization with an active hold. Nothing was changed. Wait until the holds that `detail` names are lifted, which needs a key with the scope `admin`. The holder of the admin token can delete an organization with `force`. `user_conflict`: The request gives a user to a memory that belongs to another user. Only a memory without a user can get one. Nothing was changed. Capture the content as a memory of the other user. */
        HeldOrUserConflict: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition_failed`: The item has changed since you read the `ETag` that `If-Match` names. Nothing was changed. Get the item again, and repeat the request with its new `ETag`. */
        PreconditionFailed: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `external_id_conflict`: An `external_id` in the request belongs to a different item. Nothing was stored. Use another external id. `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again. If the request has several items, `errors` lists those that were deleted. Nothing was stored. Send the request without these items. To allow them again, delete their tombstone with a key that has the scope `admin`. `sequence_conflict`: A sequence number in the request does not match the conversation. For a replacement, messages were added or deleted since you read it; for a fork, `sequence` is beyond the last message. Nothing was changed. Get the newest messages and send the request again with their sequence numbers. `too_many_messages`: A fork would copy, or a replacement would delete, more than 10,000 messages. Nothing was changed. Choose an earlier end for the fork, or a later start for the replacement. */
        ExternalIdConflictOrForgottenOrSequenceConflictOrTooManyMessages: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `external_id_conflict`: An `external_id` in the request belongs to a different item. Nothing was stored. Use another external id. `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again. If the request has several items, `errors` lists those that were deleted. Nothing was stored. Send the request without these items. To allow them again, delete their tombstone with a key that has the scope `admin`. `conversation_full`: The conversation has used its last sequence number, 16,777,215. Nothing was stored. Continue in a new conversation. */
        ExternalIdConflictOrForgottenOrConversationFull: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `held`: A legal hold forbids to delete or edit the item, or to delete or move an organization with an active hold. Nothing was changed. Wait until the holds that `detail` names are lifted, which needs a key with the scope `admin`. The holder of the admin token can delete an organization with `force`. `sequence_conflict`: A sequence number in the request does not match the conversation. For a replacement, messages were added or deleted since you read it; for a fork, `sequence` is beyond the last message. Nothing was changed. Get the newest messages and send the request again with their sequence numbers. `too_many_messages`: A fork would copy, or a replacement would delete, more than 10,000 messages. Nothing was changed. Choose an earlier end for the fork, or a later start for the replacement. `external_id_conflict`: An `external_id` in the request belongs to a different item. Nothing was stored. Use another external id. `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again. If the request has several items, `errors` lists those that were deleted. Nothing was stored. Send the request without these items. To allow them again, delete their tombstone with a key that has the scope `admin`. `conversation_full`: The conversation has used its last sequence number, 16,777,215. Nothing was stored. Continue in a new conversation. */
        HeldOrSequenceConflictOrTooManyMessagesOrExternalIdConflictOrForgottenOrConversationFull: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `held`: A legal hold forbids to delete or edit the item, or to delete or move an organization with an active hold. Nothing was changed. Wait until the holds that `detail` names are lifted, which needs a key with the scope `admin`. The holder of the admin token can delete an organization with `force`. `content_conflict`: Another memory of the same agent and user has this content. Nothing was changed. Keep that memory, or send other content. `external_id_conflict`: An `external_id` in the request belongs to a different item. Nothing was stored. Use another external id. `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again. If the request has several items, `errors` lists those that were deleted. Nothing was stored. Send the request without these items. To allow them again, delete their tombstone with a key that has the scope `admin`. */
        HeldOrContentConflictOrExternalIdConflictOrForgotten: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `held`: A legal hold forbids to delete or edit the item, or to delete or move an organization with an active hold. Nothing was changed. Wait until the holds that `detail` names are lifted, which needs a key with the scope `admin`. The holder of the admin token can delete an organization with `force`. `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again. If the request has several items, `errors` lists those that were deleted. Nothing was stored. Send the request without these items. To allow them again, delete their tombstone with a key that has the scope `admin`. */
        HeldOrForgotten: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `held`: A legal hold forbids to delete or edit the item, or to delete or move an organization with an active hold. Nothing was changed. Wait until the holds that `detail` names are lifted, which needs a key with the scope `admin`. The holder of the admin token can delete an organization with `force`. `content_conflict`: Another memory of the same agent and user has this content. Nothing was changed. Keep that memory, or send other content. `external_id_conflict`: An `external_id` in the request belongs to a different item. Nothing was stored. Use another external id. */
        HeldOrContentConflictOrExternalIdConflict: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `held`: A legal hold forbids to delete or edit the item, or to delete or move an organization with an active hold. Nothing was changed. Wait until the holds that `detail` names are lifted, which needs a key with the scope `admin`. The holder of the admin token can delete an organization with `force`. `content_conflict`: Another memory of the same agent and user has this content. Nothing was changed. Keep that memory, or send other content. `external_id_conflict`: An `external_id` in the request belongs to a different item. Nothing was stored. Use another external id. `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again. If the request has several items, `errors` lists those that were deleted. Nothing was stored. Send the request without these items. To allow them again, delete their tombstone with a key that has the scope `admin`. `user_conflict`: The request gives a user to a memory that belongs to another user. Only a memory without a user can get one. Nothing was changed. Capture the content as a memory of the other user. */
        HeldOrContentConflictOrExternalIdConflictOrForgottenOrUserConflict: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again. If the request has several items, `errors` lists those that were deleted. Nothing was stored. Send the request without these items. To allow them again, delete their tombstone with a key that has the scope `admin`. `too_many_evaluations`: The organization has 1,000 evaluations already. Nothing was changed. Delete an evaluation first. */
        ForgottenOrTooManyEvaluations: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `operation_ended`: The import was canceled, or completed without these lines. Nothing more was stored. Begin a new import to continue. `lines_missing`: `after_line` is greater than the number of lines that the import has received. Nothing was stored. Get the operation, and continue after its `progress.done`. */
        OperationEndedOrLinesMissing: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_archives`: The organization has 1,000 archives already. Nothing was changed. Delete an archive first. */
        TooManyArchives: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_configured`: The deployment lacks what the operation needs, such as an object store for archives; `detail` names it. Nothing was changed. Ask the people who run the service to configure it. */
        NotConfigured: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_cancelable`: The operation has ended already, or is of a type that cannot be canceled. Nothing was changed. Get the operation to see its status. There is nothing to cancel. */
        NotCancelable: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_holds`: The organization has 100 active legal holds already. Nothing was changed. Lift a hold first, or hold more items with one of them. */
        TooManyHolds: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_retention_rules`: The organization has 50 rules of retention already. Nothing was changed. Delete a rule first, or update one. */
        TooManyRetentionRules: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `cursor_expired`: `after` is not in the event log: the events after it are deleted, or it is after the newest event. Events are kept for seven days, and at most a million of each organization. Read the conversations and memories that you follow again, then continue from `after=now`. */
        CursorExpired: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_webhooks`: The organization has 20 webhooks already. Nothing was changed. Delete a webhook first, or update one. `secret_already_shown`: An earlier request with this idempotency key created the API key, whose secret is shown only once. If you do not have the secret, revoke that API key and create another. */
        TooManyWebhooksOrSecretAlreadyShown: {
            headers: {
                /** @description Id of the request, which is also in the log of the service. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type CreatedOrganization = components['schemas']['CreatedOrganization'];
export type Organization = components['schemas']['Organization'];
export type OnSourceDeleted = components['schemas']['OnSourceDeleted'];
export type Place = components['schemas']['Place'];
export type Jurisdiction = components['schemas']['Jurisdiction'];
export type LocationHint = components['schemas']['LocationHint'];
export type ApiKeyWithSecret = components['schemas']['ApiKeyWithSecret'];
export type Scope = components['schemas']['Scope'];
export type Problem = components['schemas']['Problem'];
export type CreateOrganizationBody = components['schemas']['CreateOrganizationBody'];
export type OrganizationPage = components['schemas']['OrganizationPage'];
export type ListedOrganization = components['schemas']['ListedOrganization'];
export type OrganizationHealth = components['schemas']['OrganizationHealth'];
export type OrganizationWork = components['schemas']['OrganizationWork'];
export type UpdateOrganizationBody = components['schemas']['UpdateOrganizationBody'];
export type DeleteOrganizationOperation = components['schemas']['DeleteOrganizationOperation'];
export type MoveOrganizationOperation = components['schemas']['MoveOrganizationOperation'];
export type MoveOrganizationBody = components['schemas']['MoveOrganizationBody'];
export type CreateKeyBody = components['schemas']['CreateKeyBody'];
export type ApiKeyPage = components['schemas']['ApiKeyPage'];
export type ApiKey = components['schemas']['ApiKey'];
export type RotateKeyBody = components['schemas']['RotateKeyBody'];
export type SignInCode = components['schemas']['SignInCode'];
export type Member = components['schemas']['Member'];
export type Role = components['schemas']['Role'];
export type CreateMemberBody = components['schemas']['CreateMemberBody'];
export type MemberPage = components['schemas']['MemberPage'];
export type UpdateMemberBody = components['schemas']['UpdateMemberBody'];
export type Me = components['schemas']['Me'];
export type GrantPage = components['schemas']['GrantPage'];
export type Grant = components['schemas']['Grant'];
export type Conversation = components['schemas']['Conversation'];
export type Metadata = components['schemas']['Metadata'];
export type CreateConversationBody = components['schemas']['CreateConversationBody'];
export type ConversationPage = components['schemas']['ConversationPage'];
export type ListedConversation = components['schemas']['ListedConversation'];
export type MessageRole = components['schemas']['MessageRole'];
export type ConversationWithMessages = components['schemas']['ConversationWithMessages'];
export type MessagePage = components['schemas']['MessagePage'];
export type Message = components['schemas']['Message'];
export type UpdateConversationBody = components['schemas']['UpdateConversationBody'];
export type DeleteConversationOperation = components['schemas']['DeleteConversationOperation'];
export type ConversationsCounted = components['schemas']['ConversationsCounted'];
export type DeleteConversationsOperation = components['schemas']['DeleteConversationsOperation'];
export type DeleteConversationsBody = components['schemas']['DeleteConversationsBody'];
export type ForkConversationBody = components['schemas']['ForkConversationBody'];
export type AppendedMessages = components['schemas']['AppendedMessages'];
export type AppendMessagesBody = components['schemas']['AppendMessagesBody'];
export type NewMessage = components['schemas']['NewMessage'];
export type UpdateMessageBody = components['schemas']['UpdateMessageBody'];
export type DeleteMessageOperation = components['schemas']['DeleteMessageOperation'];
export type ReplacedMessages = components['schemas']['ReplacedMessages'];
export type ReplaceMessagesBody = components['schemas']['ReplaceMessagesBody'];
export type SummaryPage = components['schemas']['SummaryPage'];
export type Summary = components['schemas']['Summary'];
export type SummarySentence = components['schemas']['SummarySentence'];
export type QueuedSummaries = components['schemas']['QueuedSummaries'];
export type CapturedMemory = components['schemas']['CapturedMemory'];
export type MemoryKind = components['schemas']['MemoryKind'];
export type Source = components['schemas']['Source'];
export type CreateMemoryBody = components['schemas']['CreateMemoryBody'];
export type NewSource = components['schemas']['NewSource'];
export type CapturedMemories = components['schemas']['CapturedMemories'];
export type CreateMemoriesBody = components['schemas']['CreateMemoriesBody'];
export type NewMemory = components['schemas']['NewMemory'];
export type Memory = components['schemas']['Memory'];
export type PutMemoryBody = components['schemas']['PutMemoryBody'];
export type MemoryPage = components['schemas']['MemoryPage'];
export type MemoryWithChunks = components['schemas']['MemoryWithChunks'];
export type MemoryChunk = components['schemas']['MemoryChunk'];
export type MemoryVersionPage = components['schemas']['MemoryVersionPage'];
export type MemoryVersion = components['schemas']['MemoryVersion'];
export type UpdateMemoryBody = components['schemas']['UpdateMemoryBody'];
export type DeleteMemoryOperation = components['schemas']['DeleteMemoryOperation'];
export type MemoriesCounted = components['schemas']['MemoriesCounted'];
export type DeleteMemoriesOperation = components['schemas']['DeleteMemoriesOperation'];
export type DeleteMemoriesBody = components['schemas']['DeleteMemoriesBody'];
export type EnrichMemoriesOperation = components['schemas']['EnrichMemoriesOperation'];
export type EnrichMemoriesBody = components['schemas']['EnrichMemoriesBody'];
export type EntityPage = components['schemas']['EntityPage'];
export type Entity = components['schemas']['Entity'];
export type EntityKind = components['schemas']['EntityKind'];
export type MentionPage = components['schemas']['MentionPage'];
export type Mention = components['schemas']['Mention'];
export type UserPage = components['schemas']['UserPage'];
export type User = components['schemas']['User'];
export type DeleteUserOperation = components['schemas']['DeleteUserOperation'];
export type MemorySearchAnswer = components['schemas']['MemorySearchAnswer'];
export type MemoryResult = components['schemas']['MemoryResult'];
export type FoundMemory = components['schemas']['FoundMemory'];
export type Highlight = components['schemas']['Highlight'];
export type MatchedChunk = components['schemas']['MatchedChunk'];
export type SearchExplanation = components['schemas']['SearchExplanation'];
export type SearchMemoriesBody = components['schemas']['SearchMemoriesBody'];
export type SearchAnswer = components['schemas']['SearchAnswer'];
export type SearchResult = components['schemas']['SearchResult'];
export type MessagesResult = components['schemas']['MessagesResult'];
export type ConversationSummary = components['schemas']['ConversationSummary'];
export type FoundMessage = components['schemas']['FoundMessage'];
export type FoundSummary = components['schemas']['FoundSummary'];
export type CitedMessage = components['schemas']['CitedMessage'];
export type SearchBody = components['schemas']['SearchBody'];
export type ContextAnswer = components['schemas']['ContextAnswer'];
export type ContextMessage = components['schemas']['ContextMessage'];
export type ContextMemory = components['schemas']['ContextMemory'];
export type ContextResult = components['schemas']['ContextResult'];
export type ContextSummary = components['schemas']['ContextSummary'];
export type ContextBody = components['schemas']['ContextBody'];
export type RecallPage = components['schemas']['RecallPage'];
export type Recall = components['schemas']['Recall'];
export type RecalledItem = components['schemas']['RecalledItem'];
export type UpdateRecallBody = components['schemas']['UpdateRecallBody'];
export type Replay = components['schemas']['Replay'];
export type ReplayDifference = components['schemas']['ReplayDifference'];
export type Evaluation = components['schemas']['Evaluation'];
export type EvaluationRun = components['schemas']['EvaluationRun'];
export type CreateEvaluationBody = components['schemas']['CreateEvaluationBody'];
export type EvaluationPage = components['schemas']['EvaluationPage'];
export type EvaluationResult = components['schemas']['EvaluationResult'];
export type IndexStatus = components['schemas']['IndexStatus'];
export type RepairIndexOperation = components['schemas']['RepairIndexOperation'];
export type RepairIndexBody = components['schemas']['RepairIndexBody'];
export type OperationPage = components['schemas']['OperationPage'];
export type Operation = components['schemas']['Operation'];
export type CreateArchiveOperation = components['schemas']['CreateArchiveOperation'];
export type ImportOperation = components['schemas']['ImportOperation'];
export type ExportLine = components['schemas']['ExportLine'];
export type ConversationLine = components['schemas']['ConversationLine'];
export type MessageLine = components['schemas']['MessageLine'];
export type MemoryLine = components['schemas']['MemoryLine'];
export type MemoryVersionLine = components['schemas']['MemoryVersionLine'];
export type RecallLine = components['schemas']['RecallLine'];
export type EndLine = components['schemas']['EndLine'];
export type CreateImportBody = components['schemas']['CreateImportBody'];
export type ImportedLines = components['schemas']['ImportedLines'];
export type ImportProblem = components['schemas']['ImportProblem'];
export type SkippedLine = components['schemas']['SkippedLine'];
export type CreateArchiveBody = components['schemas']['CreateArchiveBody'];
export type ArchivePage = components['schemas']['ArchivePage'];
export type Archive = components['schemas']['Archive'];
export type ArchiveSchedule = components['schemas']['ArchiveSchedule'];
export type SetArchiveScheduleBody = components['schemas']['SetArchiveScheduleBody'];
export type ArchiveManifest = components['schemas']['ArchiveManifest'];
export type ArchivePart = components['schemas']['ArchivePart'];
export type TombstonePage = components['schemas']['TombstonePage'];
export type Tombstone = components['schemas']['Tombstone'];
export type Hold = components['schemas']['Hold'];
export type HoldFilter = components['schemas']['HoldFilter'];
export type CreateHoldBody = components['schemas']['CreateHoldBody'];
export type HoldPage = components['schemas']['HoldPage'];
export type HoldDetails = components['schemas']['HoldDetails'];
export type RetentionRule = components['schemas']['RetentionRule'];
export type CreateRetentionRuleBody = components['schemas']['CreateRetentionRuleBody'];
export type RetentionRuleList = components['schemas']['RetentionRuleList'];
export type RetentionPreview = components['schemas']['RetentionPreview'];
export type PreviewRetentionRuleBody = components['schemas']['PreviewRetentionRuleBody'];
export type UpdateRetentionRuleBody = components['schemas']['UpdateRetentionRuleBody'];
export type EventPage = components['schemas']['EventPage'];
export type Event = components['schemas']['Event'];
export type Ticket = components['schemas']['Ticket'];
export type CreateTicketBody = components['schemas']['CreateTicketBody'];
export type BroadcastResult = components['schemas']['BroadcastResult'];
export type BroadcastBody = components['schemas']['BroadcastBody'];
export type BroadcastValue = components['schemas']['BroadcastValue'];
export type PresenceList = components['schemas']['PresenceList'];
export type Presence = components['schemas']['Presence'];
export type PresenceState = components['schemas']['PresenceState'];
export type SetPresenceBody = components['schemas']['SetPresenceBody'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type CreateWebhookBody = components['schemas']['CreateWebhookBody'];
export type WebhookList = components['schemas']['WebhookList'];
export type Webhook = components['schemas']['Webhook'];
export type UpdateWebhookBody = components['schemas']['UpdateWebhookBody'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type WebhookTestEvent = components['schemas']['WebhookTestEvent'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type DeliveryPage = components['schemas']['DeliveryPage'];
export type Delivery = components['schemas']['Delivery'];
export type AuditEventPage = components['schemas']['AuditEventPage'];
export type AuditEvent = components['schemas']['AuditEvent'];
export type UsagePage = components['schemas']['UsagePage'];
export type Usage = components['schemas']['Usage'];
export type UsageGroup = components['schemas']['UsageGroup'];
export type Health = components['schemas']['Health'];
export type Readiness = components['schemas']['Readiness'];
export type ResponseValidationFailedOrInvalidJson = components['responses']['ValidationFailedOrInvalidJson'];
export type ResponseUnauthenticated = components['responses']['Unauthenticated'];
export type ResponseForbiddenOrHostNotAllowed = components['responses']['ForbiddenOrHostNotAllowed'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseSecretAlreadyShown = components['responses']['SecretAlreadyShown'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseIdempotencyMismatch = components['responses']['IdempotencyMismatch'];
export type ResponseInternal = components['responses']['Internal'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseInsufficientStorage = components['responses']['InsufficientStorage'];
export type ResponseValidationFailedOrInvalidCursor = components['responses']['ValidationFailedOrInvalidCursor'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type ResponseHeld = components['responses']['Held'];
export type ResponseHeldOrOrganizationMoving = components['responses']['HeldOrOrganizationMoving'];
export type ResponseHostNotAllowed = components['responses']['HostNotAllowed'];
export type ResponseEmailConflict = components['responses']['EmailConflict'];
export type ResponseForgotten = components['responses']['Forgotten'];
export type ResponseHeldOrUserConflict = components['responses']['HeldOrUserConflict'];
export type ResponsePreconditionFailed = components['responses']['PreconditionFailed'];
export type ResponseExternalIdConflictOrForgottenOrSequenceConflictOrTooManyMessages = components['responses']['ExternalIdConflictOrForgottenOrSequenceConflictOrTooManyMessages'];
export type ResponseExternalIdConflictOrForgottenOrConversationFull = components['responses']['ExternalIdConflictOrForgottenOrConversationFull'];
export type ResponseHeldOrSequenceConflictOrTooManyMessagesOrExternalIdConflictOrForgottenOrConversationFull = components['responses']['HeldOrSequenceConflictOrTooManyMessagesOrExternalIdConflictOrForgottenOrConversationFull'];
export type ResponseHeldOrContentConflictOrExternalIdConflictOrForgotten = components['responses']['HeldOrContentConflictOrExternalIdConflictOrForgotten'];
export type ResponseHeldOrForgotten = components['responses']['HeldOrForgotten'];
export type ResponseHeldOrContentConflictOrExternalIdConflict = components['responses']['HeldOrContentConflictOrExternalIdConflict'];
export type ResponseHeldOrContentConflictOrExternalIdConflictOrForgottenOrUserConflict = components['responses']['HeldOrContentConflictOrExternalIdConflictOrForgottenOrUserConflict'];
export type ResponseForgottenOrTooManyEvaluations = components['responses']['ForgottenOrTooManyEvaluations'];
export type ResponseOperationEndedOrLinesMissing = components['responses']['OperationEndedOrLinesMissing'];
export type ResponseTooManyArchives = components['responses']['TooManyArchives'];
export type ResponseNotConfigured = components['responses']['NotConfigured'];
export type ResponseNotCancelable = components['responses']['NotCancelable'];
export type ResponseTooManyHolds = components['responses']['TooManyHolds'];
export type ResponseTooManyRetentionRules = components['responses']['TooManyRetentionRules'];
export type ResponseCursorExpired = components['responses']['CursorExpired'];
export type ResponseTooManyWebhooksOrSecretAlreadyShown = components['responses']['TooManyWebhooksOrSecretAlreadyShown'];
export type $defs = Record<string, never>;
export interface operations {
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
                /** @description Field to sort by. Organizations with equal values are ordered by `created_at`, and null is less than any other value. */
                sort?: "created_at" | "place" | "size_bytes" | "message_count" | "last_active_on";
                /** @description Sort order. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of organizations. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganizationBody"];
            };
        };
        responses: {
            /** @description The organization and its first key. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOrganization"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["SecretAlreadyShown"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an organization, or `current` for the one that the key belongs to. */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteOrganization: {
        parameters: {
            query?: {
                /** @description Whether to delete the organization although it has active legal holds, which are then lifted. Only with the admin token; a key gets 403. It is recorded as an audit event, and the operation names the holds. Default `false`. */
                force?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of an organization, the tenant that owns keys, conversations and memories. */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation that tracks the deletion. Get it again with `getOperation` to see when rows and vectors are removed. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteOrganizationOperation"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Held"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an organization, or `current` for the one that the key belongs to. */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateOrganizationBody"];
            };
        };
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getOrganizationHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an organization, the tenant that owns keys, conversations and memories. */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health of the organization. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationHealth"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    moveOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an organization, the tenant that owns keys, conversations and memories. */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveOrganizationBody"];
            };
        };
        responses: {
            /** @description The operation that tracks the move. Get it again with `getOperation`, with the admin token. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoveOrganizationOperation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["HeldOrOrganizationMoving"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyBody"];
            };
        };
        responses: {
            /** @description The key with its secret. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            409: components["responses"]["SecretAlreadyShown"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an API key. It is not the key's secret, and cannot authenticate a request. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an API key. It is not the key's secret, and cannot authenticate a request. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of an API key. It is not the key's secret, and cannot authenticate a request. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateKeyBody"];
            };
        };
        responses: {
            /** @description The new key with its secret. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["SecretAlreadyShown"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    createSignInCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInCode"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    redeemSignInCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key with its secret. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HostNotAllowed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMemberBody"];
            };
        };
        responses: {
            /** @description The member. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            409: components["responses"]["EmailConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a member. */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a member. */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The removed member. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a member. */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberBody"];
            };
        };
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["EmailConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    createMemberSignInCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a member. */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInCode"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listGrants: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of grants. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a grant. */
                grant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted grant. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grant"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
                /** @description Whether to return `total`, the number of matching items on all pages. Default `false`. `total` is null if counting would read too many items: more than 4,000 with a filter by tags or metadata, or more than 50,000 with another filter. */
                include_total?: boolean;
                /** @description Whether to return `last_message`, with the start of its content. Default `false`. */
                include_last_message?: boolean;
                /** @description Only conversations of this agent. */
                agent_id?: string;
                /** @description Only conversations with this user. Shared ones do not match. */
                user_id?: string;
                /** @description Only conversations that are not shared (`own`), or only shared ones (`shared`). Default: all that the key can read. */
                visibility?: ("own" | "shared")[];
                /** @description Only conversations with this external id. */
                external_id?: string;
                /** @description Only the conversation that contains this message. */
                message_id?: string;
                /** @description Whether an `agent_id` or `user_id` that you leave out means none, or that of the key, instead of any. Default `false`. With `external_id`, the list then has the one item that creating it would find, or none. */
                exact_owner?: boolean;
                /** @description Only conversations with at least one of these tags. */
                tags_any?: string[];
                /** @description Only conversations with all of these tags. */
                tags_all?: string[];
                /** @description Only conversations created at or after this time. */
                created_after?: string;
                /** @description Only conversations created before this time. */
                created_before?: string;
                /** @description A JSON object such as `{"ticket":"T-1029"}`: only conversations whose `metadata` has all of its keys with the same values at the top level. At most 16 keys. */
                metadata?: string;
                /** @description Field to sort by. By `last_message_at`, a conversation without messages has the place of its `created_at`. Default `updated_at`. With `as_of`: `created_at`, and no other. */
                sort?: "created_at" | "updated_at" | "last_message_at";
                /** @description Sort order. */
                order?: "asc" | "desc";
                /** @description Answer as of a moment of the past, with what was stored by then: a time, or a message as the id of its conversation, `:` and its sequence number, for the moment at which this message was stored. What was deleted since stays deleted. What was changed since is returned as it is today, and has `edited_since`. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of conversations. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConversationBody"];
            };
        };
        responses: {
            /** @description The existing conversation with this `external_id`. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description The new conversation. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Forgotten"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getConversation: {
        parameters: {
            query?: {
                /** @description Maximum number of messages to return; 0 for none. Default 100. Fewer are returned if their JSON would exceed 2 MB. */
                message_limit?: number;
                /** @description Sequence number of the first message to return. */
                from_sequence?: number;
                /** @description Answer as of a moment of the past, with what was stored by then: a time, or a message as the id of its conversation, `:` and its sequence number, for the moment at which this message was stored. What was deleted since stays deleted. What was changed since is returned as it is today, and has `edited_since`. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation and a page of its messages. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationWithMessages"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteConversation: {
        parameters: {
            query?: {
                /** @description `true`: what is deleted is not stored again, by whatever way it comes: captures, appends, forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default `false`. */
                forget?: boolean;
            };
            header?: {
                /** @description The `ETag` that you received with the item. If the item has changed since, the request fails with 412 and changes nothing. With several, separated by commas, the item must have one of them; `*` matches any version. A proxy may have made the `ETag` weak (`W/"7"`). Default: no check. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation that tracks the deletion. Get it again with `getOperation` to see when rows and vectors are removed. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteConversationOperation"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Held"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    updateConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you received with the item. If the item has changed since, the request fails with 412 and changes nothing. With several, separated by commas, the item must have one of them; `*` matches any version. A proxy may have made the `ETag` weak (`W/"7"`). Default: no check. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateConversationBody"];
            };
        };
        responses: {
            /** @description The updated conversation. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["HeldOrUserConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteConversations: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteConversationsBody"];
            };
        };
        responses: {
            /** @description Counts of a dry run. Nothing was deleted. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationsCounted"];
                };
            };
            /** @description The operation that tracks the deletion. Get it again with `getOperation` to see its progress, and when rows and vectors are removed. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteConversationsOperation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    forkConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForkConversationBody"];
            };
        };
        responses: {
            /** @description The new conversation. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ExternalIdConflictOrForgottenOrSequenceConflictOrTooManyMessages"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Maximum number of messages per page; a page may hold fewer. Default 100. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
                /** @description Return only messages with this sequence number or a higher one. */
                from_sequence?: number;
                /** @description Return only messages with this sequence number or a lower one. */
                to_sequence?: number;
                /** @description Return only this number of the newest messages, still oldest first. If they do not fit on one page, `next_cursor` leads to the earlier ones. */
                newest?: number;
                /** @description Seconds to wait for a message if there is none yet, at most 20. A new message is returned at once, usually within milliseconds. Default 0. */
                wait_seconds?: number;
                /** @description Answer as of a moment of the past, with what was stored by then: a time, or a message as the id of its conversation, `:` and its sequence number, for the moment at which this message was stored. What was deleted since stays deleted. What was changed since is returned as it is today, and has `edited_since`. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    appendMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppendMessagesBody"];
            };
        };
        responses: {
            /** @description Ids and sequence numbers of the messages. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppendedMessages"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ExternalIdConflictOrForgottenOrConversationFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMessage: {
        parameters: {
            query?: {
                /** @description Answer as of a moment of the past, with what was stored by then: a time, or a message as the id of its conversation, `:` and its sequence number, for the moment at which this message was stored. What was deleted since stays deleted. What was changed since is returned as it is today, and has `edited_since`. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
                /** @description Id of a message. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMessage: {
        parameters: {
            query?: {
                /** @description `true`: what is deleted is not stored again, by whatever way it comes: captures, appends, forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default `false`. */
                forget?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
                /** @description Id of a message. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation that tracks the deletion. Get it again with `getOperation` to see when the vectors are deleted. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteMessageOperation"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Held"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    updateMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
                /** @description Id of a message. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMessageBody"];
            };
        };
        responses: {
            /** @description The updated message. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Held"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    replaceMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceMessagesBody"];
            };
        };
        responses: {
            /** @description Ids of the deleted and the stored messages. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplacedMessages"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["HeldOrSequenceConflictOrTooManyMessagesOrExternalIdConflictOrForgottenOrConversationFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listSummaries: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
                /** @description Only summaries of this level. */
                level?: number;
                /** @description Only summaries that cover a message with this sequence number or a higher one. */
                from_sequence?: number;
                /** @description Only summaries that cover a message with this sequence number or a lower one. */
                to_sequence?: number;
            };
            header?: never;
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of summaries. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummaryPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSummaries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summaries are queued. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedSummaries"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listMemories: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
                /** @description Whether to return `total`, the number of matching items on all pages. Default `false`. `total` is null if counting would read too many items: more than 4,000 with a filter by tags or metadata, or more than 50,000 with another filter. */
                include_total?: boolean;
                /** @description Only memories of this agent. */
                agent_id?: string;
                /** @description Only memories of this user. Memories without a user do not match. */
                user_id?: string;
                /** @description Only memories of this kind. */
                kind?: "note" | "summary";
                /** @description Only memories from this source. */
                source?: string;
                /** @description Only memories that are not shared (`own`), or only shared ones (`shared`). Default: all that the key can read. */
                visibility?: ("own" | "shared")[];
                /** @description Only memories with this `external_id`. */
                external_id?: string;
                /** @description Whether an `agent_id` or `user_id` that you leave out means none, or that of the key, instead of any. Default `false`. With `external_id`, the list then has the one item that creating it would find, or none. */
                exact_owner?: boolean;
                /** @description Only memories that cite a message of this conversation, also one that is deleted. */
                source_conversation_id?: string;
                /** @description Only memories that cite this message, also if it is deleted. */
                source_message_id?: string;
                /** @description Only memories with at least one of these tags. */
                tags_any?: string[];
                /** @description Only memories with all of these tags. */
                tags_all?: string[];
                /** @description Only memories captured at or after this time. */
                created_after?: string;
                /** @description Only memories captured before this time. */
                created_before?: string;
                /** @description Only memories that hold at this time: from `valid_from` until before `valid_until`, where a missing one sets no bound. */
                valid_at?: string;
                /** @description Only memories with an `occurred_at` at or after this time. */
                occurred_after?: string;
                /** @description Only memories with an `occurred_at` before this time. */
                occurred_before?: string;
                /** @description A JSON object such as `{"topic":"refunds"}`: only memories whose `metadata` has all of its keys with the same values at the top level. At most 16 keys. */
                metadata?: string;
                /** @description Field to sort by. */
                sort?: "created_at" | "updated_at";
                /** @description Sort order. */
                order?: "asc" | "desc";
                /** @description Answer as of a moment of the past: the memories that were stored by then, each in the version of then, and filtered by it. A time, or a message as the id of its conversation, `:` and its sequence number. What was deleted since stays deleted, and the sources are those of today. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of memories. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you received with the item. If the item has changed since, the request fails with 412 and changes nothing. With several, separated by commas, the item must have one of them; `*` matches any version. A proxy may have made the `ETag` weak (`W/"7"`). Default: no check. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutMemoryBody"];
            };
        };
        responses: {
            /** @description The replaced memory. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            /** @description The new memory. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["HeldOrForgotten"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    createMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMemoryBody"];
            };
        };
        responses: {
            /** @description The existing memory with this content. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapturedMemory"];
                };
            };
            /** @description The new memory. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapturedMemory"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["HeldOrContentConflictOrExternalIdConflictOrForgotten"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    createMemories: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMemoriesBody"];
            };
        };
        responses: {
            /** @description Ids of the memories. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapturedMemories"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["HeldOrContentConflictOrExternalIdConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMemory: {
        parameters: {
            query?: {
                /** @description Answer as of a moment of the past, with what was stored by then: a time, or a message as the id of its conversation, `:` and its sequence number, for the moment at which this message was stored. What was deleted since stays deleted. What was changed since is returned as it is today, and has `edited_since`. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @description Id of a memory. */
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The memory and its chunks. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryWithChunks"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMemory: {
        parameters: {
            query?: {
                /** @description `true`: what is deleted is not stored again, by whatever way it comes: captures, appends, forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default `false`. */
                forget?: boolean;
            };
            header?: {
                /** @description The `ETag` that you received with the item. If the item has changed since, the request fails with 412 and changes nothing. With several, separated by commas, the item must have one of them; `*` matches any version. A proxy may have made the `ETag` weak (`W/"7"`). Default: no check. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of a memory. */
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation that tracks the deletion. Get it again with `getOperation` to see when rows and vectors are removed. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteMemoryOperation"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Held"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    updateMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you received with the item. If the item has changed since, the request fails with 412 and changes nothing. With several, separated by commas, the item must have one of them; `*` matches any version. A proxy may have made the `ETag` weak (`W/"7"`). Default: no check. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of a memory. */
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemoryBody"];
            };
        };
        responses: {
            /** @description The updated memory. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["HeldOrContentConflictOrExternalIdConflictOrForgottenOrUserConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listMemoryVersions: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of a memory. */
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryVersionPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMemories: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteMemoriesBody"];
            };
        };
        responses: {
            /** @description Counts of a dry run. Nothing was deleted. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoriesCounted"];
                };
            };
            /** @description The operation that tracks the deletion. Get it again with `getOperation` to see its progress, and when rows and vectors are removed. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteMemoriesOperation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    enrichMemories: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrichMemoriesBody"];
            };
        };
        responses: {
            /** @description The operation that tracks the enrichment. Get it again with `getOperation` to see its progress. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrichMemoriesOperation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listEntities: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
                /** @description `value`: by kind and folded value. `mentions`: by number of mentions, most first. This order counts at most 10,000 mentions, in the 1,000 conversations that changed last, and leaves out entities without one of these. An entity that is mentioned between two of your requests for pages may then be skipped or repeated. */
                sort?: "value" | "mentions";
                /** @description Only entities of this kind. */
                kind?: "file" | "symbol" | "error_code" | "command" | "url" | "ticket" | "version" | "date" | "amount" | "email" | "quoted_name";
                /** @description Only entities whose value starts with this text, without regard to case and accents. */
                prefix?: string;
                /** @description Only entities that this conversation mentions. Only its mentions are counted. */
                conversation_id?: string;
                /** @description Only entities that conversations of this agent mention. Only their mentions are counted. */
                agent_id?: string;
                /** @description Only entities that conversations with this user mention. Only their mentions are counted. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entities. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntityPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMentions: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
                /** @description Only mentions in this conversation. */
                conversation_id?: string;
                /** @description Only mentions in conversations of this agent. */
                agent_id?: string;
                /** @description Only mentions in conversations with this user. */
                user_id?: string;
            };
            header?: never;
            path: {
                /** @description Id of an entity. It is computed from its kind and value: the same entity always has the same id in an organization. */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of mentions. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MentionPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own id for the user that the conversation or memory belongs to. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own id for the user that the conversation or memory belongs to. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation that tracks the deletion. Get it again with `getOperation` to see its progress, and when rows and vectors are removed. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteUserOperation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    searchMemories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchMemoriesBody"];
            };
        };
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemorySearchAnswer"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchBody"];
            };
        };
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchAnswer"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getContext: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContextBody"];
            };
        };
        responses: {
            /** @description The context. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextAnswer"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listRecalls: {
        parameters: {
            query?: {
                /** @description Only receipts of this user. */
                user_id?: string;
                /** @description Only receipts of this run. */
                run_id?: string;
                /** @description Only receipts of answers that had this message or memory, also one that is deleted. */
                item_id?: string;
                /** @description Only receipts of answers that had a message of this conversation, also one that is deleted. */
                conversation_id?: string;
                /** @description Only receipts recorded at or after this time. */
                created_after?: string;
                /** @description Only receipts recorded before this time. */
                created_before?: string;
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of receipts. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecallPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a receipt of recall: what a search or a context answered. */
                recall_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recall"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRecall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a receipt of recall: what a search or a context answered. */
                recall_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRecallBody"];
            };
        };
        responses: {
            /** @description The receipt. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recall"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    replayRecall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a receipt of recall: what a search or a context answered. */
                recall_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comparison. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvaluations: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of evaluations. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createEvaluation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEvaluationBody"];
            };
        };
        responses: {
            /** @description The evaluation. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Evaluation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ForgottenOrTooManyEvaluations"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    runEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an evaluation. */
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationResult"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an evaluation. */
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted evaluation. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Evaluation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getIndexStatus: {
        parameters: {
            query?: {
                /** @description Count only messages of this conversation. Default: all messages and memories. */
                conversation_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status of the index. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexStatus"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    repairIndex: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepairIndexBody"];
            };
        };
        responses: {
            /** @description The operation that tracks the repair. Get it again with `getOperation` to see its progress. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepairIndexOperation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listOperations: {
        parameters: {
            query?: {
                /** @description Only operations of this type. */
                type?: "delete_organization" | "move_organization" | "delete_conversation" | "delete_conversations" | "delete_message" | "delete_memory" | "delete_memories" | "delete_user" | "enrich_memories" | "repair_index" | "create_archive" | "import";
                /** @description Only operations of this status. */
                status?: "running" | "succeeded" | "canceled" | "failed";
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of operations. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportData: {
        parameters: {
            query?: {
                /** @description Answer as of a moment of the past, with what was stored by then: a time, or a message as the id of its conversation, `:` and its sequence number, for the moment at which this message was stored. What was deleted since stays deleted. What was changed since is returned as it is today, and has `edited_since`. */
                as_of?: string;
                /** @description Only the conversations with this user, the memories of the user with their earlier versions, and the receipts of recall of the user. Send it with every request of an export. Default: all. */
                user_id?: string;
                /** @description Continue the export after the last line that you received: the `id` of that conversation, memory or receipt. If the line was a message, send its `conversation_id`, and its `sequence` in `after_sequence`; if it was an earlier version, its `memory_id`, and its `version` in `after_version`. */
                after?: string;
                /** @description With the id of a conversation as `after`: `sequence` of the last message line that you received. Default 0: the last line was the conversation itself. */
                after_sequence?: number;
                /** @description With the id of a memory as `after`: `version` of the last `memory_version` line that you received. Default: the last line was the memory itself. */
                after_version?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines of JSON, each of which has this schema. */
            200: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ExportLine"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    createImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateImportBody"];
            };
        };
        responses: {
            /** @description The operation. It counts the lines of each part that you send with `importLines`. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportOperation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    importLines: {
        parameters: {
            query?: {
                /** @description The import that these lines are part of, from `createImport`. */
                operation_id?: string;
                /** @description With `operation_id`: number of lines of the import before these, including blank ones. Default 0. You may send lines again that the operation has counted, but may not leave any out. */
                after_line?: number;
                /** @description With `operation_id`: `true` if these are the last lines. The operation then succeeds as soon as they are processed. Default `false`. */
                last?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {"type":"conversation","id":"conv_06e3tqz8m1k4v9x2c7d0","external_id":"ticket-1029","title":"Refund for order 1029","agent_id":"support-bot","user_id":"user_4711","shared":false,"tags":["billing"],"metadata":{"ticket":"T-1029"},"message_count":1,"last_sequence":1,"last_message_at":"2026-11-02T09:30:00.000Z","created_at":"2026-11-02T09:30:00.000Z","updated_at":"2026-11-02T09:30:00.000Z","expires_at":null}
                 *     {"type":"message","id":"msg_06e3tqz8m1k4v9x2c7d1","conversation_id":"conv_06e3tqz8m1k4v9x2c7d0","sequence":1,"role":"user","content":"Where is my refund for order 1029?","name":"Maria","tool_call_id":null,"tool_name":null,"metadata":{},"parts":null,"external_id":null,"external_digest":null,"created_at":"2026-11-02T09:30:00.000Z","stored_at":"2026-11-02T09:30:00.000Z","updated_at":null}
                 *     {"type":"end","complete":true,"conversations":1,"messages":1,"memories":0,"memory_versions":0,"recalls":0}
                 */
                "application/x-ndjson": components["schemas"]["ExportLine"];
            };
        };
        responses: {
            /** @description Counts of the items, and the lines that were not imported. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedLines"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["OperationEndedOrLinesMissing"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listArchives: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of archives. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchivePage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createArchive: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateArchiveBody"];
            };
        };
        responses: {
            /** @description The operation that writes the archive. */
            202: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateArchiveOperation"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            409: components["responses"]["TooManyArchives"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NotConfigured"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getArchiveSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule. Without one, `every_days` is null. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveSchedule"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setArchiveSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetArchiveScheduleBody"];
            };
        };
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveSchedule"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NotConfigured"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an archive. */
                archive_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveManifest"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an archive. */
                archive_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive as it was. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Archive"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getArchiveLines: {
        parameters: {
            query?: {
                /** @description Number of the part, from 1. Default 1. */
                part?: number;
            };
            header?: never;
            path: {
                /** @description Id of an archive. */
                archive_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines of JSON, each of which has this schema. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {"type":"conversation","id":"conv_06e3tqz8m1k4v9x2c7d0","external_id":"ticket-1029","title":"Refund for order 1029","agent_id":"support-bot","user_id":"user_4711","shared":false,"tags":["billing"],"metadata":{"ticket":"T-1029"},"message_count":1,"last_sequence":1,"last_message_at":"2026-11-02T09:30:00.000Z","created_at":"2026-11-02T09:30:00.000Z","updated_at":"2026-11-02T09:30:00.000Z","expires_at":null}
                     *     {"type":"message","id":"msg_06e3tqz8m1k4v9x2c7d1","conversation_id":"conv_06e3tqz8m1k4v9x2c7d0","sequence":1,"role":"user","content":"Where is my refund for order 1029?","name":"Maria","tool_call_id":null,"tool_name":null,"metadata":{},"parts":null,"external_id":null,"external_digest":null,"created_at":"2026-11-02T09:30:00.000Z","stored_at":"2026-11-02T09:30:00.000Z","updated_at":null}
                     *     {"type":"end","complete":true,"conversations":1,"messages":1,"memories":0,"memory_versions":0,"recalls":0}
                     */
                    "application/x-ndjson": components["schemas"]["ExportLine"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an operation: work that continues after the response, such as a deletion or an import. */
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an operation: work that continues after the response, such as a deletion or an import. */
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The canceled operation. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["NotCancelable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listTombstones: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tombstones. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TombstonePage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTombstone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a tombstone. */
                tombstone_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted tombstone. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tombstone"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listHolds: {
        parameters: {
            query?: {
                /** @description Only active holds, or only lifted ones. Default: both. */
                status?: "active" | "lifted";
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of holds. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHoldBody"];
            };
        };
        responses: {
            /** @description The hold. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hold"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TooManyHolds"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a legal hold. */
                hold_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hold. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldDetails"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    liftHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a legal hold. */
                hold_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lifted hold. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hold"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listRetentionRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRuleList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRetentionRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRetentionRuleBody"];
            };
        };
        responses: {
            /** @description The new rule. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    /** @description Present if an earlier request with the same idempotency key had this result, and this request had no effect. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRule"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TooManyRetentionRules"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    previewRetentionRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRetentionRuleBody"];
            };
        };
        responses: {
            /** @description What the rule would delete. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionPreview"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRetentionRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a rule of retention. */
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRule"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRetentionRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a rule of retention. */
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted rule. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRule"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    updateRetentionRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a rule of retention. */
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRetentionRuleBody"];
            };
        };
        responses: {
            /** @description The updated rule. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRule"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Position after which events are returned: `after` of the previous response, or the `sequence` of an event. `now`: the end of the log, for events from now on. Default: the oldest event in the log. */
                after?: string;
                /** @description Maximum number of events; a response may have fewer. Default 100. */
                limit?: number;
                /** @description Seconds to wait for an event if there is none yet, at most 25. A new event is returned at once, usually within milliseconds of its change. Default 0. */
                wait_seconds?: number;
                /** @description Only events of this type. Repeat the parameter for several types. */
                type?: ("conversation.created" | "conversation.updated" | "conversation.deleted" | "messages.appended" | "messages.updated" | "messages.deleted" | "messages.indexed" | "summary.created" | "memory.created" | "memory.updated" | "memory.deleted" | "operation.updated" | "key.created" | "key.revoked" | "key.rotated")[];
                /** @description Only events of this conversation and its messages. */
                conversation_id?: string;
                /** @description Only events of conversations and memories of this agent. */
                agent_id?: string;
                /** @description Only events of conversations and memories of this user, without shared ones. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events after the position. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            410: components["responses"]["CursorExpired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Position after which events are returned: `after` of the previous response, or the `sequence` of an event. `now`: the end of the log, for events from now on. Default: the oldest event in the log. */
                after?: string;
                /** @description Only events of this type. Repeat the parameter for several types. */
                type?: ("conversation.created" | "conversation.updated" | "conversation.deleted" | "messages.appended" | "messages.updated" | "messages.deleted" | "messages.indexed" | "summary.created" | "memory.created" | "memory.updated" | "memory.deleted" | "operation.updated" | "key.created" | "key.revoked" | "key.rotated")[];
                /** @description Only events of this conversation and its messages. */
                conversation_id?: string;
                /** @description Only events of conversations and memories of this agent. */
                agent_id?: string;
                /** @description Only events of conversations and memories of this user, without shared ones. */
                user_id?: string;
            };
            header?: {
                /** @description Position after which events are sent, instead of `after`: the last `id` of the stream. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. The data of each has this schema. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            410: components["responses"]["CursorExpired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTicketBody"];
            };
        };
        responses: {
            /** @description The ticket. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    broadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastBody"];
            };
        };
        responses: {
            /** @description It was sent. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BroadcastResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPresences: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The presences. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresenceList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setPresence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a conversation. */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPresenceBody"];
            };
        };
        responses: {
            /** @description The presence. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Presence"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description The webhook with its secret. */
            201: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            409: components["responses"]["TooManyWebhooksOrSecretAlreadyShown"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted webhook. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookBody"];
            };
        };
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook with its new secret. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event, and how the request ended. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, which is not paused. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries with this status. */
                status?: "pending" | "delivered" | "skipped";
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of a webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook. */
                webhook_id: string;
                /** @description Id of a delivery: the id of its event. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is not pending. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Only events of this action. */
                action?: "key.created" | "key.revoked" | "key.rotated" | "grant.created" | "grant.deleted" | "member.created" | "member.updated" | "member.deleted" | "member.sign_in_code.created" | "message.deleted" | "messages.replaced" | "conversation.deleted" | "conversations.deleted" | "memory.deleted" | "memories.deleted" | "user.deleted" | "tombstone.deleted" | "hold.created" | "hold.lifted" | "items.expired" | "retention.created" | "retention.updated" | "retention.deleted" | "retention.applied" | "data.exported" | "archive.created" | "archive.deleted" | "archive_schedule.updated" | "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.paused" | "webhook.resumed" | "webhook.deleted" | "delivery.skipped" | "organization.updated" | "organization.deleted" | "organization.restored" | "organization.move.started";
                /** @description Only events of this request. */
                request_id?: string;
                /** @description Sort order, by time. */
                order?: "asc" | "desc";
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of audit events. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsage: {
        parameters: {
            query?: {
                /** @description First day to return, in UTC. */
                from?: string;
                /** @description Last day to return, in UTC. */
                to?: string;
                /** @description Only usage of this key or member. */
                key_id?: string;
                /** @description Dimensions of the sums to return. Repeat the parameter for several. Default: the usage of each key on each day. */
                group_by?: ("day" | "key" | "operation" | "tool" | "user")[];
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of usage. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsagePage"];
                };
            };
            400: components["responses"]["ValidationFailedOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHostNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is running. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            500: components["responses"]["Internal"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The database responds and has every migration that this version requires. */
            200: {
                headers: {
                    /** @description Id of the request, which is also in the log of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
