import type { RequestRecord } from './request-record.ts';

/** With the limit of uses they are the bound of memory. Users who have not used a deprecated version for longest are forgotten first. */
const MAX_USERS = 128;
/** Uses of a user: a user with many versions and user agents displaces only its own. */
const MAX_OF_USER = 16;

type Uses = Map<string, RequestRecord>;

/** Who uses which deprecated version: the last request of each user and user agent for it, with the number of such requests. */
export class DeprecatedUses {
  readonly #byUser = new Map<string, Uses>();

  add(user: string, record: RequestRecord, removedIn: string): void {
    const uses: Uses = this.#byUser.get(user) ?? new Map();
    putLast(this.#byUser, { key: user, value: uses, maxEntries: MAX_USERS });
    const key = useKey(record);
    const count = (uses.get(key)?.deprecated?.count ?? 0) + 1;
    putLast(uses, { key, value: { ...record, deprecated: { removedIn, count } }, maxEntries: MAX_OF_USER });
  }

  of(user: string): readonly RequestRecord[] {
    return [...(this.#byUser.get(user)?.values() ?? [])];
  }

  all(): readonly RequestRecord[] {
    return [...this.#byUser.values()].flatMap((uses) => [...uses.values()]);
  }
}

/** Adds an entry, or moves it to the end. The first entry of a full map is removed. */
function putLast<V>(
  map: Map<string, V>,
  { key, value, maxEntries }: { readonly key: string; readonly value: V; readonly maxEntries: number },
): void {
  map.delete(key);
  map.set(key, value);
  const [first] = map.size > maxEntries ? map.keys() : [];
  if (first !== undefined) map.delete(first);
}

/** Uses of several threads, the latest first: those of the same user, program and version are one. */
export function joinedUses(records: readonly RequestRecord[]): readonly RequestRecord[] {
  const latestFirst = records.toSorted((a, b) => b.receivedAt - a.receivedAt);
  const byUse = Map.groupBy(latestFirst, (record) =>
    JSON.stringify([record.user.name, record.user.uid, useKey(record)]),
  );
  return [...byUse.values()].flatMap(([latest, ...others]) => {
    if (latest?.deprecated === undefined) return [];
    const count = others.reduce(
      (sum, { deprecated }) => sum + (deprecated?.count ?? 0),
      latest.deprecated.count,
    );
    return [{ ...latest, deprecated: { ...latest.deprecated, count } }];
  });
}

/** What is used by which program. */
const useKey = ({ info, userAgent }: RequestRecord): string =>
  JSON.stringify(
    info.isResource ? [userAgent, info.group, info.version, info.resource, info.subresource] : [userAgent],
  );
