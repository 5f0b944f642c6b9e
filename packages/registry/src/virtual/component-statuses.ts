import type { CachedObject, ObjectEncoder } from '@orch/cache';
import type { Lease } from '@orch/kinds/coordination';
import { errors } from '@orch/machinery';
import { encodeJson, parseJson } from '@orch/machinery/json';
import { timeMs } from '@orch/machinery/time';
import type { Reply, ResourceContext } from '@orch/request';
import { RoutedStore, type Store } from '@orch/storage';
import type { VirtualPath } from '../context/virtual-resource.ts';
import { bytesReply, headersOf, queryOf, responseFormatOf } from '../request/reply.ts';
import { type ServedResource, subjectOf } from '../resource/served-resource.ts';

/** Health of one component, as in ComponentStatus. */
interface Health {
  readonly name: string;
  readonly healthy: boolean;
  /** The message of a healthy component, or else the error. */
  readonly text: string;
}

/**
 * `componentstatuses`: not stored, but determined for each request: the store by reading its revision, programs in the same
 * process by their reported health, others by the Lease that their leader renews.
 */
export async function componentStatuses(
  path: VirtualPath,
  resource: ServedResource,
  { info, request }: ResourceContext,
): Promise<Reply> {
  const objects = (await componentHealth(path, request.signal)).map((health) =>
    statusObject(resource, health),
  );
  const query = queryOf(request);
  if (info.name === '') {
    const format = responseFormatOf(request, query, path.negotiator, 'list');
    const rev = 0;
    const body = resource.encodings.list(
      objects,
      { rev, continueToken: undefined, remaining: undefined },
      format,
    );
    return { kind: 'chunks', status: 200, headers: headersOf(format), ...body };
  }
  const format = responseFormatOf(request, query, path.negotiator, 'object');
  const object = objects.find(({ key }) => key === info.name);
  if (object === undefined) throw errors.notFound(subjectOf(resource, info.name));
  return bytesReply(200, format, resource.encodings.cached(object, format));
}

async function componentHealth(path: VirtualPath, signal: AbortSignal): Promise<readonly Health[]> {
  const { programs } = path.names;
  const own = await path.localPrograms.controllerManager?.();
  return [
    own === undefined
      ? leaderHealth(path, 'controller-manager', programs.controllerManager)
      : { name: 'controller-manager', ...own },
    ...(await storesHealth(path, signal)),
    leaderHealth(path, 'scheduler', programs.scheduler),
  ];
}

/** The main store, and those of some resources. */
function storesHealth({ store }: VirtualPath, signal: AbortSignal): Promise<readonly Health[]> {
  const stores = store instanceof RoutedStore ? store.stores : [store];
  return Promise.all(stores.map((one, i) => storeHealth(`etcd-${i}`, one, signal)));
}

async function storeHealth(name: string, store: Store, signal: AbortSignal): Promise<Health> {
  try {
    await store.currentRevision(signal);
    return { name, healthy: true, text: '{"health":"true"}' };
  } catch (cause) {
    return { name, healthy: false, text: cause instanceof Error ? cause.message : 'unavailable' };
  }
}

/** A leader is unhealthy after it released its Lease, or did not renew it in time. */
function leaderHealth(path: VirtualPath, name: string, lease: string): Health {
  const leases = path.table.find(path.names.group('coordination'), 'v1', 'leases');
  const key = `${path.names.namespaces.system}/${lease}`;
  const object = leases === undefined ? undefined : path.stored(leases).cache.get(key);
  if (object === undefined) return { name, healthy: false, text: `no leader: there is no Lease ${key}` };
  const { spec = {} } = parseJson(object.json()) as Lease;
  if ((spec.holderIdentity ?? '') === '')
    return { name, healthy: false, text: `no leader: the Lease ${key} has no holder` };
  const renewedMs = timeMs(spec.renewTime ?? '');
  const lifetimeMs = (spec.leaseDurationSeconds ?? 0) * 1000;
  const alive = renewedMs !== undefined && path.env.clock.now() <= renewedMs + lifetimeMs;
  return alive
    ? { name, healthy: true, text: 'ok' }
    : { name, healthy: false, text: `the Lease ${key} was not renewed in time` };
}

function statusObject(resource: ServedResource, { name, healthy, text }: Health): CachedObject {
  const condition = {
    type: 'Healthy',
    status: healthy ? 'True' : 'False',
    [healthy ? 'message' : 'error']: text,
  };
  const { kind } = resource.type;
  const status = { kind, apiVersion: resource.apiVersion, metadata: { name }, conditions: [condition] };
  const json = encodeJson(resource.codec.decode(status).value);
  const object: CachedObject = {
    key: name,
    rev: 0,
    labels: { labels: {} },
    field: (position) => (position === 0 ? name : ''),
    corrupt: false,
    size: json.length,
    json: () => json,
    encoded: (encoder: ObjectEncoder) => encoder.encode(object),
    isEncoded: () => false,
  };
  return object;
}
