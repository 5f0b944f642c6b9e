import { errors, type Fence, fenceHeader, parseFence } from '@orch/machinery';
import type { ApiRequest, ResourceContext } from '@orch/request';
import type { Guard } from '@orch/storage';
import { objectCommitter } from '../commit/object-committer.ts';
import type { RegistryContext } from '../context/registry-context.ts';
import { mostRecent } from '../request/resource-version.ts';
import { type ServedResource, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';
import { FenceRefusal } from './fence-refusal.ts';
import { FencedStore, type FenceGuard } from './fenced-store.ts';
import { concealedState, explainState, isHeldAs, type LeaseState, leaseState } from './held-lease.ts';

/**
 * The context that serves a write with a fence. Throws 409 unless the Lease of the fence is held as required, and guards
 * every commit of the request by it: a late write, or one in flight while another leader takes over, has no effect.
 * Allocations of the server beside an object (addresses) are not guarded.
 */
export async function fencedContext(
  context: RegistryContext,
  resource: ServedResource,
  call: ResourceContext,
): Promise<RegistryContext> {
  const lease = new FenceLease(context, resource, call);
  const guard = await lease.find();
  const store = new FencedStore(context.store, lease.guardFrom(guard));
  return { ...context, store, committer: objectCommitter({ ...context, store }) };
}

function fenceOf({ headers }: ApiRequest): Fence {
  const fence = parseFence(String(headers[fenceHeader]));
  if (fence !== undefined) return fence;
  throw errors.malformedRequest(
    `the header ${fenceHeader} is malformed: it must be <namespace>/<name>/<transitions>/<holder>/<uid>, each encoded as in URIs`,
  );
}

/** The Lease that the fence of one request names. */
class FenceLease {
  readonly #context: RegistryContext;
  readonly #resource: ServedResource;
  readonly #call: ResourceContext;
  readonly #fence: Fence;

  constructor(context: RegistryContext, resource: ServedResource, call: ResourceContext) {
    this.#context = context;
    this.#resource = resource;
    this.#call = call;
    this.#fence = fenceOf(call.request);
  }

  /** The revision at which the Lease is held as the fence requires; throws 409 when it is not. */
  async find(): Promise<Guard> {
    const leases = this.#leases();
    if (leases === undefined) throw await this.#refusal(undefined);
    const { cache, keyPrefix } = leases;
    await (cache.whenMostRecent() ?? cache.waitFresh(mostRecent, this.#call.request.signal));
    const key = objectKey(true, this.#fence.namespace, this.#fence.name);
    const lease = cache.get(key);
    const state = lease === undefined ? undefined : leaseState(lease);
    if (lease === undefined || state === undefined || !isHeldAs(state, this.#fence)) {
      throw await this.#refusal(state);
    }
    return { key: keyPrefix + key, revision: lease.rev };
  }

  /** Commits of one request, some of which may be concurrent, share the last result. */
  guardFrom(found: Guard): FenceGuard {
    let guard = found;
    return {
      current: () => guard,
      renew: async (failed) => {
        if (failed.revision === guard.revision) guard = await this.find();
        return guard;
      },
      exhausted: () => this.#conflict('the lease is renewed too often; please try again'),
    };
  }

  /** All versions share one cache. Undefined when none is served. */
  #leases(): StoredResource | undefined {
    const { table } = this.#context;
    const served = table.all.find(
      ({ groupKey, type }) => groupKey === 'coordination' && type.resource === 'leases',
    );
    return served === undefined ? undefined : this.#context.stored(served);
  }

  /** Clients that may not read the Lease learn only that it is not held as required. */
  async #refusal(state: LeaseState | undefined): Promise<FenceRefusal> {
    const { namespace, name } = this.#fence;
    const attributes = {
      user: this.#call.user,
      isResource: true,
      verb: 'get',
      group: this.#context.names.group('coordination'),
      version: 'v1',
      resource: 'leases',
      subresource: '',
      namespace,
      name,
    } as const;
    const { verdict } = await this.#context.authorizer.authorize(attributes, this.#call.request);
    return this.#conflict(
      verdict === 'allow' ? explainState(state, this.#fence) : concealedState(this.#fence),
    );
  }

  #conflict(why: string): FenceRefusal {
    const subject = subjectOf(this.#resource, this.#call.info.name);
    return new FenceRefusal(errors.conflict(subject, why).status);
  }
}
