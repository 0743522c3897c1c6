// Generated from spec/openapi.json by `pnpm generate`. Do not edit.

export interface paths {
    "/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an organization
         * @description Creates an organization and its first key, which holds every scope. For the operator: it takes the admin token, and where none is configured it answers 404. The key's secret is shown in this answer only, so a repeat under the same idempotency key answers 409 with the ids.
         */
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
        /**
         * Get an organization
         * @description Answers the key's own organization, or any for the admin token. A deleted one answers to the admin token until its last row is purged.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        /**
         * Delete an organization
         * @description Takes away every key at once and hides all data; rows, keyword index and vectors are then purged in steps. For the admin token, or a key of the organization with the scope `admin`. The purge begins within a minute, behind others' later, and takes 1,000 conversations or memories at a step; what it has not come to, the operator can bring back with `cancelOperation`. The rest cannot be undone.
         */
        delete: operations["deleteOrganization"];
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
        /**
         * List keys
         * @description Lists the organization's keys, newest first, revoked and expired ones too. Never their secrets.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Creates a key of the caller's organization. It can hold only scopes that the calling key holds. The secret is shown in this answer only, so a repeat under the same idempotency key answers 409 with the key's id.
         */
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
        /**
         * Get a key
         * @description Answers what is known of a key, without its secret.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description The key reads and writes nothing from this answer on, wherever it is used. Revoking it again changes nothing. A key may revoke itself.
         */
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
        /**
         * Rotate a key
         * @description Creates a key with the same name, scopes and agent, and lets the old one expire after the overlap. A revoked, expired or already rotated key cannot be rotated and answers 404.
         */
        post: operations["rotateKey"];
        delete?: never;
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
        /**
         * List conversations
         * @description Lists conversations page by page. All filters must hold. A page may hold fewer items than `limit`: its JSON stays under 2 MB, and its metadata and parts under 50,000 fields and items, unless a single item is larger. It may hold none and not be the last: one request reads at most 4,000 items with a filter by tags or metadata, 50,000 otherwise. Go on until `next_cursor` is null. One that is created or changed meanwhile may be missed or met; no other is skipped or repeated.
         */
        get: operations["listConversations"];
        put?: never;
        /**
         * Create a conversation
         * @description Creates an empty conversation, or answers the one that has this `external_id` already.
         */
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
        /**
         * Get a conversation with its messages
         * @description Answers a conversation and a page of its messages, oldest first.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation
         * @description Hides the conversation with all its messages at once, from every answer; rows, keyword index and vectors are then purged in steps. Cannot be undone.
         */
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        /**
         * Update a conversation
         * @description Changes title, tags or metadata; what is not named stays. With `If-Match`, only if nothing changed since.
         */
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
        /**
         * Delete conversations by a filter
         * @description Hides every conversation that the filter finds, with all its messages: up to 1,000 with the answer, further ones up to 1,000 at a step soon after, oldest first. A step reads at most 4,000 conversations with a filter by tags or metadata, 50,000 otherwise. Those created later are spared. Rows, keyword index and vectors are then purged in steps. `cancelOperation` calls off what is not hidden yet; what is hidden cannot be brought back.
         */
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
        /**
         * Fork a conversation
         * @description Creates a conversation that begins as another did: with its agent, person, tags and metadata, and copies of its messages up to a sequence number, under the same numbers and with new ids. From then on each goes its own way. At most 10,000 messages, with together 2,097,152 bytes of content, parts, metadata, names and ids, all or none; beyond the bytes, 413.
         */
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
        /**
         * List messages of a conversation
         * @description Lists messages, oldest first: a range of sequence numbers, the newest ones (`newest`), or those around one (`around`). A page may hold fewer items than `limit`: its JSON stays under 2 MB, and its metadata and parts under 50,000 fields and items, unless a single item is larger.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Append messages to a conversation
         * @description Adds messages after the last one, all or none, with sequence numbers that follow on without a gap. They are stored durably when this answers and can be found by their words at once; by meaning within seconds. One append carries at most 2,097,152 bytes (content as UTF-8, all else as JSON); beyond it, 413 and nothing is stored.
         */
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
        /**
         * Get a message
         * @description Answers one message, byte for byte as it was stored.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        /**
         * Delete a message
         * @description Deletes one message and its words from the keyword index at once; vectors of the windows that held it follow. Its sequence number stays empty. Cannot be undone.
         */
        delete: operations["deleteMessage"];
        options?: never;
        head?: never;
        /**
         * Update a message
         * @description Changes content or metadata; what is not named stays. The new words can be found at once and the old ones no longer; the vector follows within seconds.
         */
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
        /**
         * Replace the last messages of a conversation
         * @description Deletes the messages from a sequence number on and adds others in their place, all or none, and only if the conversation still ends where you expect. With no messages it removes the end: an atomic pop.
         */
        post: operations["replaceMessages"];
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
        /**
         * List memories
         * @description Lists memories page by page, each whole. All filters must hold. A page may hold fewer items than `limit`: its JSON stays under 2 MB, and its metadata and parts under 50,000 fields and items, unless a single item is larger. It may hold none and not be the last: one request reads at most 4,000 items with a filter by tags or metadata, 50,000 otherwise. Go on until `next_cursor` is null. One that is captured or changed meanwhile may be missed or met; no other is skipped or repeated.
         */
        get: operations["listMemories"];
        put?: never;
        /**
         * Capture a memory
         * @description Stores a note verbatim. When the agent has a memory of exactly this content already, that one is answered with 200: its `updated_at` is now, all else of it stays, and nothing is embedded again. Tags and summary that you do not give are written by a text model soon after, if one is configured, and never over yours. Found by its words at once, by its meaning within seconds.
         */
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
        /**
         * Capture many memories
         * @description Stores up to 1,000 memories, all or none, each as a single capture would. Content that the request repeats is stored once. Together they hold at most 2,097,152 bytes (content as UTF-8, all else as JSON); beyond it, 413 and nothing is stored.
         */
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
        /**
         * Get a memory with its chunks
         * @description Answers a memory whole, and the chunks that its meaning is found by.
         */
        get: operations["getMemory"];
        put?: never;
        post?: never;
        /**
         * Delete a memory
         * @description Hides the memory at once, from every answer; row, keyword index and vectors are then purged. Cannot be undone. The same content can be captured again, as a new memory.
         */
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        /**
         * Update a memory
         * @description Changes what is named; all else stays. With the content goes what a text model wrote of it: its tags and summary, and `enriched_by`. With `If-Match`, only if nothing changed since. Content that another memory of the agent has is refused with 409.
         */
        patch: operations["updateMemory"];
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
        /**
         * Delete memories by a filter, or all
         * @description Hides every memory that the filter finds, such as all of an agent, or all that the key may see: up to 1,000 with the answer, further ones up to 1,000 at a step soon after, oldest first. A step reads at most 4,000 memories with a filter by tags or metadata, 50,000 otherwise. Those captured later are spared. Rows, keyword index and vectors are then purged in steps. `cancelOperation` calls off what is not hidden yet; what is hidden cannot be brought back.
         */
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
        /**
         * Have memories described
         * @description Has the text model write tags and summaries that nobody gave and that it has not written, in two passes: the first finds which tags fit the most of them, the second chooses from these where they fit and writes. Memories are described 5,000 at a time, or 4,000 with a filter by tags or metadata, oldest first, each time with both passes. Tags and summaries that people gave stay. A memory that waits for its description since it was captured or changed gets it now, and is not counted; nor is one that another enrichment is at.
         */
        post: operations["enrichMemories"];
        delete?: never;
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
        /**
         * Search memories
         * @description Finds memories by meaning and by words, best first, each whole, with the part that matched. Filters apply before ranking. What was captured a moment ago is found by its words; by meaning once its vectors are in, which takes seconds.
         */
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
        /**
         * Search conversations and memories
         * @description Finds messages by meaning and by words, best first, each with its neighbours; memories too where `in` names them. Filters apply before ranking. What was stored a moment ago is found by its words; by meaning once its vector is in, which takes seconds.
         */
        post: operations["search"];
        delete?: never;
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
        /**
         * Get the state of the search index
         * @description Tells how much of the organization, memories too, or of one conversation can be found by meaning now. A memory tells of itself with its chunks.
         */
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
        /**
         * Repair the search index
         * @description Queues every conversation and memory to be indexed anew from what is stored: keyword rows, chunks and vectors. What was given up is tried again. While a repair of the same is queued or running, the answer is that repair, unless all that is left of it has failed before. Searching goes on meanwhile; nothing stored is touched. The service queues conversations and memories in steps of 1,000, the first step with the answer. `cancelOperation` calls off what no run has taken up yet.
         */
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
        /**
         * List operations
         * @description Lists operations, newest first. A key that is bound to an agent sees those of its agent.
         */
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
        /**
         * Export all conversations and memories
         * @description Streams every conversation, each followed by its messages in order, and then every memory, one JSON object a line; both in order of their ids, which is the order of creation. Import takes the lines back as they are. The last line is `end`: an answer without it was cut off, and one with `complete: false` has told as much as one request may. In both cases go on with the position of the last line before: nothing is skipped or repeated. This is no snapshot: what is written or deleted meanwhile is told as it stands when the export passes it. Keys, operations, audit events and vectors are not part of it.
         */
        get: operations["exportConversations"];
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
        /**
         * Begin an import of many requests
         * @description Opens an operation for an import that is longer than one request may be. Send its lines to `importConversations` in order, each request with `operation_id` and how many lines came before it, and the last with `last=true`. The operation counts the lines, so that whoever has to begin again knows where; what came of a part whose answer was lost, the same part tells when it is sent again. `cancelOperation` calls it off: what was stored stays, and no further line is taken. One that is not done after 7 days is called off.
         */
        post: operations["beginImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import conversations and memories
         * @description Takes lines as export gives them, one JSON object a line, and stores what is new with its ids, sequence numbers and times. Lines are stored in order, in batches of at most 2,097,152 bytes (content as UTF-8, all else as JSON), one transaction each; a longer line is a batch of its own. What is there already stays as it is, so that importing twice changes nothing. A request that fails may have stored its first batches, each whole, and its operation has counted exactly their lines. Send the request again: those lines are `existing` then, and the answer names every problem. A line that cannot be taken is named in the answer and keeps no other from being stored. A message's conversation must have come before it, in this request or an earlier one. A memory's tags and summary stay whose they were: a text model, if one is configured, writes only what nobody has. Words can be found at once, meaning follows. One request takes 1,000 lines, 8 MiB and 100,000 fields and items, all lines together; beyond it, 413 and nothing is stored. For a longer export begin an operation with `beginImport` and send its lines in parts, one after the other. A part may be sent again; as with every import, what of it was deleted meanwhile comes back.
         */
        post: operations["importConversations"];
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
        /**
         * Get an operation
         * @description Tells how far an operation is; of a deletion, when each part was gone.
         */
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
        /**
         * Cancel an operation
         * @description Calls off what is left of a `delete_conversations`, `delete_memories`, `repair_index`, `enrich_memories` or `import`: nothing further is begun. What was deleted stays deleted, and is purged to the end; what was imported stays. With the admin token those of any organization, and also a `delete_organization`, until the organization's last row is gone: what the purge has not come to is back at once, with the keys that the deletion took away. Canceling twice answers alike.
         */
        post: operations["cancelOperation"];
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
        /**
         * List audit events
         * @description Lists who created, revoked or rotated keys and who deleted or exported what or called an organization's deletion off, newest first. An event is written in the same transaction as what it tells of, once however often a request is repeated, and goes when the organization is deleted, but for `organization.deleted` and `organization.restored`, which stay in the database.
         */
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
        /**
         * List usage by day and key
         * @description Lists what each key was used for on each day, the newest day first; a day without use has no item. It is for watching, not for billing: the service counts in memory and adds to the list within about a minute, or later while its database is down; what a Worker has not written when it ends is not counted, and a write whose outcome stayed unknown may count twice. Messages and memories can always be counted exactly from the data. Goes when the organization is deleted.
         */
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
        /**
         * Check that the service answers
         * @description Answers without a key and without touching the database.
         */
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
        /**
         * Check that the service can work
         * @description Reads the database once, without a key, and answers when it is there with every migration that this version needs. The embedding model and the vector store are not asked: without them everything works but search by meaning, and each search says so in `degraded`.
         */
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
        /** @description What keys, conversations and memories belong to. */
        Organization: {
            /**
             * @description Id of an organization.
             * @example org_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description What people call it.
             * @example Acme support
             */
            name: string;
            /** @description Conversations it holds; memories are none. */
            conversation_count: number;
            /** @description Messages it holds, in these conversations. */
            message_count: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was deleted; its rows are being purged.
             * @example 2026-11-02T09:30:00.000Z
             */
            deleted_at: string | null;
        };
        /** @description A key with its secret, shown this once. */
        ApiKeyWithSecret: {
            /**
             * @description Id of a key, not its secret.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description What people call the key.
             * @example production worker
             */
            name: string;
            /**
             * @description The secret's beginning, to recognize it by.
             * @example engram_sk_live_a8Xk
             */
            prefix: string;
            /**
             * @description What the key may do.
             * @example [
             *       "read",
             *       "write",
             *       "search"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description The one agent that the key sees and writes; null for all.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From when on the key is refused.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked.
             * @example 2026-11-02T09:30:00.000Z
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When a request was last made with it, to the minute: it is written at most once a minute, so a use shows about a minute later. Null until the first.
             * @example 2026-11-02T09:30:00.000Z
             */
            last_used_at: string | null;
            /**
             * @description The key that takes its place.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            rotated_to: string | null;
            /**
             * @description What a request sends as `Authorization: Bearer`. Shown in this answer only; we keep a hash.
             * @example engram_sk_live_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py4kT9wQ
             */
            secret: string;
        };
        /**
         * @description `read` gets and lists, `write` creates and changes, `search` searches, `delete` deletes, `admin` manages keys and the organization.
         * @enum {string}
         */
        Scope: "read" | "write" | "search" | "delete" | "admin";
        /** @description RFC 9457 problem: the one body of every failure. */
        Problem: {
            /**
             * Format: uri
             * @description Page about this code.
             * @example https://engram.dev/problems/not_found
             */
            type: string;
            /** @description The code in words; the same for every occurrence. */
            title: string;
            /** @description HTTP status, as on the response. */
            status: number;
            /**
             * @description What programs read. The list only grows.
             * @enum {string}
             */
            code: "validation_failed" | "invalid_json" | "invalid_cursor" | "unauthenticated" | "forbidden" | "not_found" | "external_id_conflict" | "content_conflict" | "sequence_conflict" | "too_many_messages" | "conversation_full" | "operation_ended" | "lines_missing" | "not_cancelable" | "secret_already_shown" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal" | "unavailable";
            /** @description What happened here, for people. Safe to show. */
            detail: string;
            /**
             * @description Names this request in our logs; also in `x-request-id`.
             * @example req_01jd8m3q0v7y2k9x4c6e
             */
            request_id: string;
            /** @description The places that do not fit, 100 at most, for `validation_failed`. */
            errors?: {
                /** @description Where in the request, as `messages.0.role`. */
                path: string;
                /** @description What is wrong there. */
                message: string;
            }[];
        };
        CreateOrganizationBody: {
            /**
             * @description What people call it.
             * @example Acme support
             */
            name: string;
        };
        /** @description Work that goes on after its answer. Of a deletion it is the receipt. */
        Operation: {
            /**
             * @description Id of an operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description What is being done.
             * @enum {string}
             */
            type: "delete_organization" | "delete_conversation" | "delete_conversations" | "delete_message" | "delete_memory" | "delete_memories" | "enrich_memories" | "repair_index" | "import";
            /**
             * @description `succeeded` once nothing is left to do, `canceled` once called off.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled";
            /**
             * @description What it is done to; the organization when it is many.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /** @description How far it is; only of work on many. */
            progress?: {
                /** @description What is done: conversations or memories, of a deletion by filter hidden from every answer, of an organization's deletion purged, or not brought back once it was called off, of a repair indexed anew, of an enrichment described. Of an import lines that were stored or refused: it goes on behind these. */
                done: number;
                /** @description How many there were to do when it was asked for; null for an import that did not say how many lines it has, for a deletion by filter that has to read more than one step does, until it is done, and for a repair or an enrichment until all is queued. */
                total: number | null;
            };
            /**
             * Format: date-time
             * @description When it was asked for.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When nothing was left to do.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When rows and keyword index were gone.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description When the vector store confirmed that the vectors are gone.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description When the database's point-in-time history forgets it too: 30 days after the rows were deleted.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
        };
        CreateKeyBody: {
            /**
             * @description What people call the key.
             * @example production worker
             */
            name: string;
            /**
             * @description What the key may do.
             * @example [
             *       "read",
             *       "write",
             *       "search"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description Bind the key to one agent: it sees and writes only that agent's conversations. Not with `admin`.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * Format: date-time
             * @description From when on the key is refused.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
        };
        /** @description A page of a list. */
        ApiKeyPage: {
            /** @description The items of this page, in the list's order. */
            items: components["schemas"]["ApiKey"][];
            /** @description Pass it as the cursor for the next page; null at the end. */
            next_cursor: string | null;
            /** @description How many items match in all; only with `include_total=true`. */
            total?: number;
        };
        /** @description What is known of a key, without its secret. */
        ApiKey: {
            /**
             * @description Id of a key, not its secret.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description What people call the key.
             * @example production worker
             */
            name: string;
            /**
             * @description The secret's beginning, to recognize it by.
             * @example engram_sk_live_a8Xk
             */
            prefix: string;
            /**
             * @description What the key may do.
             * @example [
             *       "read",
             *       "write",
             *       "search"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description The one agent that the key sees and writes; null for all.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From when on the key is refused.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked.
             * @example 2026-11-02T09:30:00.000Z
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When a request was last made with it, to the minute: it is written at most once a minute, so a use shows about a minute later. Null until the first.
             * @example 2026-11-02T09:30:00.000Z
             */
            last_used_at: string | null;
            /**
             * @description The key that takes its place.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            rotated_to: string | null;
        };
        RotateKeyBody: {
            /**
             * @description How long the old key goes on working, in seconds; 0 ends it at once. An earlier expiry stays.
             * @default 3600
             */
            overlap_seconds?: number;
            /**
             * Format: date-time
             * @description Expiry of the new key; by default it has none.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
        };
        Conversation: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Your own id for it, unique in the organization.
             * @example ticket-1029
             */
            external_id: string | null;
            /**
             * @description What people call it; at most 1,000 characters.
             * @example Refund for order 1029
             */
            title: string | null;
            /**
             * @description The agent that the conversation belongs to, as you name it.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description The person that the conversation is with, as you name them.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Labels to filter by, in the order given; at most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            metadata: components["schemas"]["Metadata"];
            /** @description Messages it holds now. */
            message_count: number;
            /** @description Highest sequence number ever given to a message of it; 0 before the first. Deleting does not lower it. */
            last_sequence: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it or a message of it last changed.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description Your own data: any JSON object up to 16,384 bytes, kept exactly.
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
             * @description Your own id for it. When the organization has a conversation with it already, that one is answered with 200, unchanged.
             * @example ticket-1029
             */
            external_id?: string;
            /**
             * @description What people call it; at most 1,000 characters.
             * @example Refund for order 1029
             */
            title?: string;
            /**
             * @description The agent that it belongs to. A key bound to an agent sets its own; another is refused.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description The person that the conversation is with, as you name them.
             * @example user_4711
             */
            user_id?: string;
            /**
             * @description Labels to filter by, in the order given; at most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            metadata?: components["schemas"]["Metadata"];
        };
        /** @description A page of a list. */
        ConversationPage: {
            /** @description The items of this page, in the list's order. */
            items: components["schemas"]["Conversation"][];
            /** @description Pass it as the cursor for the next page; null at the end. */
            next_cursor: string | null;
            /** @description How many items match in all; only with `include_total=true`. Null when too many items would have to be read to count them. */
            total?: number | null;
        };
        ConversationWithMessages: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Your own id for it, unique in the organization.
             * @example ticket-1029
             */
            external_id: string | null;
            /**
             * @description What people call it; at most 1,000 characters.
             * @example Refund for order 1029
             */
            title: string | null;
            /**
             * @description The agent that the conversation belongs to, as you name it.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description The person that the conversation is with, as you name them.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Labels to filter by, in the order given; at most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            metadata: components["schemas"]["Metadata"];
            /** @description Messages it holds now. */
            message_count: number;
            /** @description Highest sequence number ever given to a message of it; 0 before the first. Deleting does not lower it. */
            last_sequence: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it or a message of it last changed.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            messages: components["schemas"]["MessagePage"];
        };
        /** @description A page of a list. */
        MessagePage: {
            /** @description The items of this page, in the list's order. */
            items: components["schemas"]["Message"][];
            /** @description Pass it as the cursor for the next page; null at the end. */
            next_cursor: string | null;
            /** @description How many items match in all; only with `include_total=true`. */
            total?: number;
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
            /** @description Its place: 1, 2, 3… Never reused, so a deleted message leaves a gap. */
            sequence: number;
            role: components["schemas"]["MessageRole"];
            /**
             * @description What was said, kept byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
             * @example Where is my refund for order 1029?
             */
            content: string;
            /**
             * @description Name of the speaker.
             * @example Maria
             */
            name: string | null;
            /**
             * @description The tool call that this answers or makes.
             * @example call_8fk2
             */
            tool_call_id: string | null;
            /**
             * @description The tool.
             * @example lookup_order
             */
            tool_name: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * @description The message as your framework stores it: any JSON array or object up to 500,000 bytes, kept exactly. Not searched.
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
             * @description Your own id for the message, unique in the conversation.
             * @example m-17
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description When it was said, to the millisecond; yours for history that you bring along.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When we stored it.
             * @example 2026-11-02T09:30:00.000Z
             */
            stored_at: string;
            /**
             * Format: date-time
             * @description When its content or metadata was changed.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string | null;
        };
        /**
         * @description Who said it.
         * @enum {string}
         */
        MessageRole: "user" | "assistant" | "system" | "tool";
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
             * @description What people call it; at most 1,000 characters.
             * @example Refund for order 1029
             */
            title?: string | null;
            /**
             * @description All tags anew; they replace the old ones.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            metadata?: components["schemas"]["Metadata"] & unknown;
        };
        ConversationsCounted: {
            /** @description Conversations that the filter finds now. */
            conversations: number;
            /** @description Messages that they hold. */
            messages: number;
            /** @description Whether all were counted. `false` when a dry run would read more than 100,000 items with a filter by tags or metadata, or 1,250,000 otherwise: then the counts are of the oldest, and a deletion may find more. */
            complete: boolean;
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
            /** @description Which conversations to delete. All conditions must hold; one at least. */
            filter: {
                /**
                 * @description Only conversations of this agent.
                 * @example support-bot
                 */
                agent_id?: string;
                /**
                 * @description Only conversations with this person.
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
                 * @description Only conversations created at this moment or later.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_after?: string;
                /**
                 * Format: date-time
                 * @description Only conversations created before this moment.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_before?: string;
                /**
                 * @description Only conversations whose metadata has all these values at the top level. At most 16 values.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            /**
             * @description Only count what would be deleted. Ask this first.
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * @example {
         *       "sequence": 2
         *     }
         */
        ForkConversationBody: {
            /** @description Last sequence number to copy; all messages by default, none for 0. */
            sequence?: number;
            /**
             * @description Your own id for the fork, which no other conversation of the organization may have.
             * @example ticket-1029
             */
            external_id?: string;
            /**
             * @description Title of the fork; the original's by default.
             * @example Refund for order 1029
             */
            title?: string;
        };
        AppendedMessages: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /** @description Id of each message of the request, in its order. */
            message_ids: string[];
            /** @description Those of them that were there already, by their `external_id`. */
            existing_ids: string[];
            /** @description Sequence of the first new message; null when none was new. */
            first_sequence: number | null;
            /** @description Sequence of the last new message; null when none was new. */
            last_sequence: number | null;
            /** @description Whether the vector store had taken the vectors when this was answered. Always false without `wait`. */
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
             * @description `indexed`: answer only once the vector store has taken the vectors, or after 25 seconds. The store shows them to queries some seconds later; on one machine at once.
             * @enum {string}
             */
            wait?: "indexed";
        };
        NewMessage: {
            role: components["schemas"]["MessageRole"];
            /**
             * @description What was said, kept byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
             * @example Where is my refund for order 1029?
             */
            content: string;
            /**
             * @description Name of the speaker.
             * @example Maria
             */
            name?: string;
            /**
             * @description The tool call that this answers or makes.
             * @example call_8fk2
             */
            tool_call_id?: string;
            /**
             * @description The tool.
             * @example lookup_order
             */
            tool_name?: string;
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description The message as your framework stores it: any JSON array or object up to 500,000 bytes, kept exactly. Not searched.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Where is my refund for order 1029?"
             *       }
             *     ]
             */
            parts?: unknown[] | {
                [key: string]: unknown;
            };
            /**
             * @description Your own id for it, unique in the conversation. The same message again is reported as there already; another message under it is 409 and nothing is stored.
             * @example m-17
             */
            external_id?: string;
            /**
             * Format: date-time
             * @description When it was said, to the millisecond; now by default.
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
             * @description What was said, kept byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
             * @example Where is my refund for order 1029?
             */
            content?: string;
            metadata?: components["schemas"]["Metadata"] & unknown;
        };
        ReplacedMessages: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /** @description Id of each message of the request, in its order. */
            message_ids: string[];
            /** @description Those of them that were there already, by their `external_id`. */
            existing_ids: string[];
            /** @description Sequence of the first new message; null when none was new. */
            first_sequence: number | null;
            /** @description Sequence of the last new message; null when none was new. */
            last_sequence: number | null;
            /** @description Whether the vector store had taken the vectors when this was answered. Always false without `wait`. */
            indexed: boolean;
            /** @description The messages that were deleted, oldest first. */
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
            /** @description Sequence of the newest message that you know of; 0 for none. If another is newest, 409 and nothing changes. */
            expected_last_sequence: number;
            /** @description Messages from this sequence number on are deleted, 10,000 at most. */
            from_sequence: number;
            /** @description Messages to add in their place, under new sequence numbers; empty to only delete. At most 1,000, together at most 2,097,152 bytes (content as UTF-8, all else as JSON). */
            messages: components["schemas"]["NewMessage"][];
            /**
             * @description `indexed`: answer only once the vector store has taken the vectors, or after 25 seconds. The store shows them to queries some seconds later; on one machine at once.
             * @enum {string}
             */
            wait?: "indexed";
        };
        Memory: {
            /**
             * @description Id of a memory.
             * @example mem_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            kind: components["schemas"]["MemoryKind"];
            /**
             * @description What to remember, in Markdown or plain text, kept byte for byte: 1 to 1,000,000 bytes as UTF-8.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description Where it comes from, as you name it.
             * @example slack
             */
            source: string | null;
            /**
             * @description The agent that the conversation belongs to, as you name it.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Labels to filter by, in the order given; at most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * @description What it says in short; at most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * @description The model that wrote what you did not of tags and summary; `engram/extractive-1` takes them from the text by rule. Null while nothing is written so.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. No two memories of one agent have the same.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description When it was captured; yours for notes that you bring along.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last captured or changed.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description `note`: what somebody decided to remember. `summary`: of what was said elsewhere.
         * @enum {string}
         */
        MemoryKind: "note" | "summary";
        /**
         * @example {
         *       "content": "Maria prefers refunds to her card, never store credit.",
         *       "agent_id": "support-bot",
         *       "tags": [
         *         "customer",
         *         "refunds"
         *       ]
         *     }
         */
        CreateMemoryBody: {
            /**
             * @description What to remember, in Markdown or plain text, kept byte for byte: 1 to 1,000,000 bytes as UTF-8.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            kind?: components["schemas"]["MemoryKind"];
            /**
             * @description Where it comes from, as you name it.
             * @example slack
             */
            source?: string;
            /**
             * @description The agent that it belongs to. A key bound to an agent sets its own; another is refused.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Labels to filter by, in the order given; at most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            /**
             * @description What it says in short; at most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary?: string;
            metadata?: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description When it was captured, to the millisecond; now by default.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at?: string;
            /**
             * @description Answer once meaning can find it, which takes seconds; after 25 seconds in any case, and of many when 25 are indexed. Its chunks tell what is indexed.
             * @enum {string}
             */
            wait?: "indexed";
        };
        CapturedMemories: {
            /** @description One for each memory of the request, in its order. */
            items: {
                /**
                 * @description Id of a memory.
                 * @example mem_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /** @description Whether it is new; false where its content was there. */
                created: boolean;
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
            /** @description What to remember; 1 to 1,000, together at most 2,097,152 bytes (content as UTF-8, all else as JSON). */
            memories: components["schemas"]["NewMemory"][];
            /**
             * @description Answer once meaning can find it, which takes seconds; after 25 seconds in any case, and of many when 25 are indexed. Its chunks tell what is indexed.
             * @enum {string}
             */
            wait?: "indexed";
        };
        /**
         * @example {
         *       "content": "Maria prefers refunds to her card, never store credit.",
         *       "agent_id": "support-bot",
         *       "tags": [
         *         "customer",
         *         "refunds"
         *       ]
         *     }
         */
        NewMemory: {
            /**
             * @description What to remember, in Markdown or plain text, kept byte for byte: 1 to 1,000,000 bytes as UTF-8.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            kind?: components["schemas"]["MemoryKind"];
            /**
             * @description Where it comes from, as you name it.
             * @example slack
             */
            source?: string;
            /**
             * @description The agent that it belongs to. A key bound to an agent sets its own; another is refused.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Labels to filter by, in the order given; at most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            /**
             * @description What it says in short; at most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary?: string;
            metadata?: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description When it was captured, to the millisecond; now by default.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at?: string;
        };
        /** @description A page of a list. */
        MemoryPage: {
            /** @description The items of this page, in the list's order. */
            items: components["schemas"]["Memory"][];
            /** @description Pass it as the cursor for the next page; null at the end. */
            next_cursor: string | null;
            /** @description How many items match in all; only with `include_total=true`. Null when too many items would have to be read to count them. */
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
             * @description What to remember, in Markdown or plain text, kept byte for byte: 1 to 1,000,000 bytes as UTF-8.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description Where it comes from, as you name it.
             * @example slack
             */
            source: string | null;
            /**
             * @description The agent that the conversation belongs to, as you name it.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Labels to filter by, in the order given; at most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * @description What it says in short; at most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * @description The model that wrote what you did not of tags and summary; `engram/extractive-1` takes them from the text by rule. Null while nothing is written so.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. No two memories of one agent have the same.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description When it was captured; yours for notes that you bring along.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last captured or changed.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /** @description Its chunks, in order. */
            chunks: components["schemas"]["MemoryChunk"][];
        };
        /** @description A part of a memory with one vector. Together they are the whole content. */
        MemoryChunk: {
            /**
             * @description Id of a chunk, a part of a memory or a window of messages, with one vector.
             * @example chk_2k7d9x4c6e0v1m8q3t5z
             */
            id: string;
            /** @description Its place among the chunks, from 0. */
            ordinal: number;
            /** @description Where it begins in the content, behind what it repeats of the one before, in UTF-16 units, as JavaScript counts. */
            start: number;
            /** @description Where it ends, and the next begins, in UTF-16 units, as JavaScript counts. */
            end: number;
            /** @description Where what is embedded begins: up to 64 tokens before `start`, in UTF-16 units, as JavaScript counts. */
            overlap_start: number;
            /** @description Whether its vector is in, so that its meaning can be found. */
            indexed: boolean;
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
             * @description The content anew; it is chunked and embedded again.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content?: string;
            /**
             * @description Where it comes from, as you name it.
             * @example slack
             */
            source?: string | null;
            /**
             * @description All tags anew; they replace the old ones.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            /**
             * @description What it says in short; at most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary?: string | null;
            metadata?: components["schemas"]["Metadata"] & unknown;
        };
        MemoriesCounted: {
            /** @description Memories that would be deleted now. */
            memories: number;
            /** @description Whether all were counted. `false` when a dry run would read more than 100,000 items with a filter by tags or metadata, or 1,250,000 otherwise: then the counts are of the oldest, and a deletion may find more. */
            complete: boolean;
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
            /** @description Which memories to delete. All conditions must hold; one at least. */
            filter?: {
                /**
                 * @description Only memories of this agent.
                 * @example support-bot
                 */
                agent_id?: string;
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
                 * @description Only memories captured at this moment or later.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_after?: string;
                /**
                 * Format: date-time
                 * @description Only memories captured before this moment.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_before?: string;
                /**
                 * @description Only memories whose metadata has all these values at the top level. At most 16 values.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            /**
             * @description Instead of a filter: every memory that the key may see.
             * @enum {boolean}
             */
            all?: true;
            /**
             * @description Only count what would be deleted. Ask this first.
             * @default false
             */
            dry_run?: boolean;
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
             * @description Which memories; all that the key may see by default.
             * @default {}
             */
            filter?: {
                /**
                 * @description Only memories of this agent.
                 * @example support-bot
                 */
                agent_id?: string;
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
                 * @description Only memories captured at this moment or later.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_after?: string;
                /**
                 * Format: date-time
                 * @description Only memories captured before this moment.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                created_before?: string;
                /**
                 * @description Only memories whose metadata has all these values at the top level. At most 16 values.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
        };
        MemorySearchAnswer: {
            /** @description Best first. */
            results: components["schemas"]["MemoryResult"][];
            /** @description What was not done; empty when everything was. `semantic`: the embedding model or vector store did not answer, so only words were searched. `semantic_partial`: meaning was searched in part only, because the filters match more than the vector store can be asked for, or too few of those nearest in meaning, or there are more conversations than a filter is compared with. `keyword_partial`: the words stand in more places than one search reads, so only the newest were searched for the most frequent words, a phrase of frequent words found fewer matches, or an exclusion left out more; or they stand in more conversations than a filter is compared with, and only those with the rarest words were. `phrase_too_long`: a quoted phrase has more than 32 words, which counted as plain words. `model_mismatch`: some have vectors of an earlier model and were searched by words only. A key that is bound to an agent gets it too when 5,000 vectors of the organization are of an earlier model. `rerank`: it was asked for and no reranking model answered, as none is there when the service runs on one machine; the order is that without it. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description Messages and memories that meaning cannot find yet, because their vectors are not in or queries do not see them so soon; words find them. In `keyword` mode only those whose vectors are not in. A lower bound when more than 5,000 indexing jobs of the organization are queued. */
            pending: number;
            /** @description Upper bound of what the content of all that is answered costs a model: one token per three letters or blanks begun (a single space is free; a capital begins a word anew; letters without a vowel, or more than 24 on end, count each), per digit, per other ASCII character, and per byte of everything else. */
            tokens: number;
            /** @description Results left out. They pass `max_tokens`, or the answer would pass 2 MB. To get them, search with a narrower filter or a smaller `context`. */
            omitted: number;
        };
        MemoryResult: {
            /**
             * @description A memory. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "memory";
            memory: components["schemas"]["Memory"];
            /** @description Orders the results of this one answer; not comparable between answers. */
            score: number;
            /** @description How likely it holds what the query asks for: 0 to 1, comparable between all answers. It rises with how much of the query stands in a match or within two messages of it, rare words counting more, and with how near its meaning is. In 95 of 100 cases questions about what nobody spoke of get nothing above 0.25, and questions that nobody answered nothing above 0.6. */
            relevance: number;
            /** @description Where words of the query stand in its content, in order: 100 at most, of its first 100,000 UTF-16 units. Empty for what only its meaning, its neighbours or its speaker's name found. */
            highlights: components["schemas"]["Highlight"][];
            chunk: components["schemas"]["MatchedChunk"];
            explanation?: components["schemas"]["SearchExplanation"];
        };
        Highlight: {
            /** @description First UTF-16 unit, as JavaScript counts, from 0. */
            start: number;
            /** @description The unit behind the last. */
            end: number;
        };
        /** @description The part whose meaning matched best. Null where only words matched, while changed content waits to be indexed, and for memories indexed by an earlier version until `repairIndex`. */
        MatchedChunk: {
            /**
             * @description Id of a chunk, a part of a memory or a window of messages, with one vector.
             * @example chk_2k7d9x4c6e0v1m8q3t5z
             */
            id: string;
            /** @description Its place among the chunks, from 0. */
            ordinal: number;
            /** @description Where it begins in the content, behind what it repeats of the one before, in UTF-16 units, as JavaScript counts. */
            start: number;
            /** @description Where it ends, and the next begins, in UTF-16 units, as JavaScript counts. */
            end: number;
            /** @description Where what is embedded begins: up to 64 tokens before `start`, in UTF-16 units, as JavaScript counts. */
            overlap_start: number;
        } | null;
        /** @description With `explain`: the parts of the score, which is their sum before `rerank`. Of what only fills up behind the best of every leg the score is lower still. */
        SearchExplanation: {
            /** @description Its own words: BM25, 0 to 1 between the worst and the best of the 100 best messages. */
            message: number;
            /** @description Its words with those of two neighbours on each side, likewise. */
            window: number;
            /** @description The words of its conversation, between the worst and the best of 15. */
            conversation: number;
            /** @description Its meaning: cosine of the nearest chunk that holds it, among the 100 nearest. */
            chunk: number;
            /** @description The question before it fits. */
            answer: number;
            /** @description It is a short question. */
            question: number;
            /** @description It names a time, and the query asks when. */
            time: number;
            /** @description It names a number, and the query asks how many. */
            number: number;
            /** @description It was said on or soon after a date in the query. */
            date: number;
            /** @description Below 0 where the query names another speaker. */
            speaker: number;
            /** @description It holds a phrase that the query quotes. */
            phrase: number;
        };
        /**
         * @example {
         *       "query": "How does Maria want refunds?",
         *       "limit": 5
         *     }
         */
        SearchMemoriesBody: {
            /** @description What to look for: a question, words or code. `-word` and `-"a phrase"` exclude messages. A `"quoted phrase"` must occur in a match in `keyword` mode and ranks it higher in `hybrid` mode. Text of several lines is literal. Limits: 48 distinct words (the longest count), 16 phrases and exclusions (the first count), 32 words a phrase; a longer phrase counts as plain words, and is refused in `keyword` mode. */
            query: string;
            /**
             * @description `hybrid` by meaning and by words, `semantic` by meaning only, `keyword` by words only.
             * @default hybrid
             * @enum {string}
             */
            mode?: "hybrid" | "semantic" | "keyword";
            /**
             * @description Most results.
             * @default 10
             */
            limit?: number;
            /**
             * @description Only memories of this agent.
             * @example support-bot
             */
            agent_id?: string;
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
             * @description Only memories whose metadata has all these values at the top level. At most 16 values.
             * @example {
             *       "ticket": "T-1029"
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /**
             * Format: date-time
             * @description Only memories captured at this moment or later.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_after?: string;
            /**
             * Format: date-time
             * @description Only memories captured before this moment.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_before?: string;
            /**
             * @description Answer with each match what its score is made of.
             * @default false
             */
            explain?: boolean;
            /**
             * @description Order the 50 best matches again by a model that reads query and text together. Better and slower, some hundred milliseconds as a rule.
             * @default false
             */
            rerank?: boolean;
            /** @description Only matches of at least this `relevance`. */
            min_relevance?: number;
            /** @description Most tokens, as counted in `tokens`, that all texts answered may cost. A result that does not fit even without its neighbours is left out and counted in `omitted`. */
            max_tokens?: number;
        };
        SearchAnswer: {
            /** @description Best first. No message stands in two results. */
            results: components["schemas"]["SearchResult"][];
            /** @description What was not done; empty when everything was. `semantic`: the embedding model or vector store did not answer, so only words were searched. `semantic_partial`: meaning was searched in part only, because the filters match more than the vector store can be asked for, or too few of those nearest in meaning, or there are more conversations than a filter is compared with. `keyword_partial`: the words stand in more places than one search reads, so only the newest were searched for the most frequent words, a phrase of frequent words found fewer matches, or an exclusion left out more; or they stand in more conversations than a filter is compared with, and only those with the rarest words were. `phrase_too_long`: a quoted phrase has more than 32 words, which counted as plain words. `model_mismatch`: some have vectors of an earlier model and were searched by words only. A key that is bound to an agent gets it too when 5,000 vectors of the organization are of an earlier model. `rerank`: it was asked for and no reranking model answered, as none is there when the service runs on one machine; the order is that without it. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description Messages and memories that meaning cannot find yet, because their vectors are not in or queries do not see them so soon; words find them. In `keyword` mode only those whose vectors are not in. A lower bound when more than 5,000 indexing jobs of the organization are queued. */
            pending: number;
            /** @description Upper bound of what the content of all that is answered costs a model: one token per three letters or blanks begun (a single space is free; a capital begins a word anew; letters without a vowel, or more than 24 on end, count each), per digit, per other ASCII character, and per byte of everything else. */
            tokens: number;
            /** @description Results left out. They pass `max_tokens`, or the answer would pass 2 MB. To get them, search with a narrower filter or a smaller `context`. */
            omitted: number;
        };
        SearchResult: components["schemas"]["MessagesResult"] | components["schemas"]["MemoryResult"];
        MessagesResult: {
            /**
             * @description Messages of a conversation. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "messages";
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            conversation: components["schemas"]["ConversationSummary"];
            /** @description Sequence of the first message answered. */
            start_sequence: number;
            /** @description Sequence of the last message answered. */
            end_sequence: number;
            /** @description Orders the results of this one answer; not comparable between answers. */
            score: number;
            /** @description How likely it holds what the query asks for: 0 to 1, comparable between all answers. It rises with how much of the query stands in a match or within two messages of it, rare words counting more, and with how near its meaning is. In 95 of 100 cases questions about what nobody spoke of get nothing above 0.25, and questions that nobody answered nothing above 0.6. */
            relevance: number;
            /** @description Which of the messages matched, best first; the others are neighbours. */
            matches: {
                /**
                 * @description Id of a message.
                 * @example msg_06e3tqz8m1k4v9x2c7d0
                 */
                message_id: string;
                /** @description Its place in the conversation. */
                sequence: number;
                /** @description Its own score. */
                score: number;
                /** @description Where words of the query stand in its content, in order: 100 at most, of its first 100,000 UTF-16 units. Empty for what only its meaning, its neighbours or its speaker's name found. */
                highlights: components["schemas"]["Highlight"][];
                explanation?: components["schemas"]["SearchExplanation"];
            }[];
            /** @description The match with its neighbours, whole and verbatim, oldest first. At most 50: the windows of the best matches where there are more. */
            messages: components["schemas"]["Message"][];
            /**
             * @description The chunk whose vector matched best; null for words only.
             * @example chk_2k7d9x4c6e0v1m8q3t5z
             */
            chunk_id: string | null;
            /** @description Present when messages were left out of this result, because it would hold more than 50 or the answer would pass 2 MB. `listMessages` with this range reads them all. */
            cut?: {
                /** @description First sequence of the whole. */
                from_sequence: number;
                /** @description Last sequence of the whole. */
                to_sequence: number;
            };
        };
        /** @description The conversation that it was found in. */
        ConversationSummary: {
            /**
             * @description What people call it; at most 1,000 characters.
             * @example Refund for order 1029
             */
            title: string | null;
            /**
             * @description Your own id for it, unique in the organization.
             * @example ticket-1029
             */
            external_id: string | null;
            /**
             * @description The agent that the conversation belongs to, as you name it.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description The person that the conversation is with, as you name them.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Labels to filter by, in the order given; at most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * Format: date-time
             * @description When it was created.
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
            /** @description What to look for: a question, words or code. `-word` and `-"a phrase"` exclude messages. A `"quoted phrase"` must occur in a match in `keyword` mode and ranks it higher in `hybrid` mode. Text of several lines is literal. Limits: 48 distinct words (the longest count), 16 phrases and exclusions (the first count), 32 words a phrase; a longer phrase counts as plain words, and is refused in `keyword` mode. */
            query: string;
            /**
             * @description `hybrid` by meaning and by words, `semantic` by meaning only, `keyword` by words only.
             * @default hybrid
             * @enum {string}
             */
            mode?: "hybrid" | "semantic" | "keyword";
            /**
             * @description Most results.
             * @default 10
             */
            limit?: number;
            /**
             * @description Where to look: `conversations`, `memories` or both, then with one ranking. Other filters hold for memories as for conversations; what only conversations have (`conversation_id`, `user_id`, `roles`, `names`) leaves all memories out.
             * @default [
             *       "conversations"
             *     ]
             */
            in?: ("conversations" | "memories")[];
            /**
             * @description Only in this conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id?: string;
            /**
             * @description Only in conversations of this agent.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Only in conversations with this person.
             * @example user_4711
             */
            user_id?: string;
            /**
             * @description Only in conversations with at least one of these tags.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags_any?: string[];
            /**
             * @description Only in conversations with all of these tags.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags_all?: string[];
            /** @description Only messages of these roles match. */
            roles?: components["schemas"]["MessageRole"][];
            /** @description Only messages whose speaker has one of these names match. */
            names?: string[];
            /**
             * @description Only in conversations whose metadata has all these values at the top level. At most 16 values.
             * @example {
             *       "ticket": "T-1029"
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /**
             * Format: date-time
             * @description Only messages said at this moment or later match.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_after?: string;
            /**
             * Format: date-time
             * @description Only messages said before this moment match.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_before?: string;
            /**
             * @description Neighbours to answer with each match, whatever filters say of them.
             * @default {
             *       "before": 2,
             *       "after": 2
             *     }
             */
            context?: {
                /**
                 * @description Messages to answer before each match.
                 * @default 2
                 */
                before?: number;
                /**
                 * @description Messages to answer after each match.
                 * @default 2
                 */
                after?: number;
            };
            /**
             * @description What may speak for a message in `hybrid` mode beside its words and meaning; all unless named, none for `[]`. `answer`: the question before it fits. `question`: short questions come later. `time`, `number`: it names one and the query asks when, or how many. `date`: it was said on or soon after a date in the query. `speaker`: what others than a speaker whom the query names said comes later.
             * @default [
             *       "answer",
             *       "question",
             *       "time",
             *       "number",
             *       "date",
             *       "speaker"
             *     ]
             */
            priors?: ("answer" | "question" | "time" | "number" | "date" | "speaker")[];
            /**
             * @description Answer with each match what its score is made of.
             * @default false
             */
            explain?: boolean;
            /**
             * @description Order the 50 best matches again by a model that reads query and text together. Better and slower, some hundred milliseconds as a rule.
             * @default false
             */
            rerank?: boolean;
            /** @description Only matches of at least this `relevance`. */
            min_relevance?: number;
            /** @description Most tokens, as counted in `tokens`, that all texts answered may cost. A result that does not fit even without its neighbours is left out and counted in `omitted`. */
            max_tokens?: number;
        };
        IndexStatus: {
            /**
             * @description The embedding model in use.
             * @example @cf/baai/bge-base-en-v1.5
             */
            model: string;
            /** @description Length of its vectors. */
            dimensions: number;
            /** @description Messages stored, and memories, each as one; words find them all. */
            messages: number;
            /** @description Messages and memories whose vectors the store has not taken yet. */
            pending: number;
            /** @description Messages and memories whose indexing was given up after 10 attempts; `repairIndex` tries again. */
            failed: number;
            /** @description Windows of messages, and chunks of memories, whose vector is in. */
            chunks: number;
            /** @description Windows and chunks whose vector comes from an earlier model; not searched. */
            chunks_of_other_models: number;
            /** @description Vectors of what was deleted or replaced that the store has not confirmed gone. */
            deletions_pending: number;
            /** @description Whether all was counted. `false` when a count stopped at 50,000 rows: then the counts are lower bounds, except `messages` for a key without agent. */
            complete: boolean;
            /** @description The newest failure of what is pending or failed; null when nothing failed. */
            last_error: {
                /**
                 * @description A code and the numbers that came with it, never text of a model or endpoint. `text_refused`: the model takes other texts, but not this one. `embedding_failed`, `vector_store_failed`: no answer, or none that is one. `internal_failure`: the log says more. `earlier_failure`: from before an upgrade.
                 * @example text_refused: code 5006, status 422
                 */
                message: string;
                /**
                 * Format: date-time
                 * @description When.
                 * @example 2026-11-02T09:30:00.000Z
                 */
                at: string;
            } | null;
        };
        /** @example {} */
        RepairIndexBody: {
            /**
             * @description Only this conversation; all, and all memories, by default.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id?: string;
        };
        /** @description A page of a list. */
        OperationPage: {
            /** @description The items of this page, in the list's order. */
            items: components["schemas"]["Operation"][];
            /** @description Pass it as the cursor for the next page; null at the end. */
            next_cursor: string | null;
            /** @description How many items match in all; only with `include_total=true`. */
            total?: number;
        };
        ExportLine: components["schemas"]["ConversationLine"] | components["schemas"]["MessageLine"] | components["schemas"]["MemoryLine"] | components["schemas"]["EndLine"];
        /** @description A conversation; its messages follow. */
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
             * @description Your own id for it, unique in the organization.
             * @example ticket-1029
             */
            external_id: string | null;
            /**
             * @description What people call it; at most 1,000 characters.
             * @example Refund for order 1029
             */
            title: string | null;
            /**
             * @description The agent that the conversation belongs to, as you name it.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description The person that the conversation is with, as you name them.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Labels to filter by, in the order given; at most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            metadata: components["schemas"]["Metadata"];
            /** @description Messages it holds now. */
            message_count: number;
            /** @description Highest sequence number ever given to a message of it; 0 before the first. Deleting does not lower it. */
            last_sequence: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it or a message of it last changed.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
        };
        /** @description A message of the last conversation before it. */
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
            /** @description Its place: 1, 2, 3… Never reused, so a deleted message leaves a gap. */
            sequence: number;
            role: components["schemas"]["MessageRole"];
            /**
             * @description What was said, kept byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
             * @example Where is my refund for order 1029?
             */
            content: string;
            /**
             * @description Name of the speaker.
             * @example Maria
             */
            name: string | null;
            /**
             * @description The tool call that this answers or makes.
             * @example call_8fk2
             */
            tool_call_id: string | null;
            /**
             * @description The tool.
             * @example lookup_order
             */
            tool_name: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * @description The message as your framework stores it: any JSON array or object up to 500,000 bytes, kept exactly. Not searched.
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
             * @description Your own id for the message, unique in the conversation.
             * @example m-17
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description When it was said, to the millisecond; yours for history that you bring along.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When we stored it.
             * @example 2026-11-02T09:30:00.000Z
             */
            stored_at: string;
            /**
             * Format: date-time
             * @description When its content or metadata was changed.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string | null;
            /** @description Tells whether a message that comes again under its `external_id` is the same; null without one. */
            external_digest: string | null;
        };
        /** @description A memory, whole. */
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
             * @description What to remember, in Markdown or plain text, kept byte for byte: 1 to 1,000,000 bytes as UTF-8.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            /**
             * @description Where it comes from, as you name it.
             * @example slack
             */
            source: string | null;
            /**
             * @description The agent that the conversation belongs to, as you name it.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * @description Labels to filter by, in the order given; at most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * @description What it says in short; at most 1,000 characters.
             * @example Maria wants refunds to her card.
             */
            summary: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * @description The model that wrote what you did not of tags and summary; `engram/extractive-1` takes them from the text by rule. Null while nothing is written so.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. No two memories of one agent have the same.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description When it was captured; yours for notes that you bring along.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last captured or changed.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /** @description What of it you gave: no text model writes over that. */
            given: {
                /** @description Whether you gave its tags. */
                tags: boolean;
                /** @description Whether you gave its summary. */
                summary: boolean;
            };
        };
        /** @description The last line: an answer that does not end with it was cut off. */
        EndLine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "end";
            /** @description False when there is more: go on behind the last line before this one. */
            complete: boolean;
            /** @description Conversations of this answer. */
            conversations: number;
            /** @description Messages of this answer. */
            messages: number;
            /**
             * @description Memories of this answer.
             * @default 0
             */
            memories?: number;
        };
        /**
         * @example {
         *       "lines": 120000
         *     }
         */
        BeginImportBody: {
            /** @description How many lines there will be, if you know; `progress` tells it as `total`. */
            lines?: number;
        };
        ImportedLines: {
            conversations: {
                /** @description Conversations that are new. */
                created: number;
                /** @description Conversations that were there already. */
                existing: number;
            };
            messages: {
                /** @description Messages that are new. */
                created: number;
                /** @description Messages that were there already. */
                existing: number;
            };
            memories: {
                /** @description Memories that are new. */
                created: number;
                /** @description Memories that were there already. */
                existing: number;
            };
            /** @description Every line that was left out, in order; empty when all is there now. */
            problems: components["schemas"]["ImportProblem"][];
        };
        /** @description A line that was left out. */
        ImportProblem: {
            /** @description Number of the line in this request, from 1. */
            line: number;
            /**
             * @description `invalid_json`: no JSON that can be kept exactly. `validation_failed`: not a line as export gives them. `not_found`: a message whose conversation has not come before it. `import_conflict`: its place, id or external id holds something else, or its agent has a memory's content under another id.
             * @enum {string}
             */
            code: "invalid_json" | "validation_failed" | "not_found" | "import_conflict";
            /** @description What is wrong with it, for people. */
            detail: string;
        };
        /** @description A page of a list. */
        AuditEventPage: {
            /** @description The items of this page, in the list's order. */
            items: components["schemas"]["AuditEvent"][];
            /** @description Pass it as the cursor for the next page; null at the end. */
            next_cursor: string | null;
            /** @description How many items match in all; only with `include_total=true`. */
            total?: number;
        };
        AuditEvent: {
            /**
             * @description Id of an audit event.
             * @example evt_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description What was done. `organization.restored` is the organization's deletion called off. `messages.replaced` stands here when messages were deleted by it. The list only grows.
             * @enum {string}
             */
            action: "key.created" | "key.revoked" | "key.rotated" | "message.deleted" | "messages.replaced" | "conversation.deleted" | "conversations.deleted" | "memory.deleted" | "memories.deleted" | "data.exported" | "organization.deleted" | "organization.restored";
            /**
             * @description The key that it was done with; null for the operator.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string | null;
            /**
             * @description The key, message, conversation or memory that it was done to; of `messages.replaced` the conversation, of `key.rotated` the old key, of `conversations.deleted` and `memories.deleted`, which are by a filter, `data.exported`, `organization.deleted` and `organization.restored` the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * @description The deletion's receipt, where there is one; of `organization.restored` that of the deletion that was called off.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            operation_id: string | null;
            /**
             * Format: date-time
             * @description When it was done.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description A page of a list. */
        UsagePage: {
            /** @description The items of this page, in the list's order. */
            items: components["schemas"]["Usage"][];
            /** @description Pass it as the cursor for the next page; null at the end. */
            next_cursor: string | null;
            /** @description How many items match in all; only with `include_total=true`. */
            total?: number;
        };
        /** @description What a key was used for on one day. */
        Usage: {
            /**
             * Format: date
             * @description The day, in UTC.
             * @example 2026-11-02
             */
            day: string;
            /**
             * @description The key that asked for it; null for work that no key asked for, such as indexing by the sweep.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string | null;
            /** @description Requests made with the key, refused ones too. A request to `/mcp` is one, whatever tools it calls. */
            requests: number;
            /** @description Messages stored, by a fork or an import too, and memories captured, each as one. What was there already, by its external id, by its content as a memory, by a repeat under an idempotency key or by an earlier import, does not count again. */
            messages: number;
            /** @description UTF-8 bytes of content stored: of those messages and memories, and of those whose content was changed. */
            message_bytes: number;
            /** @description Searches answered, of conversations and of memories. */
            searches: number;
            /** @description Texts embedded: chunks of messages and of memories as they are indexed, anew too, and queries that are searched by meaning. What a text model reads of memories is not counted. */
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
             * @description Newest migration that this version needs.
             * @example 0002_message_traits.sql
             */
            migration: string;
        };
    };
    responses: {
        /** @description Refused: `code` says why. */
        400: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        401: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        403: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        404: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        409: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        412: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        413: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        415: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        422: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        429: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                /** @description Seconds after which trying again makes sense. */
                "Retry-After"?: number;
                /** @description Requests that a key, and all keys of its organization together, may send in so many seconds: `"key";q=1000;w=10, "organization";q=3000;w=10`. With every answer to a key. Counted approximately. */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        500: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Refused: `code` says why. */
        503: {
            headers: {
                /** @description Names this request. */
                "x-request-id"?: string;
                /** @description Seconds after which trying again makes sense. */
                "Retry-After"?: number;
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
export type ApiKeyWithSecret = components['schemas']['ApiKeyWithSecret'];
export type Scope = components['schemas']['Scope'];
export type Problem = components['schemas']['Problem'];
export type CreateOrganizationBody = components['schemas']['CreateOrganizationBody'];
export type Operation = components['schemas']['Operation'];
export type CreateKeyBody = components['schemas']['CreateKeyBody'];
export type ApiKeyPage = components['schemas']['ApiKeyPage'];
export type ApiKey = components['schemas']['ApiKey'];
export type RotateKeyBody = components['schemas']['RotateKeyBody'];
export type Conversation = components['schemas']['Conversation'];
export type Metadata = components['schemas']['Metadata'];
export type CreateConversationBody = components['schemas']['CreateConversationBody'];
export type ConversationPage = components['schemas']['ConversationPage'];
export type ConversationWithMessages = components['schemas']['ConversationWithMessages'];
export type MessagePage = components['schemas']['MessagePage'];
export type Message = components['schemas']['Message'];
export type MessageRole = components['schemas']['MessageRole'];
export type UpdateConversationBody = components['schemas']['UpdateConversationBody'];
export type ConversationsCounted = components['schemas']['ConversationsCounted'];
export type DeleteConversationsBody = components['schemas']['DeleteConversationsBody'];
export type ForkConversationBody = components['schemas']['ForkConversationBody'];
export type AppendedMessages = components['schemas']['AppendedMessages'];
export type AppendMessagesBody = components['schemas']['AppendMessagesBody'];
export type NewMessage = components['schemas']['NewMessage'];
export type UpdateMessageBody = components['schemas']['UpdateMessageBody'];
export type ReplacedMessages = components['schemas']['ReplacedMessages'];
export type ReplaceMessagesBody = components['schemas']['ReplaceMessagesBody'];
export type Memory = components['schemas']['Memory'];
export type MemoryKind = components['schemas']['MemoryKind'];
export type CreateMemoryBody = components['schemas']['CreateMemoryBody'];
export type CapturedMemories = components['schemas']['CapturedMemories'];
export type CreateMemoriesBody = components['schemas']['CreateMemoriesBody'];
export type NewMemory = components['schemas']['NewMemory'];
export type MemoryPage = components['schemas']['MemoryPage'];
export type MemoryWithChunks = components['schemas']['MemoryWithChunks'];
export type MemoryChunk = components['schemas']['MemoryChunk'];
export type UpdateMemoryBody = components['schemas']['UpdateMemoryBody'];
export type MemoriesCounted = components['schemas']['MemoriesCounted'];
export type DeleteMemoriesBody = components['schemas']['DeleteMemoriesBody'];
export type EnrichMemoriesBody = components['schemas']['EnrichMemoriesBody'];
export type MemorySearchAnswer = components['schemas']['MemorySearchAnswer'];
export type MemoryResult = components['schemas']['MemoryResult'];
export type Highlight = components['schemas']['Highlight'];
export type MatchedChunk = components['schemas']['MatchedChunk'];
export type SearchExplanation = components['schemas']['SearchExplanation'];
export type SearchMemoriesBody = components['schemas']['SearchMemoriesBody'];
export type SearchAnswer = components['schemas']['SearchAnswer'];
export type SearchResult = components['schemas']['SearchResult'];
export type MessagesResult = components['schemas']['MessagesResult'];
export type ConversationSummary = components['schemas']['ConversationSummary'];
export type SearchBody = components['schemas']['SearchBody'];
export type IndexStatus = components['schemas']['IndexStatus'];
export type RepairIndexBody = components['schemas']['RepairIndexBody'];
export type OperationPage = components['schemas']['OperationPage'];
export type ExportLine = components['schemas']['ExportLine'];
export type ConversationLine = components['schemas']['ConversationLine'];
export type MessageLine = components['schemas']['MessageLine'];
export type MemoryLine = components['schemas']['MemoryLine'];
export type EndLine = components['schemas']['EndLine'];
export type BeginImportBody = components['schemas']['BeginImportBody'];
export type ImportedLines = components['schemas']['ImportedLines'];
export type ImportProblem = components['schemas']['ImportProblem'];
export type AuditEventPage = components['schemas']['AuditEventPage'];
export type AuditEvent = components['schemas']['AuditEvent'];
export type UsagePage = components['schemas']['UsagePage'];
export type Usage = components['schemas']['Usage'];
export type Health = components['schemas']['Health'];
export type Readiness = components['schemas']['Readiness'];
export type Response400 = components['responses']['400'];
export type Response401 = components['responses']['401'];
export type Response403 = components['responses']['403'];
export type Response404 = components['responses']['404'];
export type Response409 = components['responses']['409'];
export type Response412 = components['responses']['412'];
export type Response413 = components['responses']['413'];
export type Response415 = components['responses']['415'];
export type Response422 = components['responses']['422'];
export type Response429 = components['responses']['429'];
export type Response500 = components['responses']['500'];
export type Response503 = components['responses']['503'];
export type $defs = Record<string, never>;
export interface operations {
    createOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOrganization"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an organization. */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an organization. */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt, filled in as the purge goes on. */
            202: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Most items of a page; it may hold fewer. */
                limit?: number;
                /** @description `next_cursor` of the page before, with all other parameters as they were. */
                cursor?: string;
                /** @description Count all matching items too. Costs a scan; off by default. */
                include_total?: boolean;
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a key, not its secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a key, not its secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of a key, not its secret. */
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Most items of a page; it may hold fewer. */
                limit?: number;
                /** @description `next_cursor` of the page before, with all other parameters as they were. */
                cursor?: string;
                /** @description Count all matching items too; off by default. `total` is null when the service would have to read more than 4,000 items with a filter by tags or metadata, or 50,000 with another filter. */
                include_total?: boolean;
                /** @description The agent that the conversation belongs to, as you name it. */
                agent_id?: string;
                /** @description The person that the conversation is with, as you name them. */
                user_id?: string;
                /** @description Your own id for it, unique in the organization. */
                external_id?: string;
                /** @description Only conversations with at least one of these tags. */
                tags_any?: string[];
                /** @description Only conversations with all of these tags. */
                tags_all?: string[];
                /** @description Only conversations created at this moment or later. */
                created_after?: string;
                /** @description Only conversations created before this moment. */
                created_before?: string;
                /** @description Only conversations whose metadata has all these values at the top level, as JSON: `{"ticket":"T-1029"}`. At most 16 values. */
                metadata?: string;
                /** @description What to order by. */
                sort?: "created_at" | "updated_at" | "message_count";
                /** @description Rising or falling. */
                order?: "asc" | "desc";
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationPage"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
            /** @description The conversation that had this `external_id` already. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Its version, for `If-Match`. */
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Its version, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getConversation: {
        parameters: {
            query?: {
                /** @description Most messages to answer; 0 for none. Fewer come when they are large, as `listMessages` says. */
                message_limit?: number;
                /** @description `next_cursor` of the page before, with all other parameters as they were. */
                message_cursor?: string;
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
            /** @description The conversation and its messages. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Its version, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationWithMessages"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Act only if it still has this `ETag`; otherwise 412. */
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
            /** @description The receipt, filled in as the purge goes on. */
            202: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            412: components["responses"]["412"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Act only if it still has this `ETag`; otherwise 412. */
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
            /** @description The conversation as it is now. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Its version, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteConversations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
            /** @description How much would be deleted, for a dry run. Nothing was. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationsCounted"];
                };
            };
            /** @description The receipt, filled in as the deletion goes on. */
            202: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    forkConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
            /** @description The fork. */
            201: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Its version, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Most messages of a page; it may hold fewer. */
                limit?: number;
                /** @description `next_cursor` of the page before, with all other parameters as they were. */
                cursor?: string;
                /** @description Count all matching items too. Costs a scan; off by default. */
                include_total?: boolean;
                /** @description First sequence number of the range. */
                from_sequence?: number;
                /** @description Last sequence number of the range. */
                to_sequence?: number;
                /** @description Only the newest so many, still oldest first. When they are too large for a page, `next_cursor` leads to the earlier ones of them. */
                newest?: number;
                /** @description Only the messages around this one, and itself: the nearest, when they are too large for a page. */
                around?: string;
                /** @description With `around`: how many before it; 5 by default. */
                before?: number;
                /** @description With `around`: how many after it; 5 by default. */
                after?: number;
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    appendMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
            /** @description What was stored. */
            201: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppendedMessages"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getMessage: {
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
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteMessage: {
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
        requestBody?: never;
        responses: {
            /** @description The receipt, filled in as the vectors go. */
            202: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
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
            /** @description The message as it is now. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    replaceMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
            /** @description What was deleted and stored. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplacedMessages"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listMemories: {
        parameters: {
            query?: {
                /** @description Most items of a page; it may hold fewer. */
                limit?: number;
                /** @description `next_cursor` of the page before, with all other parameters as they were. */
                cursor?: string;
                /** @description Count all matching items too; off by default. `total` is null when the service would have to read more than 4,000 items with a filter by tags or metadata, or 50,000 with another filter. */
                include_total?: boolean;
                /** @description Only memories of this agent. */
                agent_id?: string;
                /** @description Only memories of this kind. */
                kind?: "note" | "summary";
                /** @description Only memories from this source. */
                source?: string;
                /** @description Only memories with at least one of these tags. */
                tags_any?: string[];
                /** @description Only memories with all of these tags. */
                tags_all?: string[];
                /** @description Only memories captured at this moment or later. */
                created_after?: string;
                /** @description Only memories captured before this moment. */
                created_before?: string;
                /** @description Only memories whose metadata has all these values at the top level, as JSON. At most 16 values. */
                metadata?: string;
                /** @description What to order by. */
                sort?: "created_at" | "updated_at";
                /** @description Rising or falling. */
                order?: "asc" | "desc";
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryPage"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
            /** @description The memory that had this content already. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Its version, for `If-Match`. */
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Its version, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createMemories: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
            /** @description What was captured. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapturedMemories"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getMemory: {
        parameters: {
            query?: never;
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Its version, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryWithChunks"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Act only if it still has this `ETag`; otherwise 412. */
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
            /** @description The receipt, filled in as the purge goes on. */
            202: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            412: components["responses"]["412"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Act only if it still has this `ETag`; otherwise 412. */
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
            /** @description The memory as it is now. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Its version, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteMemories: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
            /** @description How many would be deleted, for a dry run. None was. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoriesCounted"];
                };
            };
            /** @description The receipt, filled in as the deletion goes on. */
            202: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    enrichMemories: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
            /** @description How far it is, filled in as it goes on. */
            202: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
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
            /** @description What was found. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemorySearchAnswer"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
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
            /** @description What was found. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchAnswer"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getIndexStatus: {
        parameters: {
            query?: {
                /** @description Id of a conversation. */
                conversation_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the index. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexStatus"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    repairIndex: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
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
            /** @description The operation, filled in as the repair goes on. */
            202: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listOperations: {
        parameters: {
            query?: {
                /** @description Only operations of this type. */
                type?: "delete_organization" | "delete_conversation" | "delete_conversations" | "delete_message" | "delete_memory" | "delete_memories" | "enrich_memories" | "repair_index" | "import";
                /** @description Only operations of this status. */
                status?: "running" | "succeeded" | "canceled";
                /** @description Most items of a page; it may hold fewer. */
                limit?: number;
                /** @description `next_cursor` of the page before, with all other parameters as they were. */
                cursor?: string;
                /** @description Count all matching items too. Costs a scan; off by default. */
                include_total?: boolean;
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationPage"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    exportConversations: {
        parameters: {
            query?: {
                /** @description Go on behind this conversation's line or message: `id` of the last conversation line received, or `conversation_id` of the last message line. */
                after_conversation_id?: string;
                /** @description With `after_conversation_id`: `sequence` of the last message line received; 0, the default, when it was the conversation itself. */
                after_sequence?: number;
                /** @description Go on behind this memory: `id` of the last memory line received. Memories come behind all conversations. */
                after_memory_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines, each as this schema says. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ExportLine"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    beginImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginImportBody"];
            };
        };
        responses: {
            /** @description The operation, which counts the lines as they come. */
            202: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    /** @description Present when an earlier request with this idempotency key is answered again. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    importConversations: {
        parameters: {
            query?: {
                /** @description The import, as `beginImport` answered it, that these lines are a part of. */
                operation_id?: string;
                /** @description With `operation_id`: how many lines of the import come before these, blank ones too; 0 by default. What the operation has had already may be sent again, but nothing be left out. */
                after_line?: number;
                /** @description With `operation_id`: that these lines are the last, so that the operation has succeeded. */
                last?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": components["schemas"]["ExportLine"];
            };
        };
        responses: {
            /** @description What was stored, and what was not. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedLines"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an operation. */
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    cancelOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an operation. */
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation, canceled. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Only events of this action. */
                action?: "key.created" | "key.revoked" | "key.rotated" | "message.deleted" | "messages.replaced" | "conversation.deleted" | "conversations.deleted" | "memory.deleted" | "memories.deleted" | "data.exported" | "organization.deleted" | "organization.restored";
                /** @description Most items of a page; it may hold fewer. */
                limit?: number;
                /** @description `next_cursor` of the page before, with all other parameters as they were. */
                cursor?: string;
                /** @description Count all matching items too. Costs a scan; off by default. */
                include_total?: boolean;
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listUsage: {
        parameters: {
            query?: {
                /** @description Only this day and later ones, in UTC. */
                from?: string;
                /** @description Only this day and earlier ones, in UTC. */
                to?: string;
                /** @description Only what this key asked for. */
                key_id?: string;
                /** @description Most items of a page; it may hold fewer. */
                limit?: number;
                /** @description `next_cursor` of the page before, with all other parameters as they were. */
                cursor?: string;
                /** @description Count all matching items too. Costs a scan; off by default. */
                include_total?: boolean;
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
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsagePage"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
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
            /** @description The service answers. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            403: components["responses"]["403"];
            500: components["responses"]["500"];
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
            /** @description The database is there and up to date. */
            200: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            403: components["responses"]["403"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
}
