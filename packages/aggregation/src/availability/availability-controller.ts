import type { APIService } from '@orch/kinds/apiregistration';
import { jsonEquals } from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import {
  type InternalResource,
  internalKey,
  ObjectLoop,
  type RelatedObjects,
  type ServerContext,
} from '@orch/registry';
import { namesService } from '../api-services/api-service.ts';
import type { Availability } from '../api-services/availability.ts';
import { groupOf } from '../backend/recorded-objects.ts';
import type { RemoteApi, RemoteApiServices } from '../remote/remote-api-services.ts';
import { AvailabilityMetrics } from './availability-metrics.ts';
import { locallyAvailable, notDiverted, setAvailable } from './available-condition.ts';
import { CheckLease } from './check-lease.ts';
import { checkAvailability } from './discovery-check.ts';

/** Interval of checks of an extension API server that answers. */
const INTERVAL_MS = 30_000;
/** The first interval after a failure; it doubles up to `INTERVAL_MS`. */
const FIRST_RETRY_MS = 1_000;
/** API services that are checked at a time. */
const WORKERS = 16;

export interface AvailabilityControllerOptions {
  readonly context: ServerContext;
  readonly remotes: RemoteApiServices;
  /** Called after each check of an extension API server, with the name of its API service. */
  readonly checked: (name: string) => void;
}

/**
 * Checks extension API servers – periodically, and when an API service, its service or its endpoints change – and writes the
 * condition `Available`. Every replica checks, and proxies by its own result; only the replica with the lease writes
 * results, since replicas may reach different endpoints. Conditions of local API services are the same on all replicas, and
 * written by any.
 */
export class AvailabilityController {
  readonly #options: AvailabilityControllerOptions;
  readonly #resource: InternalResource<APIService> | undefined;
  readonly #metrics: AvailabilityMetrics;
  readonly #lease: CheckLease;
  readonly #loop: ObjectLoop;
  /** Failures in sequence, by name. */
  readonly #failures = new Map<string, number>();

  constructor(options: AvailabilityControllerOptions) {
    const { env, objects, store, storePrefix } = options.context;
    this.#options = options;
    this.#resource = objects.resource('apiregistration', 'apiservices');
    this.#metrics = new AvailabilityMetrics(env.metrics);
    this.#lease = new CheckLease({
      store,
      key: internalKey(storePrefix, 'api-service-checks'),
      env,
      acquired: () => this.#loop.addAll(),
    });
    this.#loop = new ObjectLoop({
      env,
      name: 'api_service_availability',
      related: relatedTo(options),
      known: () => namesOf(options.remotes),
      lease: this.#lease,
      workers: WORKERS,
      failed: 'the availability of an API service could not be determined',
      reconcile: (name, signal) => this.#reconcile(name, signal),
    });
    options.remotes.observe((name) => this.#loop.add(name));
  }

  /** Checks until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#loop.run(signal);
  }

  /** A request has failed: the server is checked soon, once for many requests. */
  recheck(name: string): void {
    this.#loop.addAfter(name, FIRST_RETRY_MS);
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<number | undefined> {
    const remote = this.#options.remotes.byName(name);
    if (remote === undefined) return this.#reconcileLocal(name, signal);
    this.#lease.want();
    const { clock } = this.#options.context.env;
    const availability = await checkAvailability(
      remote,
      { clock, names: this.#options.context.names },
      signal,
    );
    if (this.#options.remotes.byName(name) !== remote) return undefined;
    this.#record(remote, availability);
    this.#options.checked(name);
    if (this.#lease.isHeld) await this.#write(name, remote.uid, availability, signal);
    return this.#nextCheckMs(name, availability);
  }

  /** Records the state by which this replica proxies, and its metrics. */
  #record(remote: RemoteApi, { status, reason, message }: Availability): void {
    const isAvailable = status === 'True';
    remote.outage = isAvailable ? undefined : message;
    this.#metrics.set(remote.declared.name, isAvailable, reason);
  }

  #nextCheckMs(name: string, { status }: Availability): number {
    if (status === 'True') {
      this.#failures.delete(name);
      return INTERVAL_MS;
    }
    const failures = this.#failures.get(name) ?? 0;
    this.#failures.set(name, failures + 1);
    return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 10), INTERVAL_MS);
  }

  async #reconcileLocal(name: string, signal: AbortSignal): Promise<undefined> {
    this.#metrics.delete(name);
    this.#failures.delete(name);
    if (this.#options.remotes.isEmpty) this.#lease.release();
    const object = this.#resource?.cached({ namespace: '', name });
    if (object === undefined) return;
    const availability = this.#localAvailability(name, namesService(object));
    if (availability !== undefined) await this.#write(name, object.metadata.uid ?? '', availability, signal);
  }

  /** Undefined for an API service that servers are about to correct. */
  #localAvailability(name: string, hasService: boolean): Availability | undefined {
    if (!hasService) return locallyAvailable;
    return this.#options.remotes.isBuiltIn(name) ? notDiverted : undefined;
  }

  async #write(name: string, uid: string, availability: Availability, signal: AbortSignal): Promise<void> {
    const own = { namespace: '', name };
    const now = formatTime(this.#options.context.env.clock.now());
    const cached = this.#resource?.cached(own);
    if (cached !== undefined && isWritten(cached, availability, now)) return;
    const checked = cached?.spec;
    await this.#resource?.change(
      own,
      (current) => {
        // Another API service, or another spec, has another availability.
        if (current.metadata.uid === uid && jsonEquals(current.spec, checked))
          setAvailable(current, availability, now);
      },
      signal,
    );
  }
}

function* namesOf({ all }: RemoteApiServices): Generator<string> {
  for (const { declared } of all) yield declared.name;
}

/** The objects through which extension API servers are reached. */
const relatedTo = ({ context, remotes }: AvailabilityControllerOptions): readonly RelatedObjects[] =>
  (['services', 'endpoints', 'endpointslices', 'pods'] as const).map((resource) => ({
    resource: context.objects.resource(groupOf(resource), resource),
    *keysOf(key, object) {
      for (const { declared, backend } of remotes.all)
        if (backend.endpoints.dependsOn(resource, key, object?.labels.labels)) yield declared.name;
    },
  }));

function isWritten(cached: APIService, availability: Availability, now: string): boolean {
  const copy = { ...cached };
  setAvailable(copy, availability, now);
  return copy.status === cached.status;
}
