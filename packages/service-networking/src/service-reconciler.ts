import { type InternalResource, internalKey, type ServerContext } from '@orch/registry';
import { DefaultService } from './endpoints/default-service.ts';
import { ServiceCidrLoop } from './objects/service-cidr-loop.ts';
import { Repair } from './repair/repair.ts';
import { reportAllocationError } from './repair/report-allocation-error.ts';
import { readServiceUsers } from './repair/service-users.ts';
import type { ServiceNetwork } from './service-network.ts';

export interface ServiceReconcilerOptions {
  /** Port on which this replica serves. */
  readonly port: number;
  /** Address of this replica for other machines; undefined when it is not published in endpoints. */
  readonly address: string | undefined;
  /** Interval of the repair loop; 3 minutes when absent. */
  readonly repairIntervalMs?: number;
}

/** Background work on services: repair of allocations, the default service and its endpoints. */
export class ServiceReconciler {
  /** Undefined when services are not served. */
  readonly #repair: Repair | undefined;
  readonly #defaultService: DefaultService;
  /** Undefined in releases without objects of ranges. */
  readonly #cidrs: ServiceCidrLoop | undefined;

  constructor(context: ServerContext, network: ServiceNetwork, options: ServiceReconcilerOptions) {
    const { ranges, targets } = network;
    const services = context.objects.resource('', 'services');
    this.#repair = services === undefined ? undefined : repairOf(context, { targets, services, ...options });
    this.#defaultService = new DefaultService({ context, ranges, ...options });
    this.#cidrs = network.hasObjects ? new ServiceCidrLoop({ context, ranges }) : undefined;
  }

  /** Runs before the first request is served. Needs the bootstrap objects, and a cache that is loaded or loading. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#cidrs?.start(signal);
    await this.#repair?.first(signal);
    await this.#defaultService.start(signal);
  }

  /** Returns when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#repair?.run(signal),
      this.#defaultService.run(signal),
      this.#cidrs?.run(signal),
    ]);
  }

  /** Removes this replica from the endpoints of the default service. */
  leave(): Promise<void> {
    return this.#defaultService.leave();
  }
}

interface Repairing {
  readonly targets: ServiceNetwork['targets'];
  readonly services: InternalResource;
  readonly repairIntervalMs?: number;
}

function repairOf(context: ServerContext, { targets, services, repairIntervalMs }: Repairing): Repair {
  const { store, env, storePrefix } = context;
  return new Repair({
    store,
    env,
    key: internalKey(storePrefix, 'services/repair'),
    targets,
    users: (signal) => readServiceUsers(services.cache, signal),
    report: (reported, signal) => reportAllocationError(context, reported, signal),
    ...(repairIntervalMs === undefined ? {} : { intervalMs: repairIntervalMs }),
  });
}
