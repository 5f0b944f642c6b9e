import { cloneJson, isJsonObject, type JsonObject } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import type { Exchange } from './exchange.ts';
import { fixtureLines } from './fixture-lines.ts';
import { refusal } from './invalid-objects.ts';
import { type Schemas, SchemaValues } from './schema-values.ts';
import { apiVersionOf, collectionOf, isWritable, type ServedResource } from './served-resources.ts';

export interface RandomOptions {
  /** Objects for each resource. */
  readonly count: number;
  readonly seed: number;
  /** Only resources of these kinds; all when absent. */
  readonly kinds: readonly string[] | undefined;
}

/** Requests to a server at the same time. */
const AT_ONCE = 16;
/** Metadata that servers set or count. */
const metadata = new Set([
  ...['managedFields', 'resourceVersion', 'generation', 'creationTimestamp', 'selfLink', 'deletionTimestamp'],
  ...['deletionGracePeriodSeconds', 'generateName'],
]);
/** These, and fields of the type and of the path. */
const ignored = new Set([...metadata, 'apiVersion', 'kind', 'namespace', 'status', 'uid']);

/** Sends objects with random changes, valid and invalid, as dry runs of creations through every version of their kinds. */
export async function compareRandomObjects(
  exchange: Exchange,
  resources: readonly ServedResource[],
  { count, seed, kinds }: RandomOptions,
): Promise<void> {
  exchange.begin('random objects');
  const bases = validObjects();
  for (const resource of resources.filter((one) => isWritable(one) && (kinds?.includes(one.kind) ?? true))) {
    const schemas = await schemasOf(exchange, resource);
    const schema = Object.values(schemas).find((one) => isSchemaOf(one, resource));
    if (schema === undefined) continue;
    const values = new SchemaValues(schemas, metadata, seededRandom(seed));
    const known = bases.get(resource.kind) ?? [{ metadata: { name: 'a' } }];
    const bodies = Array.from({ length: count }, () => {
      const body = {
        ...(cloneJson(values.pick(known)) as JsonObject),
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
      };
      for (let changes = values.pick([1, 1, 1, 2, 2, 3]); changes > 0; changes--)
        change(values, body, schema);
      return body;
    });
    for (let first = 0; first < count; first += AT_ONCE)
      await Promise.all(
        bodies.slice(first, first + AT_ONCE).map((body) =>
          exchange.send('POST', `${collectionOf(resource)}?dryRun=All`, {
            body,
            step: JSON.stringify(body),
            project: refusal,
          }),
        ),
      );
  }
}

/** Valid objects of the fixtures beside the kinds, by kind. */
function validObjects(): ReadonlyMap<string, readonly JsonObject[]> {
  interface Line {
    readonly kind: string;
    readonly given?: JsonObject;
    readonly base?: JsonObject;
  }
  const lines = ['observed-defaults', 'observed-validation'].flatMap((name) =>
    fixtureLines<Line>(name).flat(),
  );
  const objects = lines.flatMap(({ kind, given, base }) => {
    const object = given ?? base;
    return object === undefined ? [] : [{ kind, object }];
  });
  return new Map(
    [...Map.groupBy(objects, ({ kind }) => kind)].map(([kind, all]) => [
      kind,
      all.map(({ object }) => object),
    ]),
  );
}

async function schemasOf(exchange: Exchange, { base }: ServedResource): Promise<Schemas> {
  const { reference } = await exchange.send('GET', `/openapi/v3${base}`, { project: () => 'schemas' });
  const components = isJsonObject(reference) ? reference['components'] : undefined;
  return isJsonObject(components) && isJsonObject(components['schemas']) ? components['schemas'] : {};
}

function isSchemaOf(schema: unknown, { base, kind }: ServedResource): boolean {
  const kinds = isJsonObject(schema) ? schema['x-kubernetes-group-version-kind'] : undefined;
  return (
    Array.isArray(kinds) &&
    kinds.some(
      (one) =>
        isJsonObject(one) &&
        one['kind'] === kind &&
        apiVersionOf({ base }) === [one['group'], one['version']].filter((part) => part !== '').join('/'),
    )
  );
}

/** Sets, removes or replaces a random field of an object, at any depth. */
function change(values: SchemaValues, object: Record<string, unknown>, given: unknown): void {
  const schema = values.resolve(given);
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const fields = Object.keys(properties).filter((name) => !ignored.has(name));
  const present = fields.filter((name) => Object.hasOwn(object, name));
  if (fields.length === 0) return;
  const field = present.length > 0 && values.chance(0.65) ? values.pick(present) : values.pick(fields);
  const inner = object[field];
  const target = Array.isArray(inner) && inner.length > 0 ? values.pick(inner as readonly unknown[]) : inner;
  const below = values.resolve(properties[field]);
  if (isJsonObject(target) && values.chance(0.8)) {
    const next = Array.isArray(inner) ? below['items'] : properties[field];
    if (isJsonObject(values.resolve(next)['properties'])) {
      change(values, target as Record<string, unknown>, next);
      return;
    }
  }
  if (inner !== undefined && values.chance(0.15)) delete object[field];
  else if (Array.isArray(inner) && values.chance(0.4)) {
    const added = values.value(field, below, 1);
    object[field] = [...inner, ...(Array.isArray(added) ? added : [added])];
  } else object[field] = values.value(field, properties[field], 1);
}
