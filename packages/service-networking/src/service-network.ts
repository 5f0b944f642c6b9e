import { compareReleases, findType, type Release } from '@orch/apis';
import type { Env, Names } from '@orch/machinery';
import type { IpFamily } from '@orch/machinery/net';
import { type HooksOf, internalKey, type ServerContext } from '@orch/registry';
import { type Field, reaches, type SchemaRef } from '@orch/schema';
import type { Store } from '@orch/storage';
import { AddressPool } from './allocate/address-pool.ts';
import { AllocationStore, type Allocations } from './allocate/allocation-store.ts';
import { type AllocationSeries, Allocator } from './allocate/allocator.ts';
import { type ServiceFields, ServiceHooks } from './allocate/service-hooks.ts';
import type { ServiceRanges } from './allocate/service-ranges.ts';
import type { AddressRange, PortRange } from './allocate/value-range.ts';
import { AddressObjects } from './objects/address-objects.ts';
import { declaredRanges } from './objects/declared-ranges.ts';
import { RecordedAddresses } from './objects/recorded-addresses.ts';
import type { AllocationErrorType, RepairTarget } from './repair/repair.ts';
import { repairObjects } from './repair/repair-objects.ts';

export interface ServiceNetworkOptions {
  readonly ranges: ServiceRanges;
  readonly store: Store;
  readonly storePrefix: string;
  readonly env: Env;
  readonly names: Names;
  readonly release: Release;
  /** The objects of the server, once requests are served. */
  readonly objects: () => ServerContext['objects'];
  /** Reports whether the release has a field of an object. */
  readonly includes: (field: Field) => boolean;
}

/** Allocation and repair of the cluster IPs and node ports of services. */
export interface ServiceNetwork {
  readonly ranges: ServiceRanges;
  /** Whether addresses and ranges are objects. */
  readonly hasObjects: boolean;
  /** Allocation around the writes of services, for the registry. */
  readonly hooksOf: HooksOf;
  readonly targets: readonly RepairTarget[];
}

export function serviceNetwork(options: ServiceNetworkOptions): ServiceNetwork {
  const { ranges, store, storePrefix, env } = options;
  const { clock, random, log } = env;
  const allocationStoreOf = (kind: string): AllocationStore =>
    new AllocationStore({ store, clock, random, prefix: internalKey(storePrefix, `services/${kind}/`) });
  const addressObjects = objectsOf(options);
  const addressAllocations = new RecordedAddresses({
    keys: allocationStoreOf('addresses'),
    objects: addressObjects,
    clock,
  });
  const portAllocations = allocationStoreOf('ports');
  const series = allocationMetrics(env);
  const allocatorOf = (range: AddressRange | PortRange, allocations: Allocations): Allocator =>
    new Allocator({ range, allocations, clock, random, metrics: series(range.text) });
  const declared = allocatorsOfObjects(options, (range) => allocatorOf(range, addressAllocations));
  const addresses = new Map(
    ranges.addresses.map((range) => [
      range.family,
      new AddressPool(allocatorOf(range, addressAllocations), {
        others: () => declared(range.family),
        checksDryRuns: compareReleases(options.release, CHECKED_DRY_RUNS) >= 0,
      }),
    ]),
  );
  const ports = allocatorOf(ranges.ports, portAllocations);
  const hooks = new ServiceHooks({ addresses, ports, fields: serviceFieldsOf(options), log });
  return {
    ranges,
    hasObjects: areObjects(options),
    hooksOf: ({ group, resource }) => (group === '' && resource === 'services' ? hooks : undefined),
    targets: [
      {
        kind: 'addresses',
        allocations: addressAllocations,
        isInRange: (value) => [...addresses.values()].some((pool) => pool.contains(value)),
        async repairObjects(users, signal) {
          const objects = addressObjects();
          if (objects !== undefined) await repairObjects(objects, addressAllocations, { users, signal });
        },
        count: repairMetrics(env, 'apiserver_clusterip_repair_ip_errors_total', 'addresses'),
      },
      {
        kind: 'ports',
        allocations: portAllocations,
        isInRange: (value) => ranges.ports.offsetOf(value) !== undefined,
        count: repairMetrics(env, 'apiserver_nodeport_repair_port_errors_total', 'node ports'),
      },
    ],
  };
}

/** Reports whether addresses and ranges are objects: from 1.33 on, and in earlier releases where the feature gate is enabled. */
const areObjects = (options: ServiceNetworkOptions): boolean =>
  reaches(options)('1.33', 'MultiCIDRServiceAllocator');

/** From this release on, a dry run refuses an address outside of the ranges, as a creation does. */
const CHECKED_DRY_RUNS: Release = '1.24';

/** The objects of addresses; undefined where the release does not have them, or they are not served. */
function objectsOf(options: ServiceNetworkOptions): () => AddressObjects | undefined {
  if (!areObjects(options)) return () => undefined;
  const { names, objects } = options;
  let found: AddressObjects | undefined;
  return () => {
    const resource = objects().resource('networking', 'ipaddresses');
    if (resource !== undefined) found ??= new AddressObjects(resource, names);
    return found;
  };
}

/** Allocators of the ranges of ServiceCIDRs other than those of the flag. */
function allocatorsOfObjects(
  options: ServiceNetworkOptions,
  allocatorOf: (range: AddressRange) => Allocator,
): (family: IpFamily) => readonly Allocator[] {
  if (!areObjects(options)) return () => [];
  const { ranges, objects } = options;
  const known = new Map<string, Allocator>();
  const main = new Set(ranges.addresses.map(({ text }) => text));
  const of = (range: AddressRange): Allocator => {
    const allocator = known.get(range.text) ?? allocatorOf(range);
    known.set(range.text, allocator);
    return allocator;
  };
  return (family) => {
    const cidrs = objects().resource('networking', 'servicecidrs');
    if (cidrs === undefined) return [];
    return declaredRanges(cidrs, family)
      .filter(({ text }) => !main.has(text))
      .map(of);
  };
}

/** The first release that refuses two addresses without `ipFamilyPolicy`. */
const POLICY_RELEASE: Release = '1.22';

function serviceFieldsOf({ release, includes }: ServiceNetworkOptions): ServiceFields {
  const has = (name: string): boolean => specFields().some((field) => field.name === name && includes(field));
  return {
    clusterIPs: has('clusterIPs'),
    ipFamilies: has('ipFamilies'),
    needsPolicy: compareReleases(release, POLICY_RELEASE) >= 0,
  };
}

function specFields(): readonly Field[] {
  const schema = findType('', 'services')?.versions[0]?.schema;
  const spec = schema?.fields.find(({ name }) => name === 'spec')?.schema;
  return spec === undefined ? [] : fieldsOf(spec);
}

function fieldsOf(ref: SchemaRef): readonly Field[] {
  const schema = typeof ref === 'function' ? ref() : ref;
  return schema.kind === 'struct' ? schema.fields : [];
}

function allocationMetrics({ metrics }: Env): (range: string) => AllocationSeries {
  const allocations = metrics.counter({
    name: 'apiserver_service_allocations_total',
    help: 'Attempts to allocate an address or a node port of services, by range and outcome.',
    labels: ['range', 'outcome'],
    stability: 'ALPHA',
  });
  return (range) => ({
    allocated: allocations.series(range, 'allocated'),
    taken: allocations.series(range, 'taken'),
    full: allocations.series(range, 'full'),
  });
}

function repairMetrics(
  { metrics }: Env,
  name: string,
  values: string,
): (errorType: AllocationErrorType) => void {
  const allocationErrors = metrics.counter({
    name,
    help: `Inconsistencies between services and their allocated ${values} that a repair found, by type.`,
    labels: ['type'],
    stability: 'ALPHA',
  });
  return (errorType) => allocationErrors.series(errorType).inc();
}
