import { type ApiObject, errors, type FieldError, type Logger } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { type IpFamily, parseIp } from '@orch/machinery/net';
import type { HookedWrite, PendingWrite, WriteHooks } from '@orch/registry';
import type { Owner } from './allocation-store.ts';
import type { ValuePool } from './allocator.ts';
import { type Allocators, takeMissingAddresses, takeRequestedAddresses } from './cluster-ips.ts';
import { resolveFamilies } from './ip-families.ts';
import { takeMissingPorts, takeRequestedPorts } from './node-ports.ts';
import { DryRunSource, Reservation, type ValueSource } from './reservation.ts';
import {
  type AllocatedValues,
  addressesOf,
  allocatedValuesOf,
  familiesOf,
  putInOrder,
  type ServiceSpec,
  serviceSpec,
} from './service-spec.ts';

export interface ServiceHooksOptions {
  /** In the order of the address families of the cluster. */
  readonly addresses: Allocators;
  readonly ports: ValuePool;
  readonly fields: ServiceFields;
  readonly log: Logger;
}

/** Fields that older releases do not have. */
export interface ServiceFields {
  readonly clusterIPs: boolean;
  readonly ipFamilies: boolean;
  /** Two addresses without `ipFamilyPolicy` are refused. */
  readonly needsPolicy: boolean;
}

/**
 * Allocates addresses and ports of services. Values are allocated before the service is stored and released after the
 * commit that removes them, so that at most one service uses a value. A crash in between leaves values allocated but
 * unused, which the repair loop releases.
 */
export class ServiceHooks implements WriteHooks {
  readonly #addresses: Allocators;
  readonly #ports: ValuePool;
  readonly #fields: ServiceFields;
  readonly #log: Logger;

  constructor({ addresses, ports, fields, log }: ServiceHooksOptions) {
    this.#addresses = addresses;
    this.#ports = ports;
    this.#fields = fields;
    this.#log = log;
  }

  async begin({ next, old, dryRun, signal }: HookedWrite): Promise<PendingWrite | undefined> {
    const before = old === undefined ? undefined : serviceSpec(old);
    // Fields taken over from the stored object were appended.
    if (next !== undefined) putInOrder(next);
    if (
      next !== undefined &&
      before !== undefined &&
      jsonEquals(next['spec'], before) &&
      isComplete(before)
    ) {
      return undefined;
    }
    if (dryRun) {
      if (next !== undefined) await this.#allocate(next, before, new DryRunSource());
      return undefined;
    }
    const reservation = new Reservation({ owner: ownerOf(next ?? old), log: this.#log, signal });
    try {
      if (next !== undefined) await this.#allocate(next, before, reservation);
      const after = allocatedValuesOf(next === undefined ? undefined : serviceSpec(next));
      await this.#dropUnused(allocatedValuesOf(before), after, reservation);
    } catch (error) {
      await reservation.finish(false);
      throw error;
    }
    return reservation.isEmpty ? undefined : reservation;
  }

  /** Sets the values that the service needs. Throws when a requested value is not available. */
  async #allocate(service: ApiObject, old: ServiceSpec | undefined, source: ValueSource): Promise<void> {
    const spec = serviceSpec(service);
    refuse(service, this.#resolveFamilies(spec, old));
    const before = allocatedValuesOf(old);
    // Requested values first: a freely chosen value must not be one of them.
    refuse(service, [
      ...(await takeRequestedAddresses(spec, before.addresses, this.#addresses, source)),
      ...(await takeRequestedPorts(spec, before.ports, this.#ports, source)),
    ]);
    await takeMissingAddresses(spec, this.#familiesOf(spec), this.#addresses, source);
    await takeMissingPorts(spec, this.#ports, source);
    if (!this.#fields.clusterIPs) delete spec.clusterIPs;
    putInOrder(service);
  }

  #resolveFamilies(spec: ServiceSpec, old: ServiceSpec | undefined): readonly FieldError[] {
    const { ipFamilies, needsPolicy } = this.#fields;
    return ipFamilies
      ? resolveFamilies(spec, old, { cluster: [...this.#addresses.keys()], needsPolicy })
      : [];
  }

  /** Releases without `ipFamilies`: the family of the address, or the primary family. */
  #familiesOf(spec: ServiceSpec): readonly IpFamily[] {
    if (spec.ipFamilies !== undefined) return familiesOf(spec);
    const requested = addressesOf(spec).flatMap((address) => parseIp(address)?.family ?? []);
    return requested.length > 0 ? requested : [...this.#addresses.keys()].slice(0, 1);
  }

  async #dropUnused(
    before: AllocatedValues,
    after: AllocatedValues,
    reservation: Reservation,
  ): Promise<void> {
    for (const value of before.addresses) {
      const from = this.#addresses.get(parseIp(value)?.family ?? 'IPv4') ?? [...this.#addresses.values()][0];
      if (!after.addresses.has(value) && from !== undefined) await reservation.dropAfterwards(from, value);
    }
    for (const value of before.ports) {
      if (!after.ports.has(value)) await reservation.dropAfterwards(this.#ports, value);
    }
  }
}

/** A write that does not change the spec of such a service needs no allocation. */
const isComplete = (spec: ServiceSpec): boolean =>
  spec.type === 'ExternalName' || addressesOf(spec).length > 0;

function ownerOf(service: ApiObject | undefined): Owner {
  const { namespace = '', name = '', uid = '' } = service?.metadata ?? {};
  return { namespace, name, uid };
}

function refuse(service: ApiObject, problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  throw errors.invalid({ group: '', kind: 'Service', name: service.metadata.name ?? '' }, problems);
}
