import { cloneJson, isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { Exchange } from './exchange.ts';
import { refusal } from './invalid-objects.ts';
import { change } from './random-changes.ts';
import type { SchemaValues } from './schema-values.ts';
import type { ServedResource } from './served-resources.ts';

/** Requests through each subresource, as a part of the changes of the object itself. */
const SHARE = 0.5;

interface Subresources {
  readonly resource: ServedResource;
  readonly resources: readonly ServedResource[];
  /** The path of the object. */
  readonly path: string;
  readonly valuesOf: (seed: number) => SchemaValues;
  readonly schemaOf: (kind: string) => unknown;
  readonly seeds: readonly number[];
}

/**
 * Sends random objects to the subresources of an object that take another kind, as dry runs: changes of its scale, and
 * bindings, evictions and requests for tokens.
 */
export async function compareSubresources(exchange: Exchange, subresources: Subresources): Promise<void> {
  const { resource, resources, path, schemaOf, seeds } = subresources;
  const others = resources.filter(
    ({ base, name, kind }) =>
      base === resource.base && name.startsWith(`${resource.name}/`) && kind !== resource.kind,
  );
  for (const { name, kind, verbs } of others) {
    const schema = schemaOf(kind);
    const own = { ...subresources, seeds: seeds.slice(0, Math.ceil(seeds.length * SHARE)) };
    const at = `${path}/${name.slice(resource.name.length + 1)}`;
    if (schema === undefined) continue;
    if (verbs.includes('update') && verbs.includes('get')) await changeObject(exchange, own, { at, schema });
    else if (verbs.length === 1 && verbs[0] === 'create')
      await createObjects(exchange, own, { at, schema, kind });
  }
}

interface At {
  readonly at: string;
  readonly schema: unknown;
}

function changed(values: SchemaValues, object: JsonObject, schema: unknown): JsonObject {
  const copy = cloneJson(object) as Record<string, unknown>;
  for (let changes = values.pick([1, 1, 2]); changes > 0; changes--) change(values, copy, schema);
  return copy;
}

async function changeObject(
  exchange: Exchange,
  { valuesOf, seeds }: Subresources,
  { at, schema }: At,
): Promise<void> {
  const { reference, server } = await exchange.send('GET', at, { step: 'before the updates' });
  if (!isJsonObject(reference) || !isJsonObject(server) || reference['kind'] === 'Status') return;
  for (const seed of seeds) {
    const bodies = {
      reference: changed(valuesOf(seed), reference, schema),
      server: changed(valuesOf(seed), server, schema),
    };
    const { metadata: _identity, ...shown } = bodies.reference;
    const step = JSON.stringify(shown);
    await exchange.send('PUT', `${at}?dryRun=All`, { step, bodies, project: refusal });
  }
}

/** An answer without what differs in every request, such as a token. */
function withoutStatus(body: unknown): unknown {
  const answer = refusal(body);
  if (!isJsonObject(answer) || !isJsonObject(answer['status'])) return answer;
  const { status: _status, ...rest } = answer;
  return rest;
}

async function createObjects(
  exchange: Exchange,
  { valuesOf, seeds, path }: Subresources,
  { at, schema, kind }: At & { readonly kind: string },
): Promise<void> {
  const base = { kind, metadata: { name: path.slice(path.lastIndexOf('/') + 1) } };
  for (const seed of seeds) {
    const body = changed(valuesOf(seed), base, schema);
    await exchange.send('POST', `${at}?dryRun=All`, {
      body,
      step: JSON.stringify(body),
      project: withoutStatus,
    });
  }
}
