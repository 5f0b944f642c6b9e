import { errors, type FieldError, fieldError } from '@orch/machinery';
import { canonicalIp, type IpFamily, parseIp } from '@orch/machinery/net';
import type { ValuePool } from './allocator.ts';
import type { Outcome, ValueSource } from './reservation.ts';
import { addressesOf, needsAddresses, type ServiceSpec } from './service-spec.ts';

/** The allocator of each address family. */
export type Allocators = ReadonlyMap<IpFamily, ValuePool>;

/** Allocates the addresses that the client requested and the service did not have before. Returns the refused ones. */
export async function takeRequestedAddresses(
  spec: ServiceSpec,
  before: ReadonlySet<string>,
  allocators: Allocators,
  source: ValueSource,
): Promise<readonly FieldError[]> {
  if (!needsAddresses(spec)) return [];
  const problems: FieldError[] = [];
  for (const address of addressesOf(spec)) {
    const value = canonicalIp(address);
    if (value === undefined || before.has(value)) continue;
    const allocator = allocators.get(parseIp(address)?.family ?? 'IPv4');
    const outcome = allocator === undefined ? 'outside' : await source.take(allocator, value);
    if (outcome === 'held') continue;
    problems.push(
      fieldError.invalid('spec.clusterIPs', addressesOf(spec), whyNot(outcome, address, allocators)),
    );
  }
  return problems;
}

function whyNot(outcome: Exclude<Outcome, 'held'>, address: string, allocators: Allocators): string {
  if (outcome === 'taken') return `failed to allocate IP ${address}: provided IP is already allocated`;
  const ranges = [...allocators.values()].map(({ text }) => text).join(',');
  return `failed to allocate IP ${address}: the provided IP is not in the valid range. The range of valid IPs is ${ranges}`;
}

/** Allocates an address in every family of the service that has none. */
export async function takeMissingAddresses(
  spec: ServiceSpec,
  families: readonly IpFamily[],
  allocators: Allocators,
  source: ValueSource,
): Promise<void> {
  if (spec.type === 'ExternalName') return;
  const addresses = [...addressesOf(spec)];
  if (needsAddresses(spec)) {
    for (const family of families.slice(addresses.length)) {
      const allocator = allocators.get(family);
      if (allocator === undefined) break;
      addresses.push(await anyAddress(allocator, source));
    }
  }
  const [first] = addresses;
  if (first === undefined) return;
  spec.clusterIP = first;
  spec.clusterIPs = addresses;
}

async function anyAddress(allocator: ValuePool, source: ValueSource): Promise<string> {
  const value = await source.takeAny(allocator);
  if (value === undefined) {
    throw errors.internal(undefined, `failed to allocate an address: the range ${allocator.text} is full`);
  }
  return value;
}
