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
         * @description Creates an organization and its first key, which has every scope. Requires the admin token; if none is configured, the request fails with 404. The secret of the key is shown only in this response, so a repeat with the same idempotency key fails with 409, which names the id of the organization.
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
         * @description Returns the organization of the key, or any organization with the admin token. A deleted organization is returned only with the admin token, until its last row is purged.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        /**
         * Delete an organization
         * @description Deletes an organization: its keys are revoked and its data is excluded from every response at once. Rows, keyword index and vectors are then purged in steps. Requires the admin token, or a key of the organization with the scope `admin`. The purge begins within a minute, or later if others are waiting, and purges 1,000 conversations or memories per step. With the admin token, `cancelOperation` can restore what is not purged yet. What is purged cannot be restored.
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
         * @description Returns a page of the organization's keys, newest first, including revoked and expired ones. Never returns secrets.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Creates a key for the organization of the calling key. It can have only scopes that the calling key has. The secret is shown only in this response, so a repeat with the same idempotency key fails with 409, which names the id of the key.
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
         * @description Returns a key, without its secret.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Revokes a key. Once the request returns, the key can read and write nothing, wherever it is used. Revoking it again has no effect. A key may revoke itself.
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
         * @description Creates a key with the same name, scopes and agent. The old key expires after the overlap. A key that is revoked, expired or already rotated cannot be rotated: the request fails with 404.
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
         * @description Returns a page of conversations. All filters must match. A page may hold fewer items than `limit`: its JSON stays under 2 MB, and its metadata and parts under 50,000 fields and items, unless a single item is larger. A page may even be empty without being the last, because one request reads at most 4,000 items with a filter by tags or metadata, or 50,000 otherwise. Continue until `next_cursor` is null. A conversation that is created or updated while you page may be skipped or repeated; no other is.
         */
        get: operations["listConversations"];
        put?: never;
        /**
         * Create a conversation
         * @description Creates an empty conversation, or returns the existing one with this `external_id`.
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
         * @description Returns a conversation with a page of its messages, oldest first.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation
         * @description Deletes a conversation with all its messages. They are excluded from every response at once. Rows, keyword index and vectors are then purged in steps. Cannot be undone.
         */
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        /**
         * Update a conversation
         * @description Changes title, tags or metadata; omitted fields stay unchanged. With `If-Match`, only if the conversation has not changed since.
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
         * Delete conversations by filter
         * @description Deletes every conversation that matches the filter, with all its messages. Up to 1,000 are excluded from every response before the request returns, the others soon after in steps of up to 1,000, oldest first. A step reads at most 4,000 conversations with a filter by tags or metadata, or 50,000 otherwise. Conversations created after the request are not deleted. Rows, keyword index and vectors are then purged in steps. `cancelOperation` stops the steps that remain; conversations that are already excluded cannot be restored.
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
         * @description Copies a conversation: its agent, user, tags and metadata, and its messages up to a sequence number, with the same sequence numbers and new ids. Later changes to one of the two do not affect the other. All messages are copied, or none. Limits: 10,000 messages, beyond which the request fails with 409, and 2,097,152 bytes of content, parts, metadata, names and ids, beyond which it fails with 413.
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
         * @description Returns a page of messages, oldest first: a range of sequence numbers, the newest ones (`newest`), or those around a message (`around`). A page may hold fewer items than `limit`: its JSON stays under 2 MB, and its metadata and parts under 50,000 fields and items, unless a single item is larger.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Append messages to a conversation
         * @description Adds messages to the end of the conversation, all or none, with consecutive sequence numbers. They are stored durably when the request returns. Keyword search finds them at once, semantic search within seconds. One append holds at most 2,097,152 bytes (content as UTF-8, everything else as JSON); a larger one fails with 413 and stores nothing.
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
         * @description Returns one message, byte for byte as it was stored.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        /**
         * Delete a message
         * @description Deletes a message and its entries in the keyword index at once. The vectors of the windows that contained it are deleted afterwards. Its sequence number is never reused. Cannot be undone.
         */
        delete: operations["deleteMessage"];
        options?: never;
        head?: never;
        /**
         * Update a message
         * @description Changes content or metadata; omitted fields stay unchanged. Keyword search finds the new text at once, and no longer the old one. The vector follows within seconds.
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
         * @description Deletes the messages from a sequence number on and adds others in their place, all or none. Nothing changes unless the conversation still ends at `expected_last_sequence`. Without new messages, the request removes the end: an atomic pop.
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
         * @description Returns a page of memories with their full content. All filters must match. A page may hold fewer items than `limit`: its JSON stays under 2 MB, and its metadata and parts under 50,000 fields and items, unless a single item is larger. A page may even be empty without being the last, because one request reads at most 4,000 items with a filter by tags or metadata, or 50,000 otherwise. Continue until `next_cursor` is null. A memory that is captured or changed while you page may be skipped or repeated; no other is.
         */
        get: operations["listMemories"];
        put?: never;
        /**
         * Capture a memory
         * @description Stores a memory verbatim. If the agent has a memory with exactly this content, that one is returned with 200: its `updated_at` is set to now, nothing else of it changes, and nothing is embedded again. If a text model is configured, it writes the tags and the summary that you do not give, soon after the response, and never replaces yours. Keyword search finds the memory at once, semantic search within seconds.
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
         * Capture memories in bulk
         * @description Stores up to 1,000 memories, all or none, each in the same way as a single capture. Content that occurs several times in the request is stored once. One bulk capture holds at most 2,097,152 bytes (content as UTF-8, everything else as JSON); a larger one fails with 413 and stores nothing.
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
         * @description Returns a memory with its full content, and the chunks by which semantic search finds it.
         */
        get: operations["getMemory"];
        put?: never;
        post?: never;
        /**
         * Delete a memory
         * @description Deletes a memory. It is excluded from every response at once. Row, keyword index and vectors are then purged. Cannot be undone. The same content can be captured again, as a new memory.
         */
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        /**
         * Update a memory
         * @description Changes the given fields; omitted fields stay unchanged. New content removes the tags and the summary that a text model wrote for the old content, and `enriched_by`. With `If-Match`, only if the memory has not changed since. If another memory of the agent has the content, the request fails with 409.
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
         * Delete memories by filter, or all
         * @description Deletes every memory that matches the filter, such as all of an agent, or all that the key can access. Up to 1,000 are excluded from every response before the request returns, the others soon after in steps of up to 1,000, oldest first. A step reads at most 4,000 memories with a filter by tags or metadata, or 50,000 otherwise. Memories captured after the request are not deleted. Rows, keyword index and vectors are then purged in steps. `cancelOperation` stops the steps that remain; memories that are already excluded cannot be restored.
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
         * Enrich memories with tags and summaries
         * @description Has the text model write the tags and summaries that are missing. It never changes tags and summaries that you gave. It replaces those of an earlier text model, but not its own. The work has two passes. The first suggests tags for each memory, without storing them. The second writes tags and summaries, and is offered the 50 most frequent suggestions of the first pass, so that one topic keeps one tag. Memories go through both passes in groups of 5,000, or 4,000 with a filter by tags or metadata, oldest first. `progress` does not count memories that are queued already: those captured or changed lately, which are enriched without this operation, and those of another enrichment.
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
         * @description Finds memories by meaning and by keywords, best first, each with its full content and the chunk that matched. Filters apply before ranking. Keyword search finds a memory as soon as it is stored, semantic search once its vectors are stored, within seconds.
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
         * @description Finds messages by meaning and by keywords, best first, each with its neighbors, and memories if `in` includes them. Filters apply before ranking. Keyword search finds a message as soon as it is stored, semantic search once its vector is stored, within seconds.
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
         * Get the status of the search index
         * @description Returns how much of the organization, including memories, or of one conversation semantic search can find now. For a single memory, get its chunks with `getMemory`.
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
         * @description Indexes every conversation and memory again from what is stored: keyword index, chunks and vectors. What was given up is tried again. If a repair of the same conversations and memories is queued or running, that repair is returned, unless everything that is left of it has failed before. Searches work during the repair, and stored content is not changed. The service queues conversations and memories in steps of 1,000, the first before the response. `cancelOperation` stops what has not begun.
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
         * @description Returns a page of operations, newest first. A key that is bound to an agent gets only those of its agent.
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
         * @description Streams every conversation, each followed by its messages in order, and then every memory, as one JSON object per line. Conversations and memories are ordered by id, which is the order of creation. `importConversations` accepts the lines as they are. The last line is `end`: a response without it was cut off, and one with `complete: false` reached the limit of one request. In both cases, continue from the position of the last line before it: nothing is skipped or repeated. The export is not a snapshot: items that are created, changed or deleted meanwhile are exported as they are when the export reaches them. Keys, operations, audit events and vectors are not included.
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
         * Begin an import in several requests
         * @description Creates an operation for an import that is too large for one request. Send its lines to `importConversations` in order: each request with `operation_id` and the number of lines before it, the last one with `last=true`. The operation counts the lines, so that an interrupted import can be resumed. If the response to a part was lost, send the same part again to get its result. `cancelOperation` cancels the import: what was stored stays, and no further lines are accepted. An import that is not complete after 7 days is canceled.
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
         * @description Imports conversations, messages and memories from the lines of an export, one JSON object per line. Ids, sequence numbers and times are kept. Existing items are left unchanged, so importing the same lines twice has no effect. Lines are stored in order, in batches of at most 2,097,152 bytes (content as UTF-8, everything else as JSON), one transaction each; a longer line is a batch of its own. A request that fails may have stored its first batches, each of them whole. Send it again: what is stored then counts as `existing`, and the response lists every problem. Invalid lines are listed in `problems` and do not prevent others from being stored. A conversation must precede its messages, in this request or an earlier one. Imported tags and summaries are kept as they are: the text model, if one is configured, writes only those that are missing. Keyword search finds everything at once, semantic search later. One request holds at most 1,000 lines, 8 MiB, and 100,000 fields and items in all lines together; a larger one fails with 413 and stores nothing. For a longer export, create an operation with `beginImport` and send the lines in parts, one after another. The operation counts exactly the lines that are stored or rejected, also if a part fails. Sending lines again is safe, but stores items again that were deleted in the meantime.
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
         * @description Returns an operation with its progress, and for a failed one the problem. For a deletion, it reports when each part was purged.
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
         * @description Cancels what is left of a `delete_conversations`, `delete_memories`, `repair_index`, `enrich_memories` or `import`: no further step begins. What was deleted stays deleted and is still purged; what was imported stays. With the admin token, it cancels operations of any organization, and also a `delete_organization` until the organization's last row is purged. Everything that is not purged yet is then restored at once, with the keys that the deletion revoked. Canceling again returns the same operation.
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
         * @description Returns a page of audit events, newest first: who created, revoked or rotated keys, who deleted or exported data, and who canceled the deletion of the organization. An event is written in the same transaction as its action, and only once if a request is repeated. Events are deleted with the organization, except `organization.deleted` and `organization.restored`, which stay in the database.
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
         * @description Returns a page of usage by day and key, newest day first. A day without usage has no item. For monitoring, not for billing: counts are kept in memory and stored within about a minute, or later while the database is down. Counts that a Worker has not stored when it ends are lost, and a write with an unknown outcome may count twice. To count messages and memories exactly, count the stored data. Usage is deleted with the organization.
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
         * Check that the service is running
         * @description Responds without a key and without reading the database.
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
         * Check that the service is ready
         * @description Reads the database once, without a key, and succeeds if it has every migration that this version requires. The embedding model and the vector store are not checked: without them everything works except semantic search, and each search reports that in `degraded`.
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
        /** @description A tenant: the owner of keys, conversations and memories. */
        Organization: {
            /**
             * @description Id of an organization.
             * @example org_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description Display name of the organization.
             * @example Acme support
             */
            name: string;
            /** @description Number of conversations, not counting memories. */
            conversation_count: number;
            /** @description Number of messages in these conversations. */
            message_count: number;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the deletion, after which its rows are purged; null if it is not deleted.
             * @example 2026-11-02T09:30:00.000Z
             */
            deleted_at: string | null;
        };
        /** @description A key with its secret, which is shown only once. */
        ApiKeyWithSecret: {
            /**
             * @description Id of a key, not its secret.
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
             * @description Agent that the key is bound to: it can read and write only that agent's data. Null for all.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time from which the key is rejected; null for never.
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
             * @description Secret that requests send as `Authorization: Bearer`. Shown only in this response; the service stores only a hash.
             * @example engram_sk_live_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py4kT9wQ
             */
            secret: string;
        };
        /**
         * @description `read`: get and list. `write`: create and update. `search`: search. `delete`: delete. `admin`: manage keys and the organization, export and import, and read audit events and usage.
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
            code: "validation_failed" | "invalid_json" | "invalid_cursor" | "unauthenticated" | "forbidden" | "not_found" | "external_id_conflict" | "content_conflict" | "sequence_conflict" | "too_many_messages" | "conversation_full" | "operation_ended" | "lines_missing" | "not_cancelable" | "secret_already_shown" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal" | "unavailable";
            /** @description What went wrong in this request and what to do next, for people. Safe to display. */
            detail: string;
            /**
             * @description Id of the request, also in the `x-request-id` header and in the log of the service.
             * @example req_01jd8m3q0v7y2k9x4c6e
             */
            request_id: string;
            /** @description Invalid fields, at most 100. Present only for `validation_failed`. */
            errors?: {
                /** @description Path of the invalid field, such as `messages.0.role`; empty for the request as a whole. */
                path: string;
                /** @description What is wrong with the field. */
                message: string;
            }[];
        };
        CreateOrganizationBody: {
            /**
             * @description Display name of the organization.
             * @example Acme support
             */
            name: string;
        };
        /** @description Receipt of the deletion of an organization. */
        DeleteOrganizationOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_organization";
            /**
             * @description Id of an operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` until nothing is left to do, then `succeeded` or `failed`; `canceled` after a cancel. Only a repair can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on; the id of the organization if it works on several.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when nothing was left to do; null before.
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
            /** @description Number of conversations and memories purged. After a cancel: of those that were not restored, which are still purged. */
            purged: number;
            /** @description Number of conversations and memories that a cancel restored; null before. */
            restored: number | null;
            /**
             * Format: date-time
             * @description Time when rows and keyword index were purged; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the point-in-time history of the database holds the deleted rows: 30 days after they were purged. Null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
        };
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
            agent_id?: string;
            /**
             * Format: date-time
             * @description Time from which the key is rejected; null for never.
             * @example 2026-11-02T09:30:00.000Z
             */
            expires_at?: string | null;
        };
        /** @description One page of a list. */
        ApiKeyPage: {
            /** @description Items of the page, in the order of the list. */
            items: components["schemas"]["ApiKey"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Number of all matching items. Present only with `include_total=true`. Null if counting would read too many items. */
            total?: number | null;
        };
        /** @description A key without its secret. */
        ApiKey: {
            /**
             * @description Id of a key, not its secret.
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
             * @description Agent that the key is bound to: it can read and write only that agent's data. Null for all.
             * @example support-bot
             */
            agent_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time from which the key is rejected; null for never.
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
        RotateKeyBody: {
            /**
             * @description Seconds for which the old key stays valid; 0 ends it at once. If the old key expires earlier, it still does.
             * @default 3600
             */
            overlap_seconds?: number;
            /**
             * Format: date-time
             * @description Time from which the new key is rejected. Default: never.
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
             * @description Your own id for the user that the conversation is with.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Labels to filter by, in the given order. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            metadata: components["schemas"]["Metadata"];
            /** @description Number of messages in the conversation. */
            message_count: number;
            /** @description Highest sequence number ever assigned to a message of the conversation; 0 before the first. Deletions do not lower it. */
            last_sequence: number;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change to the conversation or to one of its messages.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
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
             * @description Your own id for the conversation. If the organization has a conversation with this external id, that one is returned with 200, unchanged.
             * @example ticket-1029
             */
            external_id?: string;
            /**
             * @description Title of the conversation. At most 1,000 characters.
             * @example Refund for order 1029
             */
            title?: string;
            /**
             * @description Your own id for the agent that the conversation belongs to. A key bound to an agent sets that agent, and rejects any other with 403.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Your own id for the user that the conversation is with.
             * @example user_4711
             */
            user_id?: string;
            /**
             * @description Labels to filter by, in the given order. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            metadata?: components["schemas"]["Metadata"];
        };
        /** @description One page of a list. */
        ConversationPage: {
            /** @description Items of the page, in the order of the list. */
            items: components["schemas"]["Conversation"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Number of all matching items. Present only with `include_total=true`. Null if counting would read too many items. */
            total?: number | null;
        };
        ConversationWithMessages: {
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
             * @description Your own id for the user that the conversation is with.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Labels to filter by, in the given order. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            metadata: components["schemas"]["Metadata"];
            /** @description Number of messages in the conversation. */
            message_count: number;
            /** @description Highest sequence number ever assigned to a message of the conversation; 0 before the first. Deletions do not lower it. */
            last_sequence: number;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change to the conversation or to one of its messages.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            messages: components["schemas"]["MessagePage"];
        };
        /** @description One page of a list. */
        MessagePage: {
            /** @description Items of the page, in the order of the list. */
            items: components["schemas"]["Message"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Number of all matching items. Present only with `include_total=true`. Null if counting would read too many items. */
            total?: number | null;
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
            /** @description Position in the conversation: 1, 2, 3… A sequence is never reused, so a deleted message leaves a gap. */
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
             * @description Name of the tool.
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
             * @description Time when the message was said, with millisecond precision. You can set it for messages of the past.
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
        };
        /**
         * @description Role of the speaker.
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
             * @description Title of the conversation. At most 1,000 characters.
             * @example Refund for order 1029
             */
            title?: string | null;
            /**
             * @description New tags, which replace all of the old.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags?: string[];
            metadata?: components["schemas"]["Metadata"] & unknown;
        };
        /** @description Receipt of the deletion of one conversation. */
        DeleteConversationOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_conversation";
            /**
             * @description Id of an operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` until nothing is left to do, then `succeeded` or `failed`; `canceled` after a cancel. Only a repair can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on; the id of the organization if it works on several.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when nothing was left to do; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Time when rows and keyword index were purged; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the point-in-time history of the database holds the deleted rows: 30 days after they were purged. Null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
        };
        ConversationsCounted: {
            /** @description Number of conversations that match the filter now. */
            conversations: number;
            /** @description Number of messages in these conversations. */
            messages: number;
            /** @description Whether everything was counted. `false` if a dry run would read more than 100,000 items with a filter by tags or metadata, or 1,250,000 otherwise. The counts then cover only the oldest items, and a deletion may find more. */
            complete: boolean;
        };
        /** @description Receipt of the deletion of conversations by filter. */
        DeleteConversationsOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_conversations";
            /**
             * @description Id of an operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` until nothing is left to do, then `succeeded` or `failed`; `canceled` after a cancel. Only a repair can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on; the id of the organization if it works on several.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when nothing was left to do; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of conversations completed so far. */
                done: number;
                /** @description Number of conversations to complete. Null until all that match are found, which takes several steps if not all fit into the first. */
                total: number | null;
            };
            /** @description Number of conversations excluded from every response. They are purged afterwards. */
            soft_deleted: number;
            /**
             * Format: date-time
             * @description Time when rows and keyword index were purged; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the point-in-time history of the database holds the deleted rows: 30 days after they were purged. Null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
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
                 * @description Only conversations whose metadata has all of these values at the top level. At most 16 values.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            /**
             * @description Whether to only count what would be deleted. Recommended before every deletion.
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
            /** @description Last sequence number to copy; 0 for no messages. Default: all messages. */
            sequence?: number;
            /**
             * @description Your own id for the fork. No other conversation of the organization may have it.
             * @example ticket-1029
             */
            external_id?: string;
            /**
             * @description Title of the fork. Default: the title of the original.
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
            /** @description Ids of all messages of the request, in the same order. */
            message_ids: string[];
            /** @description Ids of the messages that were stored already, recognized by their `external_id`. */
            existing_ids: string[];
            /** @description Sequence of the first new message; null if none is new. */
            first_sequence: number | null;
            /** @description Sequence of the last new message; null if none is new. */
            last_sequence: number | null;
            /** @description Whether the vector store had accepted the vectors before the response. Always `false` without `wait`. */
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
             * @description `indexed`: respond only when the vector store has accepted the vectors, or after 25 seconds. Queries find the vectors some seconds later, or at once if the service runs on a single machine.
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
            name?: string;
            /**
             * @description Id of the tool call that the message makes or answers.
             * @example call_8fk2
             */
            tool_call_id?: string;
            /**
             * @description Name of the tool.
             * @example lookup_order
             */
            tool_name?: string;
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
            };
            /**
             * @description Your own id for the message, unique within the conversation. If the same message is stored already, its id is returned in `existing_ids`. If a different message has this external id, the request fails with 409 and stores nothing.
             * @example m-17
             */
            external_id?: string;
            /**
             * Format: date-time
             * @description Time when the message was said, with millisecond precision. Default: now.
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
        /** @description Receipt of the deletion of one message. */
        DeleteMessageOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_message";
            /**
             * @description Id of an operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` until nothing is left to do, then `succeeded` or `failed`; `canceled` after a cancel. Only a repair can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on; the id of the organization if it works on several.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when nothing was left to do; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Time when rows and keyword index were purged; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the point-in-time history of the database holds the deleted rows: 30 days after they were purged. Null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
        };
        ReplacedMessages: {
            /**
             * @description Id of a conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id: string;
            /** @description Ids of all messages of the request, in the same order. */
            message_ids: string[];
            /** @description Ids of the messages that were stored already, recognized by their `external_id`. */
            existing_ids: string[];
            /** @description Sequence of the first new message; null if none is new. */
            first_sequence: number | null;
            /** @description Sequence of the last new message; null if none is new. */
            last_sequence: number | null;
            /** @description Whether the vector store had accepted the vectors before the response. Always `false` without `wait`. */
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
            /** @description Sequence of the newest message that you know of; 0 for none. If it is not the newest in the conversation, the request fails with 409 and changes nothing. */
            expected_last_sequence: number;
            /** @description Sequence number of the first message to delete. All messages from there on are deleted, at most 10,000. */
            from_sequence: number;
            /** @description Messages to add in their place, with new sequence numbers; empty to only delete. At most 1,000, and in total at most 2,097,152 bytes (content as UTF-8, everything else as JSON). */
            messages: components["schemas"]["NewMessage"][];
            /**
             * @description `indexed`: respond only when the vector store has accepted the vectors, or after 25 seconds. Queries find the vectors some seconds later, or at once if the service runs on a single machine.
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
             * @description Text to remember, in Markdown or plain text, stored byte for byte: 1 to 1,000,000 bytes as UTF-8.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
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
             * @description Labels to filter by, in the given order. At most 64.
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
             * @description Model that wrote the tags or summary that you did not give; null if none did. `engram/extractive-1` stands for extraction from the text by rule.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description Time of capture, with millisecond precision. You can set it for memories of the past.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last capture or change.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description `note`: something to remember. `summary`: a summary of content from elsewhere, such as a conversation.
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
             * @description Text to remember, in Markdown or plain text, stored byte for byte: 1 to 1,000,000 bytes as UTF-8.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            kind?: components["schemas"]["MemoryKind"];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source?: string;
            /**
             * @description Your own id for the agent that the memory belongs to. A key bound to an agent sets that agent, and rejects any other with 403.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Labels to filter by, in the given order. At most 64.
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
            summary?: string;
            metadata?: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time of capture, with millisecond precision. Default: now.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at?: string;
            /**
             * @description `indexed`: respond only when semantic search can find the memory, which takes seconds, or after 25 seconds. A bulk capture waits for 25 memories at most. The chunks of a memory show what is indexed.
             * @enum {string}
             */
            wait?: "indexed";
        };
        CapturedMemories: {
            /** @description One item for each memory of the request, in the same order. */
            items: {
                /**
                 * @description Id of a memory.
                 * @example mem_06e3tqz8m1k4v9x2c7d0
                 */
                id: string;
                /** @description Whether the memory is new; `false` if its content was stored already. */
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
            /** @description Memories to store: 1 to 1,000, and in total at most 2,097,152 bytes (content as UTF-8, everything else as JSON). */
            memories: components["schemas"]["NewMemory"][];
            /**
             * @description `indexed`: respond only when semantic search can find the memory, which takes seconds, or after 25 seconds. A bulk capture waits for 25 memories at most. The chunks of a memory show what is indexed.
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
             * @description Text to remember, in Markdown or plain text, stored byte for byte: 1 to 1,000,000 bytes as UTF-8.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
            kind?: components["schemas"]["MemoryKind"];
            /**
             * @description Your own name for the source of the memory.
             * @example slack
             */
            source?: string;
            /**
             * @description Your own id for the agent that the memory belongs to. A key bound to an agent sets that agent, and rejects any other with 403.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Labels to filter by, in the given order. At most 64.
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
            summary?: string;
            metadata?: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Time of capture, with millisecond precision. Default: now.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at?: string;
        };
        /** @description One page of a list. */
        MemoryPage: {
            /** @description Items of the page, in the order of the list. */
            items: components["schemas"]["Memory"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Number of all matching items. Present only with `include_total=true`. Null if counting would read too many items. */
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
             * @description Text to remember, in Markdown or plain text, stored byte for byte: 1 to 1,000,000 bytes as UTF-8.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
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
             * @description Labels to filter by, in the given order. At most 64.
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
             * @description Model that wrote the tags or summary that you did not give; null if none did. `engram/extractive-1` stands for extraction from the text by rule.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description Time of capture, with millisecond precision. You can set it for memories of the past.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last capture or change.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /** @description Chunks of the memory, in order. */
            chunks: components["schemas"]["MemoryChunk"][];
        };
        /** @description A part of a memory with one vector. The chunks together are the whole content. */
        MemoryChunk: {
            /**
             * @description Id of a chunk: a window of messages or a part of a memory, with one vector.
             * @example chk_2k7d9x4c6e0v1m8q3t5z
             */
            id: string;
            /** @description Position among the chunks, from 0. */
            ordinal: number;
            /** @description Start in the content, after the overlap with the previous chunk. Counted in UTF-16 code units, as in JavaScript strings. */
            start: number;
            /** @description Exclusive end in the content, where the next chunk starts. Counted in UTF-16 code units, as in JavaScript strings. */
            end: number;
            /** @description Start of the text that is embedded: up to 64 tokens before `start`. Counted in UTF-16 code units, as in JavaScript strings. */
            overlap_start: number;
            /** @description Whether its vector is stored, so that semantic search can find the chunk. */
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
             * @description New content, which is chunked and embedded again.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content?: string;
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
        };
        /** @description Receipt of the deletion of one memory. */
        DeleteMemoryOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_memory";
            /**
             * @description Id of an operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` until nothing is left to do, then `succeeded` or `failed`; `canceled` after a cancel. Only a repair can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on; the id of the organization if it works on several.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when nothing was left to do; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Time when rows and keyword index were purged; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the point-in-time history of the database holds the deleted rows: 30 days after they were purged. Null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
        };
        MemoriesCounted: {
            /** @description Number of memories that would be deleted now. */
            memories: number;
            /** @description Whether everything was counted. `false` if a dry run would read more than 100,000 items with a filter by tags or metadata, or 1,250,000 otherwise. The counts then cover only the oldest items, and a deletion may find more. */
            complete: boolean;
        };
        /** @description Receipt of the deletion of memories by filter, or of all. */
        DeleteMemoriesOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_memories";
            /**
             * @description Id of an operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` until nothing is left to do, then `succeeded` or `failed`; `canceled` after a cancel. Only a repair can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on; the id of the organization if it works on several.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when nothing was left to do; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of memories completed so far. */
                done: number;
                /** @description Number of memories to complete. Null until all that match are found, which takes several steps if not all fit into the first. */
                total: number | null;
            };
            /** @description Number of memories excluded from every response. They are purged afterwards. */
            soft_deleted: number;
            /**
             * Format: date-time
             * @description Time when rows and keyword index were purged; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            rows_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time when the vector store confirmed that the vectors are deleted; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            vectors_deleted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the point-in-time history of the database holds the deleted rows: 30 days after they were purged. Null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            recoverable_until: string | null;
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
                 * @description Only memories whose metadata has all of these values at the top level. At most 16 values.
                 * @example {
                 *       "ticket": "T-1029"
                 *     }
                 */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            /**
             * @description Instead of a filter: delete every memory that the key can access.
             * @enum {boolean}
             */
            all?: true;
            /**
             * @description Whether to only count what would be deleted. Recommended before every deletion.
             * @default false
             */
            dry_run?: boolean;
        };
        /** @description An enrichment of memories with tags and summaries. */
        EnrichMemoriesOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "enrich_memories";
            /**
             * @description Id of an operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` until nothing is left to do, then `succeeded` or `failed`; `canceled` after a cancel. Only a repair can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on; the id of the organization if it works on several.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when nothing was left to do; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of memories completed so far. */
                done: number;
                /** @description Number of memories to complete. Null until everything is queued. */
                total: number | null;
            };
            /** @description Number of memories that the text model has enriched. `progress.done` also counts those for which it gave no usable answer. */
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
             * @description Memories to enrich. All conditions must match. Default: all that the key can access.
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
                 * @description Only memories whose metadata has all of these values at the top level. At most 16 values.
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
            /** @description Results, best first. */
            results: components["schemas"]["MemoryResult"][];
            /** @description Parts of the search that were not done; empty if it is complete. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: semantic search is incomplete, because the filters match more than one query of the vector store can name, too few of the nearest vectors pass the filters, or there are more conversations than a filter is compared with. `keyword_partial`: the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, a phrase of frequent words may have missed matches, or an exclusion may have excluded more. Or the words occur in more conversations than a filter is compared with, and only those with the rarest words were searched. `phrase_too_long`: a quoted phrase has more than 32 words, which counted as plain words. `model_mismatch`: some messages or memories have vectors of an earlier model and were searched by keywords only. A key that is bound to an agent also gets it if 5,000 vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded. A service on a single machine has none. The order is that without reranking. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description Number of messages and memories that semantic search cannot find yet, because their vectors are not stored or not visible to queries. Keyword search finds them. In `keyword` mode, only those without stored vectors. A lower bound if more than 5,000 indexing jobs of the organization are queued. */
            pending: number;
            /** @description Upper bound on the tokens that the content of all results costs a model. Counts one token for each started group of three letters or blanks, per digit, per other ASCII character, and per byte of everything else. A single space is free. A capital letter starts a new word. In a word without a vowel or with more than 24 letters, each letter counts. */
            tokens: number;
            /** @description Number of results left out, because they exceed `max_tokens` or the response would exceed 2 MB. To get them, raise `max_tokens` or use a narrower filter; for messages, also a smaller `context`. */
            omitted: number;
        };
        MemoryResult: {
            /**
             * @description A memory. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "memory";
            memory: components["schemas"]["Memory"];
            /** @description Orders the results of one search. Not comparable between searches. */
            score: number;
            /** @description Estimated probability that the result contains what the query asks for, from 0 to 1. Comparable between searches. It rises with the share of the query's words in the match or within two messages of it, rare words counting more, and with the similarity in meaning. In 95 of 100 cases, no result exceeds 0.25 if the topic never came up, and no result exceeds 0.6 if the question was never answered. */
            relevance: number;
            /** @description Ranges of the content that match words of the query, in order. At most 100, all within the first 100,000 UTF-16 code units. Empty if only meaning, neighbors or the speaker's name match. */
            highlights: components["schemas"]["Highlight"][];
            chunk: components["schemas"]["MatchedChunk"];
            explanation?: components["schemas"]["SearchExplanation"];
        };
        Highlight: {
            /** @description Start offset in UTF-16 code units, as in JavaScript strings, from 0. */
            start: number;
            /** @description Exclusive end offset. */
            end: number;
        };
        /** @description Chunk that matches best by meaning. Null if only keywords match, while changed content is not indexed yet, and for memories indexed by an earlier version until `repairIndex` is run. */
        MatchedChunk: {
            /**
             * @description Id of a chunk: a window of messages or a part of a memory, with one vector.
             * @example chk_2k7d9x4c6e0v1m8q3t5z
             */
            id: string;
            /** @description Position among the chunks, from 0. */
            ordinal: number;
            /** @description Start in the content, after the overlap with the previous chunk. Counted in UTF-16 code units, as in JavaScript strings. */
            start: number;
            /** @description Exclusive end in the content, where the next chunk starts. Counted in UTF-16 code units, as in JavaScript strings. */
            end: number;
            /** @description Start of the text that is embedded: up to 64 tokens before `start`. Counted in UTF-16 code units, as in JavaScript strings. */
            overlap_start: number;
        } | null;
        /** @description Components of the score, present with `explain`. The score before `rerank` is their sum, or lower for a message that no retriever ranks among its best. */
        SearchExplanation: {
            /** @description BM25 score of the message, scaled from 0 to 1 between the worst and the best of the 100 best messages. */
            message: number;
            /** @description BM25 score of the message together with two neighbors on each side, scaled likewise. */
            window: number;
            /** @description BM25 score of the conversation, scaled between the worst and the best of the 15 best. */
            conversation: number;
            /** @description Cosine similarity of the nearest chunk that contains the message, scaled over the 100 nearest chunks. */
            chunk: number;
            /** @description The preceding question matches the query. */
            answer: number;
            /** @description The message is a short question. Lowers the score. */
            question: number;
            /** @description The message contains a time, and the query asks when. */
            time: number;
            /** @description The message contains a number, and the query asks how many. */
            number: number;
            /** @description The message was said on a date in the query or soon after. */
            date: number;
            /** @description Below 0 if the query names another speaker. */
            speaker: number;
            /** @description The message contains a quoted phrase of the query. */
            phrase: number;
        };
        /**
         * @example {
         *       "query": "How does Maria want refunds?",
         *       "limit": 5
         *     }
         */
        SearchMemoriesBody: {
            /** @description Text to search for: a question, words or code. `-word` and `-"a phrase"` exclude messages that contain them. A `"quoted phrase"` must occur in a match in `keyword` mode, and ranks it higher in `hybrid` mode. A query of several lines is taken literally, without operators. Limits: 48 distinct words (the longest are used), 16 phrases and exclusions (the first are used), 32 words per phrase. A longer phrase counts as plain words; in `keyword` mode it is rejected with 400. */
            query: string;
            /**
             * @description `hybrid` searches by meaning and by keywords, `semantic` by meaning only, `keyword` by keywords only.
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
             * @description Only memories whose metadata has all of these values at the top level. At most 16 values.
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
             * @description Return the components of each match's score.
             * @default false
             */
            explain?: boolean;
            /**
             * @description Rerank the 50 best matches with a model that reads query and text together. More accurate but slower, usually by a few hundred milliseconds.
             * @default false
             */
            rerank?: boolean;
            /** @description Return only matches with at least this `relevance`. */
            min_relevance?: number;
            /** @description Maximum number of tokens that all returned texts may cost, as counted in `tokens`. A result that does not fit even without its neighbors is left out and counted in `omitted`. */
            max_tokens?: number;
        };
        SearchAnswer: {
            /** @description Results, best first. No message is in two results. */
            results: components["schemas"]["SearchResult"][];
            /** @description Parts of the search that were not done; empty if it is complete. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: semantic search is incomplete, because the filters match more than one query of the vector store can name, too few of the nearest vectors pass the filters, or there are more conversations than a filter is compared with. `keyword_partial`: the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, a phrase of frequent words may have missed matches, or an exclusion may have excluded more. Or the words occur in more conversations than a filter is compared with, and only those with the rarest words were searched. `phrase_too_long`: a quoted phrase has more than 32 words, which counted as plain words. `model_mismatch`: some messages or memories have vectors of an earlier model and were searched by keywords only. A key that is bound to an agent also gets it if 5,000 vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded. A service on a single machine has none. The order is that without reranking. */
            degraded: ("semantic" | "semantic_partial" | "keyword_partial" | "phrase_too_long" | "model_mismatch" | "rerank")[];
            /** @description Number of messages and memories that semantic search cannot find yet, because their vectors are not stored or not visible to queries. Keyword search finds them. In `keyword` mode, only those without stored vectors. A lower bound if more than 5,000 indexing jobs of the organization are queued. */
            pending: number;
            /** @description Upper bound on the tokens that the content of all results costs a model. Counts one token for each started group of three letters or blanks, per digit, per other ASCII character, and per byte of everything else. A single space is free. A capital letter starts a new word. In a word without a vowel or with more than 24 letters, each letter counts. */
            tokens: number;
            /** @description Number of results left out, because they exceed `max_tokens` or the response would exceed 2 MB. To get them, raise `max_tokens` or use a narrower filter; for messages, also a smaller `context`. */
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
            /** @description Sequence of the first message in `messages`. */
            start_sequence: number;
            /** @description Sequence of the last message in `messages`. */
            end_sequence: number;
            /** @description Orders the results of one search. Not comparable between searches. */
            score: number;
            /** @description Estimated probability that the result contains what the query asks for, from 0 to 1. Comparable between searches. It rises with the share of the query's words in the match or within two messages of it, rare words counting more, and with the similarity in meaning. In 95 of 100 cases, no result exceeds 0.25 if the topic never came up, and no result exceeds 0.6 if the question was never answered. */
            relevance: number;
            /** @description Messages that match, best first. All others in `messages` are neighbors. */
            matches: {
                /**
                 * @description Id of a message.
                 * @example msg_06e3tqz8m1k4v9x2c7d0
                 */
                message_id: string;
                /** @description Position in the conversation. */
                sequence: number;
                /** @description Score of this message. */
                score: number;
                /** @description Ranges of the content that match words of the query, in order. At most 100, all within the first 100,000 UTF-16 code units. Empty if only meaning, neighbors or the speaker's name match. */
                highlights: components["schemas"]["Highlight"][];
                explanation?: components["schemas"]["SearchExplanation"];
            }[];
            /** @description The matches and their neighbors, complete and verbatim, oldest first. At most 50; if there are more, those around the best matches. */
            messages: components["schemas"]["Message"][];
            /**
             * @description Chunk whose vector matches best; null if only keywords match.
             * @example chk_2k7d9x4c6e0v1m8q3t5z
             */
            chunk_id: string | null;
            /** @description Present if messages were left out, because the result would have more than 50 or the response more than 2 MB. Pass the range to `listMessages` to read all of them. */
            cut?: {
                /** @description First sequence of the complete range. */
                from_sequence: number;
                /** @description Last sequence of the complete range. */
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
             * @description Your own id for the user that the conversation is with.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Labels to filter by, in the given order. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            /**
             * Format: date-time
             * @description Time of creation.
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
            /** @description Text to search for: a question, words or code. `-word` and `-"a phrase"` exclude messages that contain them. A `"quoted phrase"` must occur in a match in `keyword` mode, and ranks it higher in `hybrid` mode. A query of several lines is taken literally, without operators. Limits: 48 distinct words (the longest are used), 16 phrases and exclusions (the first are used), 32 words per phrase. A longer phrase counts as plain words; in `keyword` mode it is rejected with 400. */
            query: string;
            /**
             * @description `hybrid` searches by meaning and by keywords, `semantic` by meaning only, `keyword` by keywords only.
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
             * @description What to search: `conversations`, `memories` or both in one ranking. Other filters apply to memories as to conversations. Filters that only conversations have (`conversation_id`, `user_id`, `roles`, `names`) exclude all memories.
             * @default [
             *       "conversations"
             *     ]
             */
            in?: ("conversations" | "memories")[];
            /**
             * @description Only messages of this conversation.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            conversation_id?: string;
            /**
             * @description Only messages in conversations of this agent.
             * @example support-bot
             */
            agent_id?: string;
            /**
             * @description Only messages in conversations with this user.
             * @example user_4711
             */
            user_id?: string;
            /**
             * @description Only messages in conversations with at least one of these tags.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags_any?: string[];
            /**
             * @description Only messages in conversations with all of these tags.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags_all?: string[];
            /** @description Only matches with one of these roles. */
            roles?: components["schemas"]["MessageRole"][];
            /** @description Only matches whose speaker has one of these names. */
            names?: string[];
            /**
             * @description Only messages in conversations whose metadata has all of these values at the top level. At most 16 values.
             * @example {
             *       "ticket": "T-1029"
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /**
             * Format: date-time
             * @description Only matches said at or after this time.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_after?: string;
            /**
             * Format: date-time
             * @description Only matches said before this time.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_before?: string;
            /**
             * @description Neighbors to return with each match. Filters do not apply to them.
             * @default {
             *       "before": 2,
             *       "after": 2
             *     }
             */
            context?: {
                /**
                 * @description Number of messages to return before each match.
                 * @default 2
                 */
                before?: number;
                /**
                 * @description Number of messages to return after each match.
                 * @default 2
                 */
                after?: number;
            };
            /**
             * @description Features that may adjust the score of a message in `hybrid` mode, in addition to words and meaning. Default: all; `[]` for none. `answer`: the preceding question matches the query. `question`: short questions rank lower. `time`, `number`: the query asks when or how many, and the message contains a time or a number. `date`: the message was said on a date in the query or soon after. `speaker`: if the query names a speaker, messages by others rank lower.
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
             * @description Return the components of each match's score.
             * @default false
             */
            explain?: boolean;
            /**
             * @description Rerank the 50 best matches with a model that reads query and text together. More accurate but slower, usually by a few hundred milliseconds.
             * @default false
             */
            rerank?: boolean;
            /** @description Return only matches with at least this `relevance`. */
            min_relevance?: number;
            /** @description Maximum number of tokens that all returned texts may cost, as counted in `tokens`. A result that does not fit even without its neighbors is left out and counted in `omitted`. */
            max_tokens?: number;
        };
        IndexStatus: {
            /**
             * @description Embedding model in use.
             * @example @cf/baai/bge-base-en-v1.5
             */
            model: string;
            /** @description Number of dimensions of its vectors. */
            dimensions: number;
            /** @description Number of messages and memories stored. Keyword search finds all of them. */
            messages: number;
            /** @description Number of messages and memories whose vectors the vector store has not accepted yet. */
            pending: number;
            /** @description Number of messages and memories whose indexing was given up after 10 attempts. `repairIndex` tries again. */
            failed: number;
            /** @description Number of chunks with a stored vector: windows of messages, and parts of memories. */
            chunks: number;
            /** @description Number of chunks whose vector is of an earlier model. They are not searched. */
            chunks_of_other_models: number;
            /** @description Number of vectors of deleted or replaced content that the vector store has not confirmed as deleted. */
            deletions_pending: number;
            /** @description Whether everything was counted. `false` if a count stopped at 50,000 rows. The counts are then lower bounds, except `messages` for a key that is not bound to an agent. */
            complete: boolean;
            /** @description Newest failure of what is pending or failed; null if nothing failed. */
            last_error: {
                /**
                 * @description Error code with its numbers, never text of a model or an endpoint. `text_refused`: the model accepts other texts, but not this one. `embedding_failed`, `vector_store_failed`: no response, or an invalid one. `internal_failure`: see the log. `earlier_failure`: from before an upgrade.
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
             * @description Id of an operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` until nothing is left to do, then `succeeded` or `failed`; `canceled` after a cancel. Only a repair can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on; the id of the organization if it works on several.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when nothing was left to do; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of conversations and memories completed so far. */
                done: number;
                /** @description Number of conversations and memories to complete. Null until everything is queued. */
                total: number | null;
            };
            /** @description Number of conversations and memories that were indexed again completely. */
            reindexed: number;
            /** @description Number of conversations and memories of which a part could not be indexed in 10 attempts. Keyword search still finds them. */
            failed: number;
            /** @description Why the repair failed; null unless `status` is `failed`. */
            problem: {
                /**
                 * @description Error code, for programs. `attempts_exhausted`: every attempt failed, up to the last one.
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
            /** @description Items of the page, in the order of the list. */
            items: components["schemas"]["Operation"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Number of all matching items. Present only with `include_total=true`. Null if counting would read too many items. */
            total?: number | null;
        };
        /** @description Work that continues after the response. The fields depend on `type`. The operation of a deletion is its receipt. */
        Operation: components["schemas"]["DeleteConversationOperation"] | components["schemas"]["DeleteConversationsOperation"] | components["schemas"]["DeleteMessageOperation"] | components["schemas"]["DeleteMemoryOperation"] | components["schemas"]["DeleteMemoriesOperation"] | components["schemas"]["DeleteOrganizationOperation"] | components["schemas"]["RepairIndexOperation"] | components["schemas"]["EnrichMemoriesOperation"] | components["schemas"]["ImportOperation"];
        /** @description An import in several requests. */
        ImportOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "import";
            /**
             * @description Id of an operation.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description `running` until nothing is left to do, then `succeeded` or `failed`; `canceled` after a cancel. Only a repair can fail.
             * @enum {string}
             */
            status: "running" | "succeeded" | "canceled" | "failed";
            /**
             * @description Id of the item that the operation works on; the id of the organization if it works on several.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * Format: date-time
             * @description Time of the request.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time when nothing was left to do; null before.
             * @example 2026-11-02T09:30:00.000Z
             */
            completed_at: string | null;
            /** @description How much of the work is complete. */
            progress: {
                /** @description Number of lines completed so far. */
                done: number;
                /** @description Number of lines to complete. Null if the number of lines was not given. */
                total: number | null;
            };
            /** @description Number of lines processed, whether stored or rejected. To resume the import, send the lines after these. */
            lines_processed: number;
        };
        ExportLine: components["schemas"]["ConversationLine"] | components["schemas"]["MessageLine"] | components["schemas"]["MemoryLine"] | components["schemas"]["EndLine"];
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
             * @description Your own id for the user that the conversation is with.
             * @example user_4711
             */
            user_id: string | null;
            /**
             * @description Labels to filter by, in the given order. At most 64.
             * @example [
             *       "billing",
             *       "refund"
             *     ]
             */
            tags: string[];
            metadata: components["schemas"]["Metadata"];
            /** @description Number of messages in the conversation. */
            message_count: number;
            /** @description Highest sequence number ever assigned to a message of the conversation; 0 before the first. Deletions do not lower it. */
            last_sequence: number;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change to the conversation or to one of its messages.
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
            /** @description Position in the conversation: 1, 2, 3… A sequence is never reused, so a deleted message leaves a gap. */
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
             * @description Name of the tool.
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
             * @description Time when the message was said, with millisecond precision. You can set it for messages of the past.
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
            /** @description Digest that shows whether a message sent again with the same `external_id` is the same message. Null if there is no `external_id`. */
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
             * @description Text to remember, in Markdown or plain text, stored byte for byte: 1 to 1,000,000 bytes as UTF-8.
             * @example Maria prefers refunds to her card, never store credit.
             */
            content: string;
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
             * @description Labels to filter by, in the given order. At most 64.
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
             * @description Model that wrote the tags or summary that you did not give; null if none did. `engram/extractive-1` stands for extraction from the text by rule.
             * @example @cf/meta/llama-3.1-8b-instruct-fast
             */
            enriched_by: string | null;
            /**
             * @description SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            content_hash: string;
            /**
             * Format: date-time
             * @description Time of capture, with millisecond precision. You can set it for memories of the past.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last capture or change.
             * @example 2026-11-02T09:30:00.000Z
             */
            updated_at: string;
            /** @description Fields that you gave. The text model does not replace them. */
            given: {
                /** @description Whether you gave the tags. */
                tags: boolean;
                /** @description Whether you gave the summary. */
                summary: boolean;
            };
        };
        /** @description The last line. A response that does not end with it was cut off. */
        EndLine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "end";
            /** @description `false` if there is more: continue after the last line before this one. */
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
        };
        /**
         * @example {
         *       "lines": 120000
         *     }
         */
        BeginImportBody: {
            /** @description Total number of lines, if you know it. `progress` reports it as `total`. */
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
            /** @description Lines that were not imported, in order; empty if everything is stored. */
            problems: components["schemas"]["ImportProblem"][];
        };
        /** @description A line that was not imported. */
        ImportProblem: {
            /** @description Number of the line in this request, from 1. */
            line: number;
            /**
             * @description `invalid_json`: not JSON, or not JSON that can be stored exactly. `validation_failed`: not a line of an export. `not_found`: a message whose conversation was not imported before it. `import_conflict`: its sequence, id or external id belongs to a different item, or its agent has a memory with this content under another id.
             * @enum {string}
             */
            code: "invalid_json" | "validation_failed" | "not_found" | "import_conflict";
            /** @description What is wrong with the line, for people. */
            detail: string;
        };
        /** @description One page of a list. */
        AuditEventPage: {
            /** @description Items of the page, in the order of the list. */
            items: components["schemas"]["AuditEvent"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Number of all matching items. Present only with `include_total=true`. Null if counting would read too many items. */
            total?: number | null;
        };
        AuditEvent: {
            /**
             * @description Id of an audit event.
             * @example evt_06e3tqz8m1k4v9x2c7d0
             */
            id: string;
            /**
             * @description What was done. `organization.restored`: the deletion of the organization was canceled. `messages.replaced` is recorded only if messages were deleted. Actions are added, but never renamed or removed.
             * @enum {string}
             */
            action: "key.created" | "key.revoked" | "key.rotated" | "message.deleted" | "messages.replaced" | "conversation.deleted" | "conversations.deleted" | "memory.deleted" | "memories.deleted" | "data.exported" | "organization.deleted" | "organization.restored";
            /**
             * @description Id of the key that was used; null for the operator.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string | null;
            /**
             * @description Id of the affected key, message, conversation or memory. `messages.replaced`: the conversation. `key.rotated`: the old key. `conversations.deleted` and `memories.deleted` (by filter), `data.exported`, `organization.deleted`, `organization.restored`: the organization.
             * @example conv_06e3tqz8m1k4v9x2c7d0
             */
            target_id: string;
            /**
             * @description Id of the receipt of a deletion, if there is one. `organization.restored`: the receipt of the canceled deletion.
             * @example op_06e3tqz8m1k4v9x2c7d0
             */
            operation_id: string | null;
            /**
             * Format: date-time
             * @description Time of the action.
             * @example 2026-11-02T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description One page of a list. */
        UsagePage: {
            /** @description Items of the page, in the order of the list. */
            items: components["schemas"]["Usage"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Number of all matching items. Present only with `include_total=true`. Null if counting would read too many items. */
            total?: number | null;
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
             * @description Id of the key; null for work without a key, such as indexing by the sweep.
             * @example key_06e3tqz8m1k4v9x2c7d0
             */
            key_id: string | null;
            /** @description Number of requests with the key, including rejected ones. A request to `/mcp` counts once, whatever tools it calls. */
            requests: number;
            /** @description Number of messages and memories stored, including those by a fork or an import. What was stored already does not count again: by its external id, by the content of a memory, by a repeat with an idempotency key, or by an earlier import. */
            messages: number;
            /** @description UTF-8 bytes of content stored: of these messages and memories, and of those whose content was changed. */
            message_bytes: number;
            /** @description Number of searches answered, of conversations and of memories. */
            searches: number;
            /** @description Number of texts embedded: chunks of messages and memories whenever they are indexed, and queries of hybrid and semantic searches. Text that a text model reads does not count. */
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
             * @description Newest migration that this version requires.
             * @example 0002_message_traits.sql
             */
            migration: string;
        };
    };
    responses: {
        /** @description Refused: `code` says why. */
        400: {
            headers: {
                /** @description Id of the request. */
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
                /** @description Id of the request. */
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
                /** @description Id of the request. */
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
                /** @description Id of the request. */
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
                /** @description Id of the request. */
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
                /** @description Id of the request. */
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
                /** @description Id of the request. */
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
                /** @description Id of the request. */
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
                /** @description Id of the request. */
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
                /** @description Id of the request. */
                "x-request-id"?: string;
                /** @description Seconds to wait before the request is sent again. */
                "Retry-After"?: number;
                /** @description Rate limits as requests (`q`) per window of `w` seconds, for the key and for all keys of its organization together: `"key";q=1000;w=10, "organization";q=3000;w=10`. Sent with every response to a key. Requests are counted approximately. */
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
                /** @description Id of the request. */
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
                /** @description Id of the request. */
                "x-request-id"?: string;
                /** @description Seconds to wait before the request is sent again. */
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
export type DeleteOrganizationOperation = components['schemas']['DeleteOrganizationOperation'];
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
export type DeleteMemoryOperation = components['schemas']['DeleteMemoryOperation'];
export type MemoriesCounted = components['schemas']['MemoriesCounted'];
export type DeleteMemoriesOperation = components['schemas']['DeleteMemoriesOperation'];
export type DeleteMemoriesBody = components['schemas']['DeleteMemoriesBody'];
export type EnrichMemoriesOperation = components['schemas']['EnrichMemoriesOperation'];
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
export type RepairIndexOperation = components['schemas']['RepairIndexOperation'];
export type RepairIndexBody = components['schemas']['RepairIndexBody'];
export type OperationPage = components['schemas']['OperationPage'];
export type Operation = components['schemas']['Operation'];
export type ImportOperation = components['schemas']['ImportOperation'];
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
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
                    /** @description Id of the request. */
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
            /** @description The operation of the deletion. Get it again with `getOperation` to see when rows and vectors are purged. */
            202: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteOrganizationOperation"];
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
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Whether to return `total`, the number of all matching items. Default `false`. `total` is null if counting would read more than 50,000 items. */
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
                    /** @description Id of the request. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
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
                    /** @description Id of the request. */
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
                    /** @description Id of the request. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
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
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Whether to return `total`, the number of all matching items. Default `false`. `total` is null if counting would read more than 4,000 items with a filter by tags or metadata, or 50,000 with another filter. */
                include_total?: boolean;
                /** @description Only conversations of this agent. */
                agent_id?: string;
                /** @description Only conversations with this user. */
                user_id?: string;
                /** @description Only the conversation with this external id. */
                external_id?: string;
                /** @description Only conversations with at least one of these tags. */
                tags_any?: string[];
                /** @description Only conversations with all of these tags. */
                tags_all?: string[];
                /** @description Only conversations created at or after this time. */
                created_after?: string;
                /** @description Only conversations created before this time. */
                created_before?: string;
                /** @description Only conversations whose metadata has all of these values at the top level, as a JSON object: `{"ticket":"T-1029"}`. At most 16 values. */
                metadata?: string;
                /** @description Field to sort by. */
                sort?: "created_at" | "updated_at" | "message_count";
                /** @description Sort order. */
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
                    /** @description Id of the request. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Version of the item, for `If-Match`. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Version of the item, for `If-Match`. */
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
                /** @description Maximum number of messages; 0 for none. Fewer are returned if they are large, see `listMessages`. */
                message_limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must stay the same. */
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
            /** @description The conversation and a page of its messages. */
            200: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Version of the item, for `If-Match`. */
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
                /** @description Proceed only if the current version has this `ETag`; otherwise 412. */
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
            /** @description The operation of the deletion. Get it again with `getOperation` to see when rows and vectors are purged. */
            202: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteConversationOperation"];
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
                /** @description Proceed only if the current version has this `ETag`; otherwise 412. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Version of the item, for `If-Match`. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationsCounted"];
                };
            };
            /** @description The operation of the deletion. Get it again with `getOperation` to see its progress, and when rows and vectors are purged. */
            202: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteConversationsOperation"];
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Version of the item, for `If-Match`. */
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
                /** @description Maximum number of messages per page; a page may hold fewer. Default 100. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Whether to return `total`, the number of all matching items. Default `false`. `total` is null if counting would read more than 50,000 items. */
                include_total?: boolean;
                /** @description First sequence number of the range. */
                from_sequence?: number;
                /** @description Last sequence number of the range. */
                to_sequence?: number;
                /** @description Return only this number of the newest messages, still oldest first. If they do not fit on one page, `next_cursor` leads to the earlier ones. */
                newest?: number;
                /** @description Return only this message and those around it. If they do not fit on one page, the nearest are returned. */
                around?: string;
                /** @description With `around`: number of messages before it. Default 5. */
                before?: number;
                /** @description With `around`: number of messages after it. Default 5. */
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
                    /** @description Id of the request. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
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
                    /** @description Id of the request. */
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
            /** @description The operation of the deletion. Get it again with `getOperation` to see when the vectors are deleted. */
            202: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteMessageOperation"];
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
            /** @description The updated message. */
            200: {
                headers: {
                    /** @description Id of the request. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
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
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Whether to return `total`, the number of all matching items. Default `false`. `total` is null if counting would read more than 4,000 items with a filter by tags or metadata, or 50,000 with another filter. */
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
                /** @description Only memories captured at or after this time. */
                created_after?: string;
                /** @description Only memories captured before this time. */
                created_before?: string;
                /** @description Only memories whose metadata has all of these values at the top level, as a JSON object. At most 16 values. */
                metadata?: string;
                /** @description Field to sort by. */
                sort?: "created_at" | "updated_at";
                /** @description Sort order. */
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
                    /** @description Id of the request. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Version of the item, for `If-Match`. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Version of the item, for `If-Match`. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Version of the item, for `If-Match`. */
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
                /** @description Proceed only if the current version has this `ETag`; otherwise 412. */
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
            /** @description The operation of the deletion. Get it again with `getOperation` to see when rows and vectors are purged. */
            202: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteMemoryOperation"];
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
                /** @description Proceed only if the current version has this `ETag`; otherwise 412. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Version of the item, for `If-Match`. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoriesCounted"];
                };
            };
            /** @description The operation of the deletion. Get it again with `getOperation` to see its progress, and when rows and vectors are purged. */
            202: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteMemoriesOperation"];
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
            /** @description The operation. Get it again with `getOperation` to see its progress. */
            202: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrichMemoriesOperation"];
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
            /** @description The results. */
            200: {
                headers: {
                    /** @description Id of the request. */
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
            /** @description The results. */
            200: {
                headers: {
                    /** @description Id of the request. */
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
            /** @description The status of the index. */
            200: {
                headers: {
                    /** @description Id of the request. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
            /** @description The operation, which reports the progress. */
            202: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepairIndexOperation"];
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
                status?: "running" | "succeeded" | "canceled" | "failed";
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Whether to return `total`, the number of all matching items. Default `false`. `total` is null if counting would read more than 50,000 items. */
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
                    /** @description Id of the request. */
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
                /** @description Continue the export after the last line that you received. If it was a conversation, send its `id`; if it was a message, send its `conversation_id`, and its sequence in `after_sequence`. */
                after_conversation_id?: string;
                /** @description With `after_conversation_id`: `sequence` of the last message line received, or 0 if the last line was the conversation itself. Default 0. */
                after_sequence?: number;
                /** @description Continue after this memory: `id` of the last memory line received. Memories follow all conversations. */
                after_memory_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines, each with this schema. */
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
                /** @description Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys. */
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
            /** @description The operation. It counts the lines of each part that you send with `importConversations`. */
            202: {
                headers: {
                    /** @description Id of the request. */
                    "x-request-id"?: string;
                    /** @description Present if the request repeats an earlier one with the same idempotency key. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportOperation"];
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
                /** @description The import that these lines are part of, from `beginImport`. */
                operation_id?: string;
                /** @description With `operation_id`: number of lines of the import before these, including blank ones. Default 0. Lines that the operation has counted may be sent again, but none may be left out. */
                after_line?: number;
                /** @description With `operation_id`: whether these are the last lines, after which the operation succeeds. */
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
            /** @description Counts of the items, and the lines that were not imported. */
            200: {
                headers: {
                    /** @description Id of the request. */
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
                    /** @description Id of the request. */
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
                    /** @description Id of the request. */
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
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Whether to return `total`, the number of all matching items. Default `false`. `total` is null if counting would read more than 50,000 items. */
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
                    /** @description Id of the request. */
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
                /** @description First day to return, in UTC. */
                from?: string;
                /** @description Last day to return, in UTC. */
                to?: string;
                /** @description Only usage of this key. */
                key_id?: string;
                /** @description Maximum number of items per page; a page may hold fewer. Default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Whether to return `total`, the number of all matching items. Default `false`. `total` is null if counting would read more than 50,000 items. */
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
                    /** @description Id of the request. */
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
            /** @description The service is running. */
            200: {
                headers: {
                    /** @description Id of the request. */
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
            /** @description The database responds and has every migration that this version requires. */
            200: {
                headers: {
                    /** @description Id of the request. */
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
