import type { Client, DiscoveredResource, DiscoverySnapshot, ResourceClient } from '@orch/client';
import { ApiError, formatApiVersion, messageOf, type ObjectMeta, parseApiVersion } from '@orch/machinery';
import { Semaphore } from '@orch/machinery/concurrency';
import type { ContentReport } from './content-report.ts';
import { type KnownContent, knownContent } from './empty-resources.ts';
import { unreadableKinds } from './unreadable-kinds.ts';

/** Resources that are deleted concurrently, and objects of a resource without `deletecollection`. */
const PARALLEL = 4;
const PARALLEL_DELETES = 16;
const PAGE_ITEMS = 500;
/** Maximum number of times that a deletion of pages is restarted after its continue token has expired. */
const MAX_ROUNDS = 5;

/** The remaining objects of one resource in a namespace. */
export interface Remaining {
  readonly count: number;
  readonly finalizers: ReadonlyMap<string, number>;
  readonly graceSeconds: number;
}

const nothing: Remaining = { count: 0, finalizers: new Map(), graceSeconds: 0 };

const nothingRemains: ContentReport = {
  undiscovered: new Map(),
  unreadable: [],
  failures: new Map(),
  remaining: new Map(),
  finalizers: new Map(),
  graceSeconds: 0,
};

const nameOf = ({ group, resource }: DiscoveredResource): string =>
  group === '' ? resource : `${resource}.${group}`;

const isPods = ({ group, resource }: DiscoveredResource): boolean => group === '' && resource === 'pods';

/**
 * Deletes the objects of a namespace, of all discovered resources, and reports what remains. Pods are deleted first and
 * other objects only when no pods remain, so that network policies and the like apply until then. Nothing is requested of
 * servers that do not answer: their known resources would only delay the others. Nothing else is requested of a server that knows that
 * the namespace has no objects.
 */
export async function deleteContent(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<ContentReport> {
  const known = await knownContent(client, namespace, signal);
  if (known.hasNone) return nothingRemains;
  const snapshot = await discovered(client, signal);
  const unreadable = [...snapshot.failed.keys()].filter((name) => parseApiVersion(name) === undefined);
  const undiscovered = new Map([
    ...[...snapshot.failed].filter(([name]) => !unreadable.includes(name)),
    ...(known.isComplete ? [] : await unreadableKinds(client, snapshot, signal)),
  ]);
  const remainders = new Map<string, Remaining>();
  const failures = new Map<string, string>();
  const deleteObjects = async (resource: DiscoveredResource): Promise<void> => {
    try {
      remainders.set(
        nameOf(resource),
        await deleteResource(client.metadata(resource, namespace), resource, signal),
      );
    } catch (error) {
      signal.throwIfAborted();
      failures.set(nameOf(resource), messageOf(error));
    }
  };
  const permits = new Semaphore(PARALLEL);
  const all = (of: readonly DiscoveredResource[]): Promise<unknown> =>
    Promise.all(of.map((resource) => permits.run(signal, () => deleteObjects(resource))));
  const found = deletable(snapshot, known);
  const pods = found.filter(isPods);
  await all(pods);
  if ((remainders.get('pods')?.count ?? 0) === 0) {
    // The deletion of pods may take long, and other objects may appear meanwhile.
    const later =
      pods.length === 0 ? found : deletable(snapshot, await knownContent(client, namespace, signal));
    await all(later.filter((each) => !isPods(each)));
  }
  return { undiscovered, unreadable, failures, ...summed(remainders) };
}

/** The resources whose objects are deleted: those that may have some. */
const deletable = (
  { preferred, failed }: DiscoverySnapshot,
  known: KnownContent,
): readonly DiscoveredResource[] =>
  preferred.filter(
    (one) =>
      one.namespaced &&
      one.verbs.includes('delete') &&
      !failed.has(formatApiVersion(one)) &&
      !known.isEmpty(one),
  );

/** A failed discovery is reported as a failure of the group version `v1`. */
async function discovered(client: Client, signal: AbortSignal): Promise<DiscoverySnapshot> {
  try {
    return await client.discovery.read(signal);
  } catch (error) {
    signal.throwIfAborted();
    return { all: [], preferred: [], failed: new Map([['v1', messageOf(error)]]) };
  }
}

function summed(
  remainders: ReadonlyMap<string, Remaining>,
): Pick<ContentReport, 'remaining' | 'finalizers' | 'graceSeconds'> {
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  let graceSeconds = 0;
  for (const [name, remainder] of remainders) {
    if (remainder.count > 0) remaining.set(name, remainder.count);
    for (const [finalizer, n] of remainder.finalizers)
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + n);
    graceSeconds = Math.max(graceSeconds, remainder.graceSeconds);
  }
  return { remaining, finalizers, graceSeconds };
}

/** Deletes the objects of one resource in a namespace, and returns what remains. */
async function deleteResource(
  objects: ResourceClient,
  resource: DiscoveredResource,
  signal: AbortSignal,
): Promise<Remaining> {
  const canList = resource.verbs.includes('list');
  try {
    if (canList && (await objects.list({ limit: 1 }, signal)).items.length === 0) return nothing;
    const isDone = resource.verbs.includes('deletecollection') && (await deletePages(objects, signal));
    if (!isDone && canList) await deleteEach(objects, signal);
    return canList ? await remainingOf(objects, signal) : nothing;
  } catch (error) {
    // The resource was removed after discovery, and its objects with it.
    if (isUnserved(error)) return nothing;
    throw error;
  }
}

const codeOf = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.status.code : undefined;

const isUnserved = (error: unknown): boolean =>
  error instanceof ApiError && error.status.code === 404 && error.status.details?.name === undefined;

/** Deletes in pages, so that requests stay short. False when the server does not support the deletion of collections. */
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
      // The continue token has expired: the remaining objects are deleted with a new list.
      if (code !== 410) throw error;
    }
  }
  return true;
}

/** Deletes objects one by one, each only if it has the listed uid. */
async function deleteEach(objects: ResourceClient, signal: AbortSignal): Promise<void> {
  const permits = new Semaphore(PARALLEL_DELETES);
  const failures: unknown[] = [];
  const deleteOne = async ({ name = '', uid = '' }: ObjectMeta): Promise<void> => {
    try {
      await objects.delete(name, { propagationPolicy: 'Background', preconditions: { uid } }, signal);
    } catch (error) {
      // Deleted meanwhile, or replaced by an object that the count of remaining objects includes.
      if (codeOf(error) !== 404 && codeOf(error) !== 409) failures.push(error);
    }
  };
  for await (const { items } of objects.pages({ limit: PAGE_ITEMS }, signal))
    await Promise.all(items.map(({ metadata }) => permits.run(signal, () => deleteOne(metadata))));
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}

/** The remaining objects, by a consistent list. */
async function remainingOf(objects: ResourceClient, signal: AbortSignal): Promise<Remaining> {
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
