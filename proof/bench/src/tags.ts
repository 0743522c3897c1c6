// The command of `npm run bench:tags`: do notes about the same topic get the same tag, and does a vocabulary
// help?
import { enrichByExtraction } from "../../../local/src/enricher/enricher.ts";
import { EXTRACTIVE_MODEL } from "../../../local/src/enricher/model.ts";
import { readEnrichmentChoice } from "../../../local/src/enrichment/choice.ts";
import { EndpointTextModel } from "../../../local/src/enrichment/endpoint.ts";
import { workersAiEnricher } from "../../../service/src/platform/enricher.ts";
import { runCommand } from "./command/command.ts";
import { readOptions } from "./command/options.ts";
import { MANNERS, measureDrift, type Tagger, tagNotes } from "./tags/drift.ts";
import { type Kinship, TOPICS } from "./tags/topics.ts";

const USAGE = `Usage: npm run bench:tags

Tags the notes of proof/bench/src/tags with the built-in text model, or with the one that ENGRAM_ENRICHMENT_URL,
ENGRAM_ENRICHMENT_MODEL and ENGRAM_ENRICHMENT_API_KEY name.`;
const KINSHIPS: (Kinship | undefined)[] = [undefined, "listed", "inflected", "unlike"];

await runCommand(USAGE, async ({ argv, print }) => {
  readOptions(argv, {});
  const { model, tag } = chooseTagger(print);
  print(`${TOPICS.length} topics, tagged by ${model}\n`);
  print(`${"".padEnd(24)}${["notes", "named", "names a topic", "together"].map(right).join("")}`);
  for (const manner of MANNERS) {
    const notes = await tagNotes(TOPICS, tag, manner);
    for (const kinship of KINSHIPS) {
      const { notes: count, named, namesPerTopic, together } = measureDrift(notes, kinship);
      const cells = [String(count), named.toFixed(1), namesPerTopic.toFixed(2), together.toFixed(1)];
      print(`${(kinship === undefined ? manner : `  ${kinship}`).padEnd(24)}${cells.map(right).join("")}`);
    }
  }
  return 0;
});

function chooseTagger(print: (line: string) => void): { model: string; tag: Tagger } {
  const address = readEnrichmentChoice(process.env);
  if (address === undefined) {
    const tag: Tagger = async (note, vocabulary) => enrichByExtraction(note, vocabulary).tags;
    return { model: EXTRACTIVE_MODEL, tag };
  }
  const endpoint = new EndpointTextModel(address, print);
  // The enricher sends only inputs of text models.
  const run = async (_: string, input: object) => ({
    response: await endpoint.answer(input as Parameters<EndpointTextModel["answer"]>[0]),
  });
  const enricher = workersAiEnricher({ run }, endpoint.model);
  return {
    model: endpoint.description,
    tag: async (note, vocabulary) => (await enricher.enrich(note, vocabulary))?.tags ?? null,
  };
}

function right(cell: string): string {
  return cell.padStart(15);
}
