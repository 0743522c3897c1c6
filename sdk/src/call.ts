/** The parsed body of a response, with the response itself. */
export interface Answer<T> {
  /** The parsed body. */
  data: T;
  /** The response itself. Its body can be read once; its `url` is empty. */
  response: Response;
  /**
   * Identifies the request in the service's logs; null when the header is missing or a browser cannot read
   * it.
   */
  requestId: string | null;
  /** Version of the conversation or memory; pass it as `ifMatch`. Null when the response has no ETag. */
  etag: string | null;
}

/** A call in progress. Awaiting it gives the body of the response. */
export interface Call<T> extends Promise<T> {
  /**
   * The body with the response's headers, request id and ETag. Rejects with the same error as the call.
   *
   * @example
   * ```ts
   * const { data, etag, requestId } = await engram.conversations.get(conversation.id).withResponse();
   * ```
   */
  withResponse(): Promise<Answer<T>>;
  /**
   * The response, whose body can be read once and whose `url` is empty. Rejects with the same error as the
   * call.
   *
   * @example
   * ```ts
   * const response = await engram.conversations.get(conversation.id).asResponse();
   * const json = await response.text(); // byte for byte
   * ```
   */
  asResponse(): Promise<Response>;
}

export function toCall<T>(answer: Promise<Answer<T>>): Call<T> {
  const body = answer.then(({ data }) => data);
  const withResponse = () => {
    // The caller awaits the full response, and may never await `body`. Without this handler, a failure would then also
    // be reported as an unhandled rejection of `body`.
    body.catch(() => {});
    return answer;
  };
  const asResponse = async () => (await withResponse()).response;
  return Object.assign(body, { withResponse, asResponse });
}
