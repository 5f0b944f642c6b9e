import { expand, setPath } from '@orch/apis/testing';
import { cloneJson, isJsonObject } from '@orch/machinery/json';
import type { Exchange } from './exchange.ts';
import { fixtureLines } from './fixture-lines.ts';
import { apiVersionOf, collectionOf, isWritable, type ServedResource } from './served-resources.ts';

type JsonObject = Record<string, unknown>;

/** A valid object of a kind, or a change to it. */
interface Line {
  readonly kind: string;
  readonly base?: JsonObject;
  readonly do?: 'create' | 'update';
  readonly set?: Readonly<Record<string, unknown>>;
}

/** Sends the changes of the fixtures beside the kinds, most of which are invalid, through every version of their kinds. */
export async function compareInvalidObjects(
  exchange: Exchange,
  resources: readonly ServedResource[],
): Promise<void> {
  exchange.begin('invalid objects');
  for (const lines of fixtureLines<Line>('observed-validation'))
    for (const { kind, base } of lines) {
      if (base === undefined) continue;
      const changes = lines.filter((line) => line.kind === kind && line.base === undefined);
      for (const resource of resources.filter((one) => one.kind === kind && isWritable(one)))
        await compareChanges(exchange, resource, {
          base: { apiVersion: apiVersionOf(resource), ...base, kind },
          changes,
        });
    }
}

interface Changes {
  readonly base: JsonObject;
  readonly changes: readonly Line[];
}

async function compareChanges(
  exchange: Exchange,
  resource: ServedResource,
  { base, changes }: Changes,
): Promise<void> {
  const collection = collectionOf(resource);
  const { name } = base['metadata'] as JsonObject;
  const path = `${collection}/${String(name)}`;
  const of = (operation: string) => changes.filter((line) => line.do === operation);
  for (const line of of('create'))
    await exchange.send('POST', `${collection}?dryRun=All`, {
      ...described(line),
      body: changed(base, line),
    });
  const created = await exchange.send('POST', collection, { body: base, step: 'create the valid object' });
  if (isObject(created.reference) && isObject(created.server)) {
    await exchange.settled(path);
    for (const line of of('update')) {
      const { reference, server } = await exchange.send('GET', path, { step: 'before an update' });
      if (!isObject(reference) || !isObject(server)) break;
      const bodies = { reference: changed(reference, line), server: changed(server, line) };
      await exchange.send('PUT', `${path}?dryRun=All`, { ...described(line), bodies });
    }
  }
  await exchange.send('DELETE', `${path}?gracePeriodSeconds=0`, { step: 'delete the valid object' });
}

const SHOWN_CHARACTERS = 120;
const described = (line: Line) => ({
  step: `${line.do} with ${JSON.stringify(line.set).slice(0, SHOWN_CHARACTERS)}`,
  project: refusal,
});

function changed(object: JsonObject, { set = {} }: Line): JsonObject {
  const copy = cloneJson(object) as JsonObject;
  for (const [at, value] of Object.entries(set)) setPath(copy, at, expand(value));
  return copy;
}

const isObject = (body: unknown): body is JsonObject => isJsonObject(body) && body['kind'] !== 'Status';

/** Reason and causes of a refusal, without the message that repeats them. Other bodies stay as they are. */
export function refusal(body: unknown): unknown {
  if (!isJsonObject(body) || !isJsonObject(body['details'])) return body;
  const { causes } = body['details'];
  return Array.isArray(causes) ? { reason: body['reason'], causes } : body;
}
