import type { ApiObject } from '@orch/machinery';
import { asList, asObject, asObjects, asText, isJsonObject, type JsonObject } from '@orch/machinery/json';

/** A condition in the status of an object. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Time of the last transition in epoch milliseconds; 0 when unknown. */
  readonly sinceMs: number;
}

export const conditionsOf = (object: ApiObject): readonly Condition[] =>
  asObjects(statusIn(object)['conditions']).map((each) => ({
    type: asText(each['type']),
    status: asText(each['status']),
    reason: asText(each['reason']),
    message: asText(each['message']),
    sinceMs: Date.parse(asText(each['lastTransitionTime'])) || 0,
  }));

/** The plain values in the status of an object: its phase, numbers of replicas, addresses. */
export const statusFacts = (object: ApiObject): readonly (readonly [name: string, value: string])[] =>
  Object.entries(statusIn(object)).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)] as const] : [],
  );

const statusIn = (object: ApiObject): JsonObject => asObject((object as unknown as JsonObject)['status']);

/** An object that another one refers to. */
export interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly isController: boolean;
}

export const ownersOf = ({ metadata }: ApiObject): readonly Reference[] =>
  asObjects(metadata.ownerReferences).map((each) => ({
    apiVersion: asText(each['apiVersion']),
    kind: asText(each['kind']),
    name: asText(each['name']),
    uid: asText(each['uid']),
    isController: each['controller'] === true,
  }));

/** The fields that one manager has set. */
export interface Manager {
  readonly name: string;
  readonly operation: string;
  readonly subresource: string;
  /** The time in epoch milliseconds; 0 when it is unknown. */
  readonly timeMs: number;
  /** Paths such as `spec.containers[name=web].image`. */
  readonly fields: readonly string[];
}

/** Who set which fields, the last change first. */
export const managersOf = ({ metadata }: ApiObject): readonly Manager[] =>
  asList((metadata as unknown as JsonObject)['managedFields'])
    .filter(isJsonObject)
    .map((entry) => ({
      name: asText(entry['manager']),
      operation: asText(entry['operation']),
      subresource: asText(entry['subresource']),
      timeMs: Date.parse(asText(entry['time'])) || 0,
      fields: [...fieldPaths(asObject(entry['fieldsV1']), '')],
    }))
    .sort((a, b) => b.timeMs - a.timeMs);

/** The paths of the leaves of a set of fields: `f:` names a field, `k:` the keys of an item, `v:` a value. */
function* fieldPaths(set: JsonObject, path: string): Generator<string, void, undefined> {
  const entries = Object.entries(set).filter(([key]) => key !== '.');
  if (entries.length === 0 && path !== '') yield path;
  for (const [key, value] of entries) yield* fieldPaths(asObject(value), path + stepText(key, path === ''));
}

function stepText(key: string, isFirst: boolean): string {
  const name = key.slice(2);
  if (key.startsWith('f:'))
    return /^[\w-]+$/.test(name) ? `${isFirst ? '' : '.'}${name}` : `[${JSON.stringify(name)}]`;
  if (!key.startsWith('k:')) return `[${name}]`;
  const keys = Object.entries(asObject(parsed(name))).map(([each, value]) => `${each}=${String(value)}`);
  return `[${keys.join(',') || name}]`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
