/** Measures the server against floors of the same run: `make bench`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programArguments, refuseArguments } from '@orch/testkit/program-arguments';
import { BenchContext } from './lib/context.ts';
import { hardwareLine } from './lib/hardware.ts';
import { type BenchResult, met } from './lib/measure.ts';
import { bareGetMicros, REFERENCE_GET_MICROS, scaled, slowness } from './lib/reference.ts';
import { pageOf, type Results, referenceOf, tableOf } from './lib/results-page.ts';
import { round } from './lib/round.ts';
import { admission } from './scenarios/admission/index.ts';
import { adversary } from './scenarios/adversary/index.ts';
import { aggregation } from './scenarios/aggregation/index.ts';
import { apply } from './scenarios/apply.ts';
import { auth } from './scenarios/auth.ts';
import { cel } from './scenarios/cel.ts';
import { client } from './scenarios/client.ts';
import { codec } from './scenarios/codec.ts';
import { collection } from './scenarios/collection.ts';
import { customResources } from './scenarios/custom-resources/index.ts';
import { growth } from './scenarios/growth.ts';
import { history } from './scenarios/history.ts';
import { informer } from './scenarios/informer.ts';
import { informerStart } from './scenarios/informer-start.ts';
import { largeObjects } from './scenarios/large-objects.ts';
import { manager } from './scenarios/manager.ts';
import { orchctl } from './scenarios/orchctl/index.ts';
import { reads } from './scenarios/reads.ts';
import { repeatingFields } from './scenarios/repeating-fields.ts';
import { scrape } from './scenarios/scrape.ts';
import { startup } from './scenarios/startup.ts';
import { testing } from './scenarios/testing.ts';
import { threads } from './scenarios/threads/index.ts';
import { watches } from './scenarios/watches/index.ts';
import { writeLadder } from './scenarios/write-ladder.ts';
import { writes } from './scenarios/writes.ts';

const pods = Number(process.env['PODS'] ?? '10000');
const scenarios: Readonly<Record<string, (context: BenchContext) => Promise<readonly BenchResult[]>>> = {
  startup: (context) => startup(context, pods),
  growth,
  threads: (context) => threads(context, pods),
  cel,
  codec: (context) => codec(context, pods),
  reads: (context) => reads(context, pods),
  writes,
  'write-ladder': writeLadder,
  history,
  'large-objects': largeObjects,
  'repeating-fields': repeatingFields,
  apply,
  adversary: (context) => adversary(context, pods),
  watches,
  auth,
  client,
  informer,
  'informer-start': (context) => informerStart(context, pods),
  collection,
  manager,
  scrape,
  orchctl,
  testing,
  admission,
  aggregation,
  'custom-resources': (context) => customResources(context, pods),
};

const usage = `make bench ARGS='[OPTION …] [SCENARIO …]'

Measures the server against floors of the same run. Writes bench/results/latest.json and docs/performance.md, or, for chosen
scenarios, bench/results/partial.json. PODS=2000 makes a quick run.

  --update   the results of the chosen scenarios replace those in bench/results/latest.json

Scenarios: ${Object.keys(scenarios).join(', ')}
`;

const { values, positionals: names } = programArguments(usage, {
  allowPositionals: true,
  options: { update: { type: 'boolean', default: false } },
});
const isUpdate = values.update;
const unknown = names.find((name) => !(name in scenarios));
if (unknown !== undefined) refuseArguments(`${unknown} is not a scenario`);
const chosen = names.length > 0 ? names : Object.keys(scenarios);
const rows: BenchResult[] = [];
const gets: number[] = [];
await using context = new BenchContext();
// The load of the machine varies: every scenario is scaled by its speed before and after it.
let before = await bareGetMicros(context);
for (const name of chosen) {
  const scenario = scenarios[name];
  if (scenario === undefined) continue;
  console.error(`bench: ${name} …`);
  const measured = await scenario(context);
  const after = await bareGetMicros(context);
  const getMicros = (before + after) / 2;
  const result = measured.map((row) => scaled(row, slowness(getMicros)));
  console.error(`${tableOf(result)}\n(bare GET: ${round(getMicros)} µs)`);
  rows.push(...result);
  gets.push(getMicros);
  before = after;
}

const hardware = hardwareLine();
const measuredGets = Object.fromEntries(chosen.map((name, index) => [name, gets[index] ?? 0]));

/** The committed results, in which those of this run replace the ones with the same name. */
function updated(committed: Results): Results {
  const fresh = new Map(rows.map((row) => [row.what, row]));
  const kept = committed.rows.map((row) => {
    const replacement = fresh.get(row.what) ?? row;
    fresh.delete(row.what);
    return replacement;
  });
  const getMicros = { ...committed.machine.getMicros, ...measuredGets };
  return {
    ...committed,
    hardware: committed.hardware.includes(hardware)
      ? committed.hardware
      : `${committed.hardware}; some scenarios: ${hardware}`,
    machine: { ...committed.machine, getMicros },
    rows: [...kept, ...fresh.values()],
  };
}

const results = join(import.meta.dirname, 'results');
const latest = join(results, 'latest.json');
mkdirSync(results, { recursive: true });
const measuredResults: Results = {
  hardware,
  machine: { referenceGetMicros: REFERENCE_GET_MICROS, getMicros: measuredGets },
  pods,
  rows,
};
const isWhole = names.length === 0;
const published =
  isUpdate && !isWhole ? updated(JSON.parse(readFileSync(latest, 'utf8')) as Results) : measuredResults;
writeFileSync(
  isWhole || isUpdate ? latest : join(results, 'partial.json'),
  `${JSON.stringify(published, null, 1)}\n`,
);
if (isWhole || isUpdate)
  writeFileSync(join(import.meta.dirname, '..', 'docs', 'performance.md'), pageOf(published));
const reference = referenceOf(measuredResults);
console.error(reference);
console.log(JSON.stringify({ hardware, rows: rows.length, met: rows.filter(met).length }));
