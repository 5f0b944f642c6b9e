import { type ApiObject, abortable, jsonEquals, sleep, withDeadline } from '@orch/machinery';
import { type InternalResource, internalKey, type ObjectName, type ServerContext } from '@orch/registry';
import type { ServiceRanges } from '../allocate/service-ranges.ts';
import { writeApiEndpoints } from './api-endpoints.ts';
import { ReplicaLeases } from './replica-leases.ts';

export interface DefaultServiceOptions {
  readonly context: ServerContext;
  readonly ranges: ServiceRanges;
  /** Port of this replica. */
  readonly port: number;
  /** Address of this replica, for other machines; undefined when it is not to be announced. */
  readonly address: string | undefined;
}

/** How often a replica says that it is alive, and how long it is believed. */
const INTERVAL_MS = 10_000;
const TTL_SECONDS = 15;
const LEAVE_MS = 2_000;
const SERVICE_PORT = 443;

/** Keeps the service in the default namespace that leads to the API, and where it leads: to the replicas that are alive. */
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
      prefix: internalKey(storePrefix, 'replicas/'),
      ttlSeconds: TTL_SECONDS,
    });
  }

  /** Creates the service or puts it right, and announces this replica. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#try('keeping the default service', (limit) => this.#ensureService(limit), signal);
    await this.#try(
      'announcing this server in the endpoints of the default service',
      (limit) => this.#announce(limit),
      signal,
    );
  }

  /** Goes on saying that this replica is alive; returns when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(this.#options.context.env.clock, INTERVAL_MS, signal).catch(() => undefined);
      if (signal.aborted || this.#isLeaving) return;
      this.#ticking = this.#tick(signal);
      await this.#ticking;
    }
  }

  async #tick(signal: AbortSignal): Promise<void> {
    await this.#try('keeping the default service', (limit) => this.#createIfMissing(limit), signal);
    await this.#try(
      'announcing this server in the endpoints of the default service',
      (limit) => this.#announce(limit),
      signal,
    );
  }

  /** Takes this replica out of the endpoints at once, before it stops serving. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    if (this.#options.address === undefined) return;
    using limit = withDeadline(new AbortController().signal, this.#options.context.env.clock, LEAVE_MS);
    await this.#try(
      'leaving the endpoints of the default service',
      async (signal) => {
        // What is just being announced would come after the farewell.
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
        const spec = service['spec'] as Record<string, unknown>;
        if (!jsonEquals(spec['ports'], ports)) spec['ports'] = ports;
      },
      signal,
    );
    if (changed === undefined) await this.#create(services, signal);
  }

  async #createIfMissing(signal: AbortSignal): Promise<void> {
    const services = this.#services();
    if (services !== undefined && !services.isCached(this.#name())) await this.#create(services, signal);
  }

  async #create(services: InternalResource, signal: AbortSignal): Promise<void> {
    const { context } = this.#options;
    const labels = { component: 'apiserver', provider: context.names.product };
    const service: ApiObject = {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { labels },
      spec: this.#spec(),
    };
    await services.create(this.#name(), service, signal);
  }

  /** Undefined where services are not served. */
  #services(): InternalResource | undefined {
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
    };
  }

  /** Others can do without: what fails, or takes too long, is tried again. */
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
