/** An answer with what came beside its body. */
export interface Answer<T> {
  /** The body. */
  data: T;
  /** Status, headers and body, which can be read once; its `url` is empty. */
  response: Response;
  /** Names the request in the service's logs; null when the answer does not say, or a browser may not read it. */
  requestId: string | null;
  /** Version of the conversation or memory, for `ifMatch`; null when the answer has none. */
  etag: string | null;
}

/** A call under way: awaits to the body of its answer. */
export interface Call<T> extends Promise<T> {
  /**
   * The body with the response's headers, request id and ETag. Rejects as the call itself does.
   *
   * @example
   * ```ts
   * const { data, etag, requestId } = await engram.conversations.get(conversation.id).withResponse();
   * ```
   */
  withResponse(): Promise<Answer<T>>;
  /**
   * The response with its body, which can be read once; its `url` is empty. Rejects as the call itself does.
   *
   * @example
   * ```ts
   * const response = await engram.conversations.get(conversation.id).asResponse();
   * const json = await response.text(); // byte for byte
   * ```
   */
  asResponse(): Promise<Response>;
}

/** The call that settles with an answer. */
export function toCall<T>(answer: Promise<Answer<T>>): Call<T> {
  const body = answer.then(({ data }) => data);
  const withResponse = () => {
    // The caller watches the whole answer; the body's own rejection would go unhandled.
    body.catch(() => {});
    return answer;
  };
  const asResponse = async () => (await withResponse()).response;
  return Object.assign(body, { withResponse, asResponse });
}
