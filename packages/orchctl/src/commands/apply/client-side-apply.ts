import type { ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { asObjects, isJsonObject, type JsonObject } from '@orch/machinery/json';

/** The manager of the fields of `kubectl apply` without `--server-side`. */
const CLIENT_SIDE = 'kubectl-client-side-apply';

const entriesOf = ({ metadata }: ApiObject): readonly JsonObject[] =>
  asObjects((metadata as { readonly managedFields?: unknown }).managedFields) as readonly JsonObject[];

const isClientSide = (entry: JsonObject): boolean =>
  entry['manager'] === CLIENT_SIDE && entry['operation'] === 'Update' && (entry['subresource'] ?? '') === '';

/**
 * Reports whether `kubectl apply` owns fields of an object: a server-side apply would not remove those that the file no
 * longer has.
 */
export const hasClientSideFields = (object: ApiObject): boolean => entriesOf(object).some(isClientSide);

/**
 * Transfers the fields of `kubectl apply` to an applier, so that its next apply removes those that the file no longer
 * has, as kubectl does. Fails with a conflict when the object has changed since it was read.
 */
export function adoptClientSideFields(
  client: ResourceClient,
  object: ApiObject,
  { fieldManager, signal }: { readonly fieldManager: string; readonly signal: AbortSignal },
): Promise<ApiObject> {
  const entries = entriesOf(object);
  const adopted = entries.filter(isClientSide);
  const isOwn = (entry: JsonObject): boolean =>
    entry['manager'] === fieldManager &&
    entry['operation'] === 'Apply' &&
    (entry['subresource'] ?? '') === '';
  const own = entries.find(isOwn) ?? { ...adopted[0], manager: fieldManager, operation: 'Apply' };
  const fields = adopted.map((entry) => entry['fieldsV1']).reduce(union, own['fieldsV1']);
  const others = entries.filter((entry) => !isClientSide(entry) && !isOwn(entry));
  const { name = '', resourceVersion = '' } = object.metadata;
  const operations = [
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'replace', path: '/metadata/managedFields', value: [{ ...own, fieldsV1: fields }, ...others] },
  ] as const;
  return client.patch.json(name, operations, { fieldManager }, signal);
}

/** The union of two field sets of managed fields. */
function union(a: unknown, b: unknown): JsonObject {
  const [first, second] = [a, b].map((one) => (isJsonObject(one) ? one : {}));
  const all = new Map(Object.entries(first ?? {}));
  for (const [key, value] of Object.entries(second ?? {})) all.set(key, union(all.get(key), value));
  return Object.fromEntries(all) as JsonObject;
}
