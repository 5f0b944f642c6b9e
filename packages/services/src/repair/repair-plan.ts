import type { FoundClaim, Owner } from '../allocate/claims.ts';

/** A service that has a value in its spec. */
export interface User extends Owner {
  readonly createdAt: string;
}

/** The difference between what services have and what is claimed, for one kind of values. */
export interface RepairPlan {
  /** A service has it, nobody claims it. */
  readonly unclaimed: readonly { readonly value: string; readonly user: User }[];
  /** The claim names another owner than the one service that has it. */
  readonly misnamed: readonly { readonly claim: FoundClaim; readonly user: User }[];
  /** Several services have it: `others` beside the one whose it is. */
  readonly shared: readonly {
    readonly value: string;
    readonly keeper: User;
    readonly others: readonly User[];
  }[];
  /** A service has it, no range does. */
  readonly outside: readonly { readonly value: string; readonly user: User }[];
  /** Claimed, and no service has it: a write that goes on, or one that broke off. */
  readonly unused: readonly FoundClaim[];
}

export interface RepairInput {
  readonly users: ReadonlyMap<string, readonly User[]>;
  readonly claims: readonly FoundClaim[];
  isInRange(value: string): boolean;
}

/** Compares services with claims. Whose a shared value is: that of the claim's owner, else of the oldest service. */
export function planRepair({ users, claims, isInRange }: RepairInput): RepairPlan {
  const claimOf = new Map(claims.map((claim) => [claim.value, claim]));
  const unclaimed: { value: string; user: User }[] = [];
  const misnamed: { claim: FoundClaim; user: User }[] = [];
  const shared: { value: string; keeper: User; others: readonly User[] }[] = [];
  const outside: { value: string; user: User }[] = [];
  for (const [value, having] of users) {
    const claim = claimOf.get(value);
    const keeper = having.find(({ uid }) => uid === claim?.owner?.uid) ?? [...having].sort(byAge)[0];
    if (keeper === undefined) continue;
    if (claim === undefined) unclaimed.push({ value, user: keeper });
    else if (claim.owner?.uid !== keeper.uid) misnamed.push({ claim, user: keeper });
    if (having.length > 1) shared.push({ value, keeper, others: having.filter((user) => user !== keeper) });
    if (!isInRange(value)) outside.push(...having.map((user) => ({ value, user })));
  }
  return { unclaimed, misnamed, shared, outside, unused: claims.filter(({ value }) => !users.has(value)) };
}

const byAge = (a: User, b: User): number =>
  compare(a.createdAt, b.createdAt) || compare(a.namespace, b.namespace) || compare(a.name, b.name);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Unused claims that were seen before: value → the revision of the claim, and in how many rounds it was seen. */
export type Suspects = Readonly<Record<string, readonly [rev: number, seen: number]>>;

/** Rounds in which a claim is seen unused before it is given up: no write takes that long. */
const ROUNDS_TO_RELEASE = 3;
/** More wait for a later round. */
const MAX_SUSPECTS = 1000;

/** What becomes of unused claims in a round. A claim that changed since is a new one. */
export function judge(
  unused: readonly FoundClaim[],
  before: Suspects,
): { readonly release: readonly FoundClaim[]; readonly suspects: Suspects } {
  const release: FoundClaim[] = [];
  const suspects: Record<string, readonly [number, number]> = {};
  for (const claim of unused.slice(0, MAX_SUSPECTS)) {
    const [rev, seen] = (Object.hasOwn(before, claim.value) ? before[claim.value] : undefined) ?? [0, 0];
    const times = rev === claim.rev ? seen + 1 : 1;
    if (times >= ROUNDS_TO_RELEASE) release.push(claim);
    else suspects[claim.value] = [claim.rev, times];
  }
  return { release, suspects };
}
