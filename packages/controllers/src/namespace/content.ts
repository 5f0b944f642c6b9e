import type { Client, DiscoveredResource, DiscoverySnapshot, ResourceClient } from '@orch/client';
import { ApiError, type ObjectMeta, parseApiVersion, Semaphore } from '@orch/machinery';
import type { ContentReport } from './content-report.ts';

/** Resources that are worked on at the same time, and objects of those that have no deletion of collections. */
const PARALLEL = 4;
const PARALLEL_DELETES = 16;
const PAGE_ITEMS = 500;
/** How often a deletion page by page begins again because its state is too old. */
const MAX_ROUNDS = 5;

/** What is left of one resource in a namespace. */
export interface Rest {
  readonly count: number;
  readonly finalizers: ReadonlyMap<string, number>;
  readonly graceSeconds: number;
}

const nothing: Rest = { count: 0, finalizers: new Map(), graceSeconds: 0 };

const nameOf = ({ group, resource }: DiscoveredResource): string =>
  group === '' ? resource : `${resource}.${group}`;

const isPods = ({ group, resource }: DiscoveredResource): boolean => group === '' && resource === 'pods';

/**
 * Deletes what is in a namespace, as far as discovery tells of it, and says what is left. Pods go first, and nothing
 * else goes before they are gone: what protects them, or other pods from them, lasts as long as they do.
 */
export async function deleteContent(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<ContentReport> {
  const snapshot = await discovered(client, signal);
  const resources = snapshot.preferred.filter(
    ({ namespaced, verbs }) => namespaced && verbs.includes('delete'),
  );
  const unreadable = [...snapshot.failed.keys()].filter((name) => parseApiVersion(name) === undefined);
  const undiscovered = new Map([...snapshot.failed].filter(([name]) => !unreadable.includes(name)));
  const rests = new Map<string, Rest>();
  const failures = new Map<string, string>();
  const clear = async (resource: DiscoveredResource): Promise<void> => {
    try {
      rests.set(nameOf(resource), await clearResource(client, resource, namespace, signal));
    } catch (error) {
      signal.throwIfAborted();
      failures.set(nameOf(resource), error instanceof Error ? error.message : String(error));
    }
  };
  const permits = new Semaphore(PARALLEL);
  const all = (of: readonly DiscoveredResource[]): Promise<unknown> =>
    Promise.all(of.map((resource) => permits.run(signal, () => clear(resource))));
  await all(resources.filter(isPods));
  if ((rests.get('pods')?.count ?? 0) === 0) await all(resources.filter((each) => !isPods(each)));
  return { undiscovered, unreadable, failures, ...summed(rests) };
}

/** When nothing at all can be found out, that is what the report says. */
async function discovered(client: Client, signal: AbortSignal): Promise<DiscoverySnapshot> {
  try {
    return await client.discovery.read(signal);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { all: [], preferred: [], failed: new Map([['v1', reason]]) };
  }
}

function summed(
  rests: ReadonlyMap<string, Rest>,
): Pick<ContentReport, 'remaining' | 'finalizers' | 'graceSeconds'> {
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  let graceSeconds = 0;
  for (const [name, rest] of rests) {
    if (rest.count > 0) remaining.set(name, rest.count);
    for (const [finalizer, n] of rest.finalizers)
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + n);
    graceSeconds = Math.max(graceSeconds, rest.graceSeconds);
  }
  return { remaining, finalizers, graceSeconds };
}

/** Deletes the objects of one resource in a namespace, and says what is left of them. */
async function clearResource(
  client: Client,
  resource: DiscoveredResource,
  namespace: string,
  signal: AbortSignal,
): Promise<Rest> {
  const objects = client.metadata(resource, namespace);
  const canList = resource.verbs.includes('list');
  try {
    if (canList && (await objects.list({ limit: 1 }, signal)).items.length === 0) return nothing;
    const isDone = resource.verbs.includes('deletecollection') && (await deletePages(objects, signal));
    if (!isDone && canList) await deleteEach(objects, signal);
    return canList ? await restOf(objects, signal) : nothing;
  } catch (error) {
    // The resource went after discovery was read, and its objects with it.
    if (isUnserved(error)) return nothing;
    throw error;
  }
}

const codeOf = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.status.code : undefined;

const isUnserved = (error: unknown): boolean =>
  error instanceof ApiError && error.status.code === 404 && error.status.details?.name === undefined;

/** Page by page, so that no request takes long. False when the server does not delete collections after all. */
async function deletePages(objects: ResourceClient, signal: AbortSignal): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      let token = '';
      do {
        const options = { propagationPolicy: 'Background', limit: PAGE_ITEMS } as const;
        const page = token === '' ? options : { ...options, continue: token };
        token = (await objects.deleteCollection(page, signal)).metadata.continue ?? '';
      } while (token !== '');
      return true;
    } catch (error) {
      const code = codeOf(error);
      if (code === 405) return false;
      // The list behind the pages is too old: what it had left begins a new one.
      if (code !== 410) throw error;
    }
  }
  return true;
}

/** One by one, each only if it is still the object that was listed. */
async function deleteEach(objects: ResourceClient, signal: AbortSignal): Promise<void> {
  const permits = new Semaphore(PARALLEL_DELETES);
  const failures: unknown[] = [];
  const deleteOne = async ({ name = '', uid = '' }: ObjectMeta): Promise<void> => {
    try {
      await objects.delete(name, { propagationPolicy: 'Background', preconditions: { uid } }, signal);
    } catch (error) {
      // Gone, or another object by that name, which the count of what is left finds.
      if (codeOf(error) !== 404 && codeOf(error) !== 409) failures.push(error);
    }
  };
  for await (const { items } of objects.pages({ limit: PAGE_ITEMS }, signal))
    await Promise.all(items.map(({ metadata }) => permits.run(signal, () => deleteOne(metadata))));
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}

/** What is there now, by a list that is as recent as the request. */
async function restOf(objects: ResourceClient, signal: AbortSignal): Promise<Rest> {
  const finalizers = new Map<string, number>();
  let count = 0;
  let graceSeconds = 0;
  for await (const { items } of objects.pages({ limit: PAGE_ITEMS }, signal)) {
    count += items.length;
    for (const { metadata } of items) {
      graceSeconds = Math.max(graceSeconds, metadata.deletionGracePeriodSeconds ?? 0);
      for (const name of metadata.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
    }
  }
  return { count, finalizers, graceSeconds };
}
