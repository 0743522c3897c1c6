// JavaScript, because the Worker's types and Node's do not go together in one program.
import worker from "../../../service/src/worker.ts";
import { meterWorker } from "../../src/cost/meter.ts";

export default meterWorker(worker);
