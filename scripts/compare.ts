/** Compares this server with the reference server of a release: `scripts/node scripts/compare.ts --help`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launchServerProcess } from '@orch/testkit';
import { programArguments, refuseArguments } from '@orch/testkit/program-arguments';
import { Exchange, serverOf } from './compare/exchange.ts';
import { compareInvalidObjects } from './compare/invalid-objects.ts';
import { compareMinimalObjects } from './compare/minimal-objects.ts';
import { flagsOfAlpha, flagsOfPublished, PublishedDocuments } from './compare/published-documents.ts';
import { compareRandomObjects } from './compare/random-objects.ts';
import { compareRandomUpdates } from './compare/random-updates.ts';
import { judge, type Reason, readReasons } from './compare/reasons.ts';
import { referenceProgram, referenceSource } from './compare/reference-program.ts';
import { reportLines } from './compare/report.ts';
import { requestGroups } from './compare/requests/index.ts';
import { compareDiscovery, compareLists, compareOpenApi } from './compare/served-resources.ts';
import { startPair } from './compare/servers.ts';

const usage = `make compare ARGS='--release=RELEASE [OPTION …]'

Starts the reference API server of a release and this server beside it, each over a separate etcd, sends both the same
requests and prints what differs. Needs etcd, and Go unless --reference is given. Exits with status 1 when a difference
has no reason in scripts/compare/reasons.json, or a reason there matches no difference.

  --release=RELEASE    the release, such as 1.24; this server emulates it
  --reference=PATH     the program of the reference; by default Go builds the newest patch release once and keeps it
  --patch=VERSION      the patch release of the reference, such as 1.24.17; by default the newest that Go lists
  --published          compares with the documents of discovery and OpenAPI that the release publishes with its source, of a
                       server with all versions and alpha features, instead of a running reference; builds nothing
  --alpha              both servers serve all versions and enable all alpha and beta features
  --sections=NAMES     discovery, openapi, lists, objects and invalid, separated by commas (all of them)
  --random=N           sends N objects with random changes to each resource instead, as dry runs
  --updates            with --random: sends changes of valid objects instead, as dry runs of updates, patches and applies, and
                       random objects to their subresources
  --requests=NAMES     sends odd requests instead: ${Object.keys(requestGroups).join(', ')},
                       separated by commas; --random=N is the number of definitions and policies (100)
  --seed=N             start of the random numbers (1)
  --record=PATH        writes the random objects that both servers answer in the same way, with the answer, as JSON lines
  --kinds=NAMES        kinds of the random objects, separated by commas (all of them)
  --output=PATH        writes the differences without a reason to a JSON file
  --all                prints every difference, not the first of each section
`;

const known = ['discovery', 'openapi', 'lists', 'objects', 'invalid'];

const { values: options } = programArguments(usage, {
  options: {
    release: { type: 'string' },
    reference: { type: 'string' },
    patch: { type: 'string' },
    published: { type: 'boolean', default: false },
    alpha: { type: 'boolean', default: false },
    sections: { type: 'string' },
    random: { type: 'string' },
    updates: { type: 'boolean', default: false },
    requests: { type: 'string' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string' },
    record: { type: 'string' },
    output: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
});

const available = options.published ? ['discovery', 'openapi'] : known;
const sections = options.sections?.split(',') ?? available;
const problem =
  options.release === undefined || !/^1\.\d+$/.test(options.release)
    ? '--release must be a release such as 1.24'
    : options.patch !== undefined && !options.patch.startsWith(`${options.release}.`)
      ? '--patch must be of the release'
      : sections.find((name) => !available.includes(name)) &&
        `--sections must be among ${available.join(', ')}`;
const groups = options.requests?.split(',') ?? [];
const unknownGroup = groups.find((name) => !Object.hasOwn(requestGroups, name));
const isNatural = (text: string | undefined): boolean => text === undefined || /^\d{1,6}$/.test(text);
const wrongNumber = (['random', 'seed'] as const).find((name) => !isNatural(options[name]));

if (problem !== undefined) refuseArguments(problem);
if (wrongNumber !== undefined)
  refuseArguments(`--${wrongNumber} must be a whole number of at most six digits`);
if (unknownGroup !== undefined)
  refuseArguments(`--requests must be among ${Object.keys(requestGroups).join(', ')}`);
process.exitCode = await compare(options.release ?? '');

async function compare(release: string): Promise<number> {
  if (options.published) return await comparePublished(release);
  const program =
    options.reference === undefined
      ? await referenceProgram({ release, patch: options.patch }, (line) => console.log(line))
      : resolve(options.reference);
  const folder = mkdtempSync(join(tmpdir(), 'orch-compare-'));
  try {
    await using pair = await startPair({
      release,
      program,
      folder,
      flags: options.alpha ? flagsOfAlpha(release) : [],
    });
    return await compareWith(release, {
      reference: serverOf(pair.reference),
      server: serverOf(pair.server),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function comparePublished(release: string): Promise<number> {
  const documents = new PublishedDocuments(
    join(await referenceSource({ release, patch: options.patch }), 'api'),
  );
  await using server = await launchServerProcess({
    naming: 'kubernetes',
    release,
    args: flagsOfPublished(release),
  });
  return await compareWith(release, { reference: documents, server: serverOf(server.client) });
}

/** Runs the sections, prints what differs and returns the exit status. */
async function compareWith(
  release: string,
  servers: ConstructorParameters<typeof Exchange>[0],
): Promise<number> {
  const exchange = new Exchange(servers);
  await runSections(exchange);
  console.log(`${exchange.requests} requests to each server`);
  const isComplete =
    options.random === undefined && groups.length === 0 && known.every((name) => sections.includes(name));
  const judgement = judge(exchange.differences, reasonsOf(release), isComplete);
  for (const line of reportLines(judgement, options.all ? Number.POSITIVE_INFINITY : undefined))
    console.log(line);
  if (options.output !== undefined)
    writeFileSync(options.output, `${JSON.stringify(judgement.unexplained, null, 1)}\n`);
  return judgement.unexplained.length + judgement.unused.length === 0 ? 0 : 1;
}

async function runSections(exchange: Exchange): Promise<void> {
  if (groups.length > 0) {
    const random = { count: Number(options.random ?? 100), seed: Number(options.seed) };
    for (const name of groups) await requestGroups[name]?.(exchange, random);
    return;
  }
  // Discovery is always compared: the other sections need the resources that both servers have.
  const resources = await compareDiscovery(exchange);
  if (options.random !== undefined) {
    const compareRandom = options.updates ? compareRandomUpdates : compareRandomObjects;
    const recorded: string[] = [];
    await compareRandom(exchange, resources, {
      count: Number(options.random),
      seed: Number(options.seed),
      kinds: options.kinds?.split(','),
      record: (line: object) => recorded.push(`${JSON.stringify(line)}\n`),
    });
    if (options.record !== undefined) writeFileSync(options.record, recorded.sort().join(''));
    return;
  }
  if (sections.includes('openapi')) await compareOpenApi(exchange);
  if (sections.includes('lists')) await compareLists(exchange, resources);
  if (sections.includes('objects')) await compareMinimalObjects(exchange, resources);
  if (sections.includes('invalid')) await compareInvalidObjects(exchange, resources);
}

function reasonsOf(release: string): readonly Reason[] {
  const path = join(import.meta.dirname, 'compare', 'reasons.json');
  const comparison = options.published ? 'published' : options.alpha ? 'alpha' : 'running';
  const reasons = readReasons(readFileSync(path, 'utf8'), release, comparison);
  // Without random objects, their reasons match nothing.
  return options.random === undefined
    ? reasons.filter(({ pattern }) => !pattern.source.startsWith('^random '))
    : reasons;
}
