import {
  type ApiObject,
  type Client,
  isBadRequest,
  isNotFound,
  type ObjectChange,
  type Resource,
} from '@orch/client';
import { formatApiVersion } from '@orch/machinery';

/** A write of an object: who made it, how, and which fields it changed. */
export interface ObjectWrite extends ObjectChange {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The writes that a history shows. */
export interface HistoryOptions {
  /** Only the writes of this object. */
  readonly object?: ApiObject | undefined;
  /** Only writes after this resourceVersion; those since the start, the last reset or the fork when absent. */
  readonly since?: string | undefined;
}

const never = new AbortController().signal;

/** The resource of an object's kind. Rejects with a TypeError for a kind that is absent or not served. */
export async function resourceOf(
  client: Client,
  { apiVersion = '', kind = '' }: ApiObject,
  signal: AbortSignal = never,
): Promise<Resource> {
  if (apiVersion === '' || kind === '') throw new TypeError('an object needs its apiVersion and kind here');
  const { all } = await client.discovery.read(signal);
  const found = all.find((one) => one.kind === kind && formatApiVersion(one) === apiVersion);
  if (found === undefined) throw new TypeError(`${kind} of ${apiVersion} is not served`);
  return found;
}

/** The writes that the server has recorded, in their order. Events, Leases and Secrets are not recorded. */
export async function historyOf(
  client: Client,
  { object, since }: HistoryOptions,
  signal: AbortSignal = never,
): Promise<readonly ObjectWrite[]> {
  const { all, preferred } = await client.discovery.read(signal);
  const resources =
    object === undefined
      ? preferred.filter(({ verbs }) => verbs.includes('list'))
      : all.filter((one) => one.kind === object.kind && formatApiVersion(one) === object.apiVersion);
  const { name, namespace } = object?.metadata ?? {};
  const pages = await Promise.all(
    resources.map(async (resource) => {
      const writes: ObjectWrite[] = [];
      const { kind } = resource;
      try {
        for await (const change of client.history(resource, namespace).changes(name, { since }, signal))
          writes.push({ ...change, apiVersion: formatApiVersion(resource), kind });
      } catch (error) {
        // The server keeps no history of this resource, or has none of this object.
        if (!isNotFound(error) && !isBadRequest(error)) throw error;
      }
      return writes;
    }),
  );
  return inOrder(pages.flat());
}

/** A kind of several groups, such as an event, is recorded once for each of them. */
function inOrder(writes: readonly ObjectWrite[]): readonly ObjectWrite[] {
  return [...writes].sort((a, b) => Number(a.revision) - Number(b.revision));
}

/** Writes as text, one a line, with times since the first one. */
export function historyText(writes: readonly ObjectWrite[]): string {
  const begin = Date.parse(writes[0]?.time ?? '');
  return writes.map((write) => `  ${lineOf(write, Date.parse(write.time) - begin)}`).join('\n');
}

function lineOf(write: ObjectWrite, afterMs: number): string {
  const { kind, namespace, name, revision, change, verb, subresource, user, manager, fields } = write;
  const object = `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
  const how = [verb, subresource, manager].filter((part) => part !== '').join(' ');
  const changed = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
  return `+${afterMs} ms  ${revision}  ${object} ${change} by ${user} (${how})${changed}`;
}
