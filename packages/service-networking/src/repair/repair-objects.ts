import type { Allocations } from '../allocate/allocation-store.ts';
import type { AddressObjects } from '../objects/address-objects.ts';
import type { User } from './repair-plan.ts';

/** Addresses that are compared before other work gets a turn. */
const PART = 500;

/** The services that use an address. */
export type AddressUsers = ReadonlyMap<string, readonly User[]>;

/** Creates the missing objects of addresses that services use, and removes those of addresses without an allocation. */
export async function repairObjects(
  objects: AddressObjects,
  keys: Allocations,
  { users, signal }: { readonly users: AddressUsers; readonly signal: AbortSignal },
): Promise<void> {
  await objects.waitFresh(signal);
  let seen = 0;
  const pause = async (): Promise<void> => {
    seen += 1;
    if (seen % PART === 0) await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  };
  for (const [address, having] of users) {
    await pause();
    const [first] = having;
    if (first !== undefined && !having.some((user) => objects.isRecorded(address, user)))
      await objects.record(address, first, signal);
  }
  for (const address of objects.cached()) {
    await pause();
    if (users.has(address) || (await keys.find(address, signal)) !== undefined) continue;
    await objects.removeLeftover(address, signal);
  }
}
