/** Reads the body as text. Returns undefined and closes the connection once the body exceeds `bytesMax`. */
export async function readBounded(response: Response, bytesMax: number): Promise<string | undefined> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Returning from the loop cancels the body, which closes the connection.
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
