// Replaces the thread of the sentence model. Gives each text the number of texts before it as its vector.
import { parentPort } from "node:worker_threads";

let count = 0;
parentPort.on("message", (text) => {
  if (text === "crash") throw new Error("out of memory");
  if (text !== "hang") parentPort.postMessage(text === "bad" ? "no such text" : Float32Array.of(count++));
});
