import type { Owner, StoredAllocation } from '../allocate/allocation-store.ts';

/** A service that uses a value in its spec. */
export interface User extends Owner {
  readonly createdAt: string;
}

/** The differences between the specs of services and the allocations, for one kind of values. */
export interface RepairPlan {
  /** Used by a service, without an allocation. */
  readonly unallocated: readonly { readonly value: string; readonly user: User }[];
  /** The allocation names another owner than the service that uses the value. */
  readonly misnamed: readonly { readonly allocation: StoredAllocation; readonly user: User }[];
  /** Used by several services: `keeper` keeps the value, `others` are reported. */
  readonly shared: readonly {
    readonly value: string;
    readonly keeper: User;
    readonly others: readonly User[];
  }[];
  /** Used by a service, outside of all ranges. */
  readonly outside: readonly { readonly value: string; readonly user: User }[];
  /** Allocated, but not used by a service: the write is in progress, or was interrupted. */
  readonly unused: readonly StoredAllocation[];
}

export interface RepairInput {
  readonly users: ReadonlyMap<string, readonly User[]>;
  readonly allocations: readonly StoredAllocation[];
  isInRange(value: string): boolean;
}

/** Compares services with allocations. A shared value belongs to the owner of its allocation, else to the oldest service. */
export function planRepair({ users, allocations, isInRange }: RepairInput): RepairPlan {
  const allocationOf = new Map(allocations.map((allocation) => [allocation.value, allocation]));
  const unallocated: { value: string; user: User }[] = [];
  const misnamed: { allocation: StoredAllocation; user: User }[] = [];
  const shared: { value: string; keeper: User; others: readonly User[] }[] = [];
  const outside: { value: string; user: User }[] = [];
  for (const [value, having] of users) {
    const allocation = allocationOf.get(value);
    const keeper = having.find(({ uid }) => uid === allocation?.owner?.uid) ?? [...having].sort(byAge)[0];
    if (keeper === undefined) continue;
    if (allocation === undefined) unallocated.push({ value, user: keeper });
    else if (allocation.owner?.uid !== keeper.uid) misnamed.push({ allocation, user: keeper });
    if (having.length > 1) shared.push({ value, keeper, others: having.filter((user) => user !== keeper) });
    if (!isInRange(value)) outside.push(...having.map((user) => ({ value, user })));
  }
  return {
    unallocated,
    misnamed,
    shared,
    outside,
    unused: allocations.filter(({ value }) => !users.has(value)),
  };
}

const byAge = (a: User, b: User): number =>
  compare(a.createdAt, b.createdAt) || compare(a.namespace, b.namespace) || compare(a.name, b.name);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Unused allocations of earlier rounds: value → revision of the allocation, and number of rounds in which it was unused. */
export type UnusedRounds = Readonly<Record<string, readonly [rev: number, seen: number]>>;

/** An allocation is released after this many rounds without a user: no write takes that long. */
const ROUNDS_TO_RELEASE = 3;
/** Further unused allocations are left to a later round. */
const MAX_UNUSED = 1000;

/** Selects the unused allocations to release. An allocation whose revision changed starts at one round again. */
export function classifyUnused(
  unused: readonly StoredAllocation[],
  before: UnusedRounds,
): { readonly release: readonly StoredAllocation[]; readonly unusedRounds: UnusedRounds } {
  const release: StoredAllocation[] = [];
  const unusedRounds: Record<string, readonly [number, number]> = {};
  for (const allocation of unused.slice(0, MAX_UNUSED)) {
    const [rev, seen] = (Object.hasOwn(before, allocation.value) ? before[allocation.value] : undefined) ?? [
      0, 0,
    ];
    const times = rev === allocation.rev ? seen + 1 : 1;
    if (times >= ROUNDS_TO_RELEASE) release.push(allocation);
    else unusedRounds[allocation.value] = [allocation.rev, times];
  }
  return { release, unusedRounds };
}
