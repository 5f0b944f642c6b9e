import { type ApiObject, errors, type FieldError, jsonEquals, type Logger, parseIp } from '@orch/machinery';
import type { HookedWrite, PendingWrite, WriteHooks } from '@orch/registry';
import type { Allocator } from './allocator.ts';
import type { Owner } from './claims.ts';
import { type Allocators, takeAskedAddresses, takeMissingAddresses } from './cluster-ips.ts';
import { settleFamilies } from './ip-families.ts';
import { takeAskedPorts, takeMissingPorts } from './node-ports.ts';
import { Rehearsal, Reservation, type Source } from './reservation.ts';
import {
  addressesOf,
  type Holdings,
  holdingsOf,
  putInOrder,
  type ServiceSpec,
  serviceSpec,
} from './service-spec.ts';

export interface ServiceHooksOptions {
  /** In the order of the cluster's families. */
  readonly addresses: Allocators;
  readonly ports: Allocator;
  readonly members: ServiceMembers;
  readonly log: Logger;
}

/** Members that older releases do not have. */
export interface ServiceMembers {
  readonly clusterIPs: boolean;
  readonly ipFamilies: boolean;
  /** Two addresses without a policy are refused. */
  readonly needsPolicy: boolean;
}

/**
 * Gives services their addresses and ports. What a service holds is claimed before it is stored and given back after it
 * is gone: whatever happens in between, a value has one service at most. What a crash leaves behind is claimed and
 * unused, which the repair finds.
 */
export class ServiceHooks implements WriteHooks {
  readonly #addresses: Allocators;
  readonly #ports: Allocator;
  readonly #members: ServiceMembers;
  readonly #log: Logger;

  constructor({ addresses, ports, members, log }: ServiceHooksOptions) {
    this.#addresses = addresses;
    this.#ports = ports;
    this.#members = members;
    this.#log = log;
  }

  async begin({ next, old, dryRun, signal }: HookedWrite): Promise<PendingWrite | undefined> {
    const before = old === undefined ? undefined : serviceSpec(old);
    // What was carried over from the stored object was appended.
    if (next !== undefined) putInOrder(next);
    if (next !== undefined && before !== undefined && jsonEquals(next['spec'], before) && isSettled(before)) {
      return undefined;
    }
    if (dryRun) {
      if (next !== undefined) await this.#settle(next, before, new Rehearsal());
      return undefined;
    }
    const reservation = new Reservation({ owner: ownerOf(next ?? old), log: this.#log, signal });
    try {
      if (next !== undefined) await this.#settle(next, before, reservation);
      const after = holdingsOf(next === undefined ? undefined : serviceSpec(next));
      await this.#dropUnused(holdingsOf(before), after, reservation);
    } catch (error) {
      await reservation.finish(false);
      throw error;
    }
    return reservation.isEmpty ? undefined : reservation;
  }

  /** Fills in what the service needs. Throws when it cannot have what it asks for. */
  async #settle(service: ApiObject, old: ServiceSpec | undefined, source: Source): Promise<void> {
    const spec = serviceSpec(service);
    refuse(service, this.#settleFamilies(spec, old));
    const before = holdingsOf(old);
    // All that was asked for first: what is given out freely must not be among it.
    refuse(service, [
      ...(await takeAskedAddresses(spec, before.addresses, this.#addresses, source)),
      ...(await takeAskedPorts(spec, before.ports, this.#ports, source)),
    ]);
    await takeMissingAddresses(spec, this.#familiesOf(spec), this.#addresses, source);
    await takeMissingPorts(spec, this.#ports, source);
    if (!this.#members.clusterIPs) delete spec.clusterIPs;
    putInOrder(service);
  }

  #settleFamilies(spec: ServiceSpec, old: ServiceSpec | undefined): readonly FieldError[] {
    const { ipFamilies, needsPolicy } = this.#members;
    return ipFamilies ? settleFamilies(spec, old, { cluster: [...this.#addresses.keys()], needsPolicy }) : [];
  }

  /** Older releases have no member for them: the family is that of the address, or the main one. */
  #familiesOf(spec: ServiceSpec): readonly ('IPv4' | 'IPv6')[] {
    if (spec.ipFamilies !== undefined) return spec.ipFamilies;
    const asked = addressesOf(spec).flatMap((address) => parseIp(address)?.family ?? []);
    return asked.length > 0 ? asked : [...this.#addresses.keys()].slice(0, 1);
  }

  async #dropUnused(before: Holdings, after: Holdings, reservation: Reservation): Promise<void> {
    for (const value of before.addresses) {
      const from = this.#addresses.get(parseIp(value)?.family ?? 'IPv4') ?? [...this.#addresses.values()][0];
      if (!after.addresses.has(value) && from !== undefined) await reservation.dropAfterwards(from, value);
    }
    for (const value of before.ports) {
      if (!after.ports.has(value)) await reservation.dropAfterwards(this.#ports, value);
    }
  }
}

/** Nothing is left to give: a write that does not touch the spec needs no look at anything. */
const isSettled = (spec: ServiceSpec): boolean =>
  spec.type === 'ExternalName' || addressesOf(spec).length > 0;

function ownerOf(service: ApiObject | undefined): Owner {
  const { namespace = '', name = '', uid = '' } = service?.metadata ?? {};
  return { namespace, name, uid };
}

function refuse(service: ApiObject, problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  throw errors.invalid({ group: '', kind: 'Service', name: service.metadata.name ?? '' }, problems);
}
