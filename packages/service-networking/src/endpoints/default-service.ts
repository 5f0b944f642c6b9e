import type { Service } from '@orch/kinds/core';
import { abortable, withDeadline } from '@orch/machinery/concurrency';
import { jsonEquals } from '@orch/machinery/json';
import { runRounds } from '@orch/machinery/queue';
import { type InternalResource, internalKey, type ObjectName, type ServerContext } from '@orch/registry';
import type { ServiceRanges } from '../allocate/service-ranges.ts';
import { writeApiEndpoints } from './api-endpoints.ts';
import { ReplicaLeases } from './replica-leases.ts';

export interface DefaultServiceOptions {
  readonly context: ServerContext;
  readonly ranges: ServiceRanges;
  /** Port of this replica. */
  readonly port: number;
  /** Address of this replica for other machines; undefined when it is not published in endpoints. */
  readonly address: string | undefined;
}

/** Interval at which a replica renews its lease, and the ttl of the lease. */
const INTERVAL_MS = 10_000;
const TTL_SECONDS = 15;
const LEAVE_MS = 2_000;
const SERVICE_PORT = 443;

/** Prefix of the keys that exist while servers run, one for each. */
export const replicaKeys = (storePrefix: string): string => internalKey(storePrefix, 'replicas/');

/** Keeps the default service and its endpoints: the replicas whose leases are valid. */
export class DefaultService {
  readonly #options: DefaultServiceOptions;
  readonly #leases: ReplicaLeases;
  #isLeaving = false;
  #ticking: Promise<void> = Promise.resolve();

  constructor(options: DefaultServiceOptions) {
    this.#options = options;
    const { store, storePrefix } = options.context;
    this.#leases = new ReplicaLeases({
      store,
      prefix: replicaKeys(storePrefix),
      ttlSeconds: TTL_SECONDS,
    });
  }

  /** Creates or corrects the service, and publishes this replica in its endpoints. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#try('updating the default service', (limit) => this.#ensureService(limit), signal);
    await this.#try(
      'publishing this server in the endpoints of the default service',
      (limit) => this.#announce(limit),
      signal,
    );
  }

  /** Renews the lease of this replica at intervals; returns when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const round = async (until: AbortSignal): Promise<void> => {
      if (this.#isLeaving) return;
      this.#ticking = this.#tick(until);
      await this.#ticking;
    };
    await runRounds(
      {
        env: this.#options.context.env,
        name: 'default_service',
        failed: 'updating the default service failed',
        intervalMs: INTERVAL_MS,
        firstAfterMs: INTERVAL_MS,
        round,
      },
      signal,
    );
  }

  async #tick(signal: AbortSignal): Promise<void> {
    await this.#try('updating the default service', (limit) => this.#createIfMissing(limit), signal);
    await this.#try(
      'publishing this server in the endpoints of the default service',
      (limit) => this.#announce(limit),
      signal,
    );
  }

  /** Removes this replica from the endpoints before it stops serving. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    if (this.#options.address === undefined) return;
    using limit = withDeadline(new AbortController().signal, this.#options.context.env.clock, LEAVE_MS);
    await this.#try(
      'removing this server from the endpoints of the default service',
      async (signal) => {
        // A renewal in progress must not be written after the removal.
        await abortable(this.#ticking, signal);
        await this.#leases.leave(signal);
        await this.#write(signal);
      },
      limit.signal,
    );
  }

  async #announce(signal: AbortSignal): Promise<void> {
    const { address: ip, port } = this.#options;
    if (ip === undefined) return;
    await this.#leases.renew({ ip, port }, signal);
    await this.#write(signal);
  }

  async #write(signal: AbortSignal): Promise<void> {
    await writeApiEndpoints(this.#options.context, await this.#leases.alive(signal), signal);
  }

  async #ensureService(signal: AbortSignal): Promise<void> {
    const services = this.#services();
    if (services === undefined) return;
    const { ports } = this.#spec();
    const changed = await services.change(
      this.#name(),
      (service) => {
        service.spec ??= {};
        if (!jsonEquals(service.spec.ports, ports)) service.spec.ports = ports;
      },
      signal,
    );
    if (changed === undefined) await this.#create(services, signal);
  }

  async #createIfMissing(signal: AbortSignal): Promise<void> {
    const services = this.#services();
    if (services !== undefined && !services.isCached(this.#name())) await this.#create(services, signal);
  }

  async #create(services: InternalResource<Service>, signal: AbortSignal): Promise<void> {
    const { context } = this.#options;
    const labels = { component: 'apiserver', provider: context.names.product };
    const service: Service = {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { labels },
      spec: this.#spec(),
    };
    await services.create(this.#name(), service, signal);
  }

  /** Undefined where services are not served. */
  #services(): InternalResource<Service> | undefined {
    return this.#options.context.objects.resource('', 'services');
  }

  #name(): ObjectName {
    const { namespaces, defaultService } = this.#options.context.names;
    return { namespace: namespaces.default, name: defaultService };
  }

  #spec() {
    const { ranges, port } = this.#options;
    return {
      ports: [{ name: 'https', protocol: 'TCP', port: SERVICE_PORT, targetPort: port }],
      clusterIP: ranges.addresses[0]?.at(0) ?? '',
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilyPolicy: 'SingleStack',
    };
  }

  /** Failures are logged and retried at the next interval. */
  async #try(what: string, work: (limit: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options.context.env;
    using limit = withDeadline(signal, clock, INTERVAL_MS);
    try {
      await work(limit.signal);
    } catch (error) {
      if (signal.aborted && !this.#isLeaving) return;
      log.warn(`${what} failed`, { error: error instanceof Error ? error.message : String(error) });
    }
  }
}
