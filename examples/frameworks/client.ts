import { Engram } from "@engram/sdk";
import { findService } from "../service.ts";

export const engram = new Engram(await findService());
