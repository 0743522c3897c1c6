// The program of a worker thread. Answers each message, a text, in order: with its vector, or, if the text cannot be
// embedded, with the reason.
import { on } from "node:events";
import { parentPort } from "node:worker_threads";
import { SentenceModel } from "./model.ts";

/** If this text fails too, the model does not work at all. */
const HARMLESS_TEXT = "hello";

if (parentPort === null) throw new Error("This program runs in a worker thread.");
// Before the model is loaded, which takes a while: messages that come meanwhile must wait, not be lost.
const messages = on(parentPort, "message");
const model = new SentenceModel();
for await (const [text] of messages) parentPort.postMessage(embed(text));

/** Ends the thread with an exception if the model does not work at all. */
function embed(text: string): Float32Array | string {
  try {
    return model.embed(text);
  } catch (error) {
    model.embed(HARMLESS_TEXT);
    return error instanceof Error ? error.message : String(error);
  }
}
