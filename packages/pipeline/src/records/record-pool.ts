import type { RequestRecord } from './request-record.ts';

export interface PoolLimits {
  /** Of all users together. */
  readonly records: number;
  readonly recordsOfUser: number;
}

interface UserRecords {
  readonly key: string;
  /** The oldest first. */
  readonly records: RequestRecord[];
}

/**
 * The last records of users, up to a maximum number. Beyond it, the oldest record of a user with the most records is
 * removed, so that users with many requests do not displace the records of users with few. While there are more users
 * than records, each has one, and the record of the least recently active user is removed.
 */
export class RecordPool {
  readonly #limits: PoolLimits;
  readonly #byUser = new Map<string, UserRecords>();
  /** Users by the number of their records; within a number, the latest addition is the last one. */
  readonly #byCount: readonly Set<UserRecords>[];
  #size = 0;
  /** No user has more records. */
  #most = 0;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
    this.#byCount = Array.from({ length: limits.recordsOfUser + 1 }, () => new Set<UserRecords>());
  }

  /** The records of a user, the oldest first. */
  of(key: string): readonly RequestRecord[] {
    return this.#byUser.get(key)?.records ?? [];
  }

  /** The records of all users. */
  *all(): Iterable<RequestRecord> {
    for (const { records } of this.#byUser.values()) yield* records;
  }

  add(key: string, record: RequestRecord): void {
    const user = this.#byUser.get(key) ?? this.#newUser(key);
    const { records } = user;
    const isFull = records.length === this.#limits.recordsOfUser;
    this.#byCount[records.length]?.delete(user);
    if (isFull) records.shift();
    else this.#size++;
    records.push(record);
    this.#byCount[records.length]?.add(user);
    this.#most = Math.max(this.#most, records.length);
    if (this.#size > this.#limits.records) this.#removeOne();
  }

  #newUser(key: string): UserRecords {
    const user = { key, records: [] };
    this.#byUser.set(key, user);
    return user;
  }

  #removeOne(): void {
    while (this.#most > 0 && this.#byCount[this.#most]?.size === 0) this.#most--;
    const most = this.#byCount[this.#most];
    for (const user of most ?? []) {
      most?.delete(user);
      user.records.shift();
      if (user.records.length === 0) this.#byUser.delete(user.key);
      else this.#byCount[user.records.length]?.add(user);
      this.#size--;
      return;
    }
  }
}
