import { type InternalResource, internalKey, type ServerContext } from '@orch/registry';
import { DefaultService } from './endpoints/default-service.ts';
import { Repair } from './repair/repair.ts';
import { reportFinding } from './repair/report-finding.ts';
import { readServiceUsers } from './repair/service-users.ts';
import type { ServiceNetwork } from './service-network.ts';

export interface UpkeepOptions {
  /** Port at which this replica serves. */
  readonly port: number;
  /** Address of this replica for other machines; undefined when it is not to be announced. */
  readonly address: string | undefined;
  /** Between two repairs; 3 minutes when absent. */
  readonly repairIntervalMs?: number;
}

/** Keeps services in order beside the requests: what they hold, and the service that leads to the API. */
export class ServiceUpkeep {
  /** None where services are not served: what they hold is not known then. */
  readonly #repair: Repair | undefined;
  readonly #defaultService: DefaultService;

  constructor(context: ServerContext, network: ServiceNetwork, options: UpkeepOptions) {
    const { ranges, subjects } = network;
    const services = context.objects.resource('', 'services');
    this.#repair = services === undefined ? undefined : repairOf(context, { subjects, services, ...options });
    this.#defaultService = new DefaultService({ context, ranges, ...options });
  }

  /** What comes before the first request is served. Needs the bootstrap objects, and a cache that is loaded or being so. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#repair?.first(signal);
    await this.#defaultService.start(signal);
  }

  /** Goes on until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#repair?.run(signal), this.#defaultService.run(signal)]);
  }

  /** Sends nobody to this replica any more. */
  leave(): Promise<void> {
    return this.#defaultService.leave();
  }
}

interface Repairing {
  readonly subjects: ServiceNetwork['subjects'];
  readonly services: InternalResource;
  readonly repairIntervalMs?: number;
}

function repairOf(context: ServerContext, { subjects, services, repairIntervalMs }: Repairing): Repair {
  const { store, env, storePrefix } = context;
  return new Repair({
    store,
    env,
    key: internalKey(storePrefix, 'services/repair'),
    subjects,
    users: (rev, signal) => readServiceUsers(services.cache, rev, signal),
    report: (reported, signal) => reportFinding(context, reported, signal),
    ...(repairIntervalMs === undefined ? {} : { intervalMs: repairIntervalMs }),
  });
}
