import { isDeepStrictEqual } from 'node:util';
import { cloneJson, isJsonObject, type JsonObject } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { differingLeaves } from './differences.ts';
import type { Bodies, Exchange } from './exchange.ts';
import { refusal } from './invalid-objects.ts';
import { change, changeField, metadata, schemasOf, validObjects } from './random-changes.ts';
import { answerOf, type RandomOptions, type RecordedAnswer } from './random-objects.ts';
import { compareSubresources } from './random-subresources.ts';
import { SchemaValues } from './schema-values.ts';
import { apiVersionOf, collectionOf, isWritable, type ServedResource } from './served-resources.ts';

/** Requests to a server at the same time. */
const AT_ONCE = 16;
/** Valid objects of a kind that are updated. */
const MAX_BASES = 6;
/** Longer changes are not recorded, which keeps the file small. */
const MAX_PATCH = 300;
/** How often a change of the whole object concerns its status alone. */
const STATUS_ALONE = 0.1;
/** How often a change through a subresource for the status concerns the status alone. */
const STATUS_OF_STATUS = 0.8;

/** The forms in which a change is sent. A form is chosen as often as it is listed. */
const forms = ['update', 'update', 'update', 'merge', 'merge', 'strategic', 'json', 'apply'] as const;

const contentTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** A change of an object, and its answer as it is kept. */
interface SentChange {
  /** The path that the change is sent to. */
  readonly path: string;
  readonly method: 'PATCH' | 'PUT';
  /** The change as a merge patch of the object. */
  readonly patch: JsonObject;
  readonly answer: RecordedAnswer['answer'];
}

/** A change of a valid object, which both servers answer in the same way. */
export interface RecordedChange extends SentChange {
  /** The valid object as it is created. */
  readonly base: JsonObject;
}

interface UpdateOptions extends Omit<RandomOptions, 'record'> {
  readonly record?: (line: RecordedChange) => void;
}

/** A path of an object that takes the object: itself, or a subresource such as `status`. */
interface Target {
  readonly path: string;
  readonly status: number;
}

interface Updated {
  readonly schema: unknown;
  readonly targets: readonly Target[];
  readonly objects: Readonly<Record<'reference' | 'server', JsonObject>>;
  readonly valuesOf: (seed: number) => SchemaValues;
  readonly seeds: readonly number[];
  /** Receives changes that both servers answer in the same way. */
  readonly sent: ((line: SentChange) => void) | undefined;
}

/** Creates valid objects, and sends random changes of them as dry runs of updates, patches of each form and applies. */
export async function compareRandomUpdates(
  exchange: Exchange,
  resources: readonly ServedResource[],
  { count, seed, kinds, record }: UpdateOptions,
): Promise<void> {
  exchange.begin('random updates');
  const known = validObjects();
  for (const resource of resources.filter((one) => isWritable(one) && (kinds?.includes(one.kind) ?? true))) {
    const { schemas, schema, schemaOf } = await schemasOf(exchange, resource);
    if (schema === undefined) continue;
    const given = known.get(resource.kind) ?? [{ metadata: { name: 'a' } }];
    const random = seededRandom(seed);
    const bases = Array.from(
      { length: Math.min(MAX_BASES, given.length) },
      () => given[random.int(given.length)] ?? {},
    );
    const valuesOf = (start: number): SchemaValues =>
      new SchemaValues(schemas, metadata, seededRandom(start));
    for (const [index, base] of [...new Set(bases)].entries()) {
      const body = { ...base, apiVersion: apiVersionOf(resource), kind: resource.kind };
      const length = Math.ceil(count / bases.length);
      const seeds = Array.from({ length }, (_, i) => seed * 1_000_000 + index * length + i);
      await withObject(exchange, resource, body, async (path, objects) => {
        const targets = targetsOf(path, resource, resources);
        const sent = record === undefined ? undefined : (line: SentChange) => record({ ...line, base: body });
        await sendChanges(exchange, { schema, targets, objects, valuesOf, seeds, sent });
        await compareSubresources(exchange, { resource, resources, path, valuesOf, schemaOf, seeds });
      });
    }
  }
}

/** The object itself, twice as often as each of its subresources that take the object. */
function targetsOf(
  path: string,
  resource: ServedResource,
  resources: readonly ServedResource[],
): readonly Target[] {
  const own = { path, status: STATUS_ALONE };
  const subresources = resources
    .filter(
      ({ base, name, kind, verbs }) =>
        base === resource.base &&
        name.startsWith(`${resource.name}/`) &&
        kind === resource.kind &&
        verbs.includes('update'),
    )
    .map(({ name }) => ({
      path: `${path}/${name.slice(resource.name.length + 1)}`,
      status: STATUS_OF_STATUS,
    }));
  return [own, own, ...subresources];
}

/** Creates an object on both servers, gives what each of them answers once it is settled, and deletes it. */
async function withObject(
  exchange: Exchange,
  resource: ServedResource,
  body: JsonObject,
  use: (path: string, objects: Updated['objects']) => Promise<void>,
): Promise<void> {
  const collection = collectionOf(resource);
  const name = isJsonObject(body['metadata']) ? String(body['metadata']['name']) : '';
  const path = `${collection}/${name}`;
  const step = `valid object: ${JSON.stringify(body)}`;
  const created = await exchange.send('POST', collection, { body, step, project: refusal });
  if (isObject(created.reference) && isObject(created.server)) {
    await exchange.settled(path);
    const { reference, server } = await exchange.send('GET', path, { step: 'before the updates' });
    if (isObject(reference) && isObject(server)) await use(path, { reference, server });
  }
  if (!isObject(created.reference) && !isObject(created.server)) return;
  await exchange.send('DELETE', `${path}?gracePeriodSeconds=0`, { step: 'delete the valid object' });
  await exchange.settled(path);
}

async function sendChanges(
  exchange: Exchange,
  { schema, targets, objects, valuesOf, seeds, sent }: Updated,
): Promise<void> {
  const sendChange = async (seed: number): Promise<void> => {
    const values = valuesOf(seed);
    const target = values.pick(targets);
    const form = values.pick(forms);
    // The same start gives the same changes of both objects, which have the same fields.
    const changed = (object: JsonObject): JsonObject =>
      changedObject(valuesOf(seed + 1), object, { schema, status: target.status });
    const bodies = { reference: changed(objects.reference), server: changed(objects.server) };
    const path = `${target.path}?dryRun=All${form === 'apply' ? '&force=true&fieldManager=other' : ''}`;
    const options = {
      step: JSON.stringify(editsOf(objects.reference, bodies.reference)),
      project: refusal,
    };
    const patch = mergePatchOf(objects.reference, bodies.reference);
    const patches = { merge: patch, strategic: patch, json: operationsOf(patch) };
    const sendAs = (method: string, sentBodies: Bodies<object>, contentType?: string): Promise<Bodies> =>
      exchange.send(method, path, {
        ...options,
        step: form === 'update' ? options.step : `${form} ${options.step}`,
        bodies: sentBodies,
        ...(contentType === undefined ? {} : { contentType }),
      });
    const { reference, server } =
      form === 'update'
        ? await sendAs('PUT', bodies)
        : form === 'apply'
          ? await sendAs('PATCH', configsOf(bodies), contentTypes[form])
          : await sendAs('PATCH', { reference: patches[form], server: patches[form] }, contentTypes[form]);
    const answer = answerOf(reference);
    const isKept = form === 'update' || form === 'merge';
    if (isKept && isDeepStrictEqual(answer, answerOf(server)) && isPortable(path, patch))
      sent?.({ path, method: form === 'merge' ? 'PATCH' : 'PUT', patch, answer });
  };
  for (let first = 0; first < seeds.length; first += AT_ONCE)
    await Promise.all(seeds.slice(first, first + AT_ONCE).map(sendChange));
}

interface ChangeOptions {
  readonly schema: unknown;
  /** How often the change concerns the status alone. */
  readonly status: number;
}

function changedObject(
  values: SchemaValues,
  object: JsonObject,
  { schema, status }: ChangeOptions,
): JsonObject {
  const copy = cloneJson(object) as Record<string, unknown>;
  const hasStatus = isJsonObject(values.resolve(schema)['properties'])
    ? Object.hasOwn(values.resolve(schema)['properties'] as object, 'status')
    : false;
  for (let changes = values.pick([1, 1, 1, 2]); changes > 0; changes--)
    if (hasStatus && values.chance(status)) changeField(values, copy, { given: schema, field: 'status' });
    else change(values, copy, schema);
  return copy;
}

/**
 * Whether a change is short, and about no value that servers allocate or change themselves, so that another server can be
 * asked for it.
 */
function isPortable(path: string, patch: JsonObject): boolean {
  const text = JSON.stringify(patch);
  return (
    text.length <= MAX_PATCH &&
    !path.includes('/apiservices/') &&
    !/uid"|resourceVersion|[nN]odePort"|clusterIP|\b10\.0\.0\.|creationTimestamp|managedFields/.test(text)
  );
}

/** The changed places of an object, for the title of a request. */
const editsOf = (object: JsonObject, changed: JsonObject): Record<string, unknown> =>
  Object.fromEntries(
    differingLeaves('', [object, changed]).map(([path, before, after]) => [path.slice(1), [before, after]]),
  );

/** The merge patch from an object to another: changed members, and null for removed ones. */
function mergePatchOf(object: JsonObject, changed: JsonObject): JsonObject {
  const fields = new Set([...Object.keys(object), ...Object.keys(changed)]);
  const patch: Record<string, unknown> = {};
  for (const field of fields) {
    const [before, after] = [object[field], changed[field]];
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    const isInner = isJsonObject(before) && isJsonObject(after);
    patch[field] = isInner ? mergePatchOf(before, after) : (after ?? null);
  }
  return patch;
}

/** A merge patch as a JSON patch. */
function operationsOf(patch: JsonObject, at = ''): readonly JsonObject[] {
  return Object.entries(patch).flatMap(([field, value]) => {
    const path = `${at}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (value === null) return [{ op: 'remove', path }];
    return isJsonObject(value) ? operationsOf(value, path) : [{ op: 'add', path, value }];
  });
}

const configsOf = ({ reference, server }: Bodies<JsonObject>): Bodies<JsonObject> => ({
  reference: configOf(reference),
  server: configOf(server),
});

/** An object as the configuration of an apply. */
function configOf({ metadata, status: _status, ...object }: JsonObject): JsonObject {
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = isJsonObject(metadata)
    ? metadata
    : {};
  return { ...object, metadata: { name, namespace, labels, annotations, finalizers, ownerReferences } };
}

const isObject = (body: unknown): body is JsonObject => isJsonObject(body) && body['kind'] !== 'Status';
