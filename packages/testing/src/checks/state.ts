import { type ApiObject, type Client, createClient, isMethodNotAllowed, isNotFound } from '@orch/client';
import { formatApiVersion } from '@orch/machinery';
import type { ControlPlane } from '../options.ts';

/** The objects by kind, namespace and name, without the parts that differ in each run. */
export type State = ReadonlyMap<string, string>;

type StableTexts = ReadonlyMap<string, string>;

/** Objects that record how a state was reached. */
const records: ReadonlySet<string> = new Set(['events', 'leases']);
/** Fields of metadata and status that depend on the number and the time of writes. */
const varying: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'generation',
  'observedGeneration',
]);
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The state of a control plane. */
export async function stateOf(plane: ControlPlane): Promise<State> {
  // It lists all kinds: those that are deprecated are no concern of the test.
  const client = createClient({ ...plane.config, onWarning() {} });
  const { preferred } = await client.discovery.read();
  const lists = await Promise.all(
    preferred
      .filter(({ verbs, resource }) => verbs.includes('list') && !records.has(resource))
      .map(async (resource) => {
        const objects = await listed(client, resource);
        return objects.map((object) => [`${formatApiVersion(resource)} ${resource.kind}`, object] as const);
      }),
  );
  const all = lists.flat();
  const stable = stableTexts(all);
  const texts = all.map(([kind, object]): readonly [string, string] => [
    `${kind} ${placeOf(object)}`,
    JSON.stringify(comparable(object, stable), null, 1),
  ]);
  return numbered(texts);
}

/** What stands in a state for the uids of its objects and for their generated names, wherever an object refers to them. */
function stableTexts(all: readonly (readonly [kind: string, object: ApiObject])[]): StableTexts {
  const texts = new Map<string, string>();
  for (const [kind, object] of all) {
    const { name = '', generateName, uid = '' } = object.metadata;
    texts.set(uid, `${kind} ${placeOf(object)}`);
    if (generateName !== undefined) texts.set(name, shownName(object));
  }
  return texts;
}

/** Objects with generated names have the same place: they are numbered in the order of their content. */
function numbered(texts: readonly (readonly [string, string])[]): State {
  const state = new Map<string, string>();
  for (const [place, text] of [...texts].sort(byText)) {
    let key = place;
    for (let i = 2; state.has(key); i++) key = `${place} (${i})`;
    state.set(key, text);
  }
  return state;
}

const byText = (a: readonly [string, string], b: readonly [string, string]): number =>
  a.join(' ') < b.join(' ') ? -1 : 1;

async function listed(
  client: Client,
  resource: Parameters<Client['resource']>[0],
): Promise<readonly ApiObject[]> {
  try {
    return (await client.resource(resource).list()).items;
  } catch (error) {
    // The definition was deleted since, or the resource cannot be listed in all namespaces.
    if (isNotFound(error) || isMethodNotAllowed(error)) return [];
    throw error;
  }
}

/** Generated names differ in each run, so that their objects are compared by the rest of their content. */
const shownName = ({ metadata: { name = '', generateName } }: ApiObject): string =>
  generateName === undefined ? name : `${generateName}*`;

function placeOf(object: ApiObject): string {
  const { namespace } = object.metadata;
  const shown = shownName(object);
  return namespace === undefined ? shown : `${namespace}/${shown}`;
}

function comparable(value: unknown, stable: StableTexts): unknown {
  if (typeof value === 'string') return time.test(value) ? '<time>' : (stable.get(value) ?? value);
  if (Array.isArray(value)) return value.map((one) => comparable(one, stable));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !varying.has(key));
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, comparable(one, stable)]),
  );
}

/** The objects that differ, as text; undefined for equal states. */
export function differenceOf(expected: State, found: State): string | undefined {
  const lines: string[] = [];
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const [before, after] = [expected.get(key), found.get(key)];
    if (before === after) continue;
    lines.push(`${key}:`, `- ${before ?? 'does not exist'}`, `+ ${after ?? 'does not exist'}`);
  }
  return lines.length === 0 ? undefined : lines.join('\n');
}
