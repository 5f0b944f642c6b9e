import type { Clock, Logger } from '@orch/machinery';
import { prefixRange } from '../../keys.ts';
import type { Revision } from '../../store.ts';
import type { EtcdClient } from '../client/etcd-client.ts';
import { RpcError } from '../rpc/status.ts';
import type { CallOptions } from '../rpc/unary-call.ts';

/**
 * A key that one commit at a time also writes in its transaction, provided that it was not written since `revision`.
 * Its value therefore shows whether that commit took effect, whatever else was written meanwhile.
 */
export interface CommitMark {
  readonly key: string;
  /** Revision at which the key was last written, 0 when it is absent. */
  readonly revision: Revision;
  /** The value that the commit writes; unique for every commit. */
  readonly value: string;
  readonly group: MarkGroup;
}

/** The marks of one lease, which is unique in the cluster: no other server uses the same keys. */
export interface MarkGroup {
  readonly lease: Buffer;
  readonly prefix: string;
  readonly free: { readonly key: string; readonly revision: Revision }[];
  expiresAt: number;
  made: number;
  leftBehind: number;
  renewing: boolean;
}

export interface CommitMarksOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Prefix of the keys; no watch of the store's users covers it. */
  readonly prefix: string;
  /** Maximum time until the outcome of a commit is known or abandoned: the minimum lifetime of marks. */
  readonly commitMs: number;
  /** Timeout of the calls that all commits share. */
  readonly call: () => CallOptions;
}

const TTL_SECONDS = 300;
/** Marks whose revision is unknown are not reused. After this many, the whole group is abandoned. */
const MAX_LEFT_BEHIND = 1000;

/**
 * The marks of a server's commits: as many keys as it had concurrent commits, reused, the last one first.
 *
 * Marks have no lease, which would cost etcd more than the marks do. A group of marks has an owner key instead,
 * attached to the server's lease. Marks of groups without an owner key are deleted whenever a server creates a group.
 */
export class CommitMarks {
  readonly #options: CommitMarksOptions;
  #group: MarkGroup | undefined;
  #beginning: Promise<void> | undefined;
  #commits = 0;
  #isAllowed = true;

  constructor(options: CommitMarksOptions) {
    this.#options = options;
  }

  /** False when the etcd user may not write marks. */
  get isAllowed(): boolean {
    return this.#isAllowed;
  }

  /** A mark for one commit; undefined when `begin` must be awaited first. */
  take(): CommitMark | undefined {
    const group = this.#group;
    if (group === undefined) return undefined;
    const leftMs = group.expiresAt - this.#options.clock.monotonic();
    if (leftMs < this.#options.commitMs) {
      this.#group = undefined;
      return undefined;
    }
    if (leftMs < TTL_SECONDS * 500 && !group.renewing) void this.#renew(group);
    const free = group.free.pop();
    const value = String(++this.#commits);
    if (free !== undefined) return { key: free.key, revision: free.revision, value, group };
    return { key: `${group.prefix}${(group.made++).toString(36)}`, revision: 0, value, group };
  }

  /**
   * Creates a group, once for all waiting commits; afterwards there are marks, or `isAllowed` is false. Rejects with
   * RpcError.
   */
  begin(): Promise<void> {
    this.#beginning ??= this.#begin().finally(() => {
      this.#beginning = undefined;
    });
    return this.#beginning;
  }

  /** The commit has ended, and the mark was last written at `revision`. */
  release(mark: CommitMark, revision: Revision): void {
    if (this.#group === mark.group) mark.group.free.push({ key: mark.key, revision });
  }

  /** The commit may still write the mark: it must not be reused. */
  leaveBehind(mark: CommitMark): void {
    if (++mark.group.leftBehind >= MAX_LEFT_BEHIND) this.giveUp(mark);
  }

  /** The marks of the group were deleted: its lease was lost. */
  giveUp(mark: CommitMark): void {
    if (this.#group === mark.group) this.#group = undefined;
  }

  async #begin(): Promise<void> {
    const { client, clock, prefix, call, log } = this.#options;
    const sentAt = clock.monotonic();
    const { id, ttlSeconds } = await client.grantLease(TTL_SECONDS, call());
    const owner = prefix + id.toString('hex');
    try {
      await client.compareAndSwap({ key: owner, expected: 0, value: Buffer.alloc(0), lease: id }, call());
    } catch (error) {
      if (!isDenied(error)) throw error;
      this.#isAllowed = false;
      log.warn(
        'the etcd user may not write commit marks: the outcome of unanswered writes cannot be determined',
        { prefix },
      );
      return;
    }
    this.#group = {
      lease: id,
      prefix: `${owner}/`,
      free: [],
      expiresAt: sentAt + ttlSeconds * 1000,
      made: 0,
      leftBehind: 0,
      renewing: false,
    };
    deleteOrphans(client, prefix, call()).catch((error: unknown) =>
      log.debug(1, 'marks of commits were not cleaned up', { error }),
    );
  }

  /**
   * After a failure it is retried with the next commit; when the lease is about to expire, another group is created.
   */
  async #renew(group: MarkGroup): Promise<void> {
    const { client, clock, call } = this.#options;
    group.renewing = true;
    const sentAt = clock.monotonic();
    try {
      const { ttlSeconds } = await client.renewLease(group.lease, call());
      if (ttlSeconds > 0) group.expiresAt = sentAt + ttlSeconds * 1000;
      else if (this.#group === group) this.#group = undefined;
    } catch {
      // See above.
    } finally {
      group.renewing = false;
    }
  }
}

/** Maximum number of keys checked at a time; the rest is checked later. */
const MAX_LOOKED_AT = 10_000;

/** Deletes the marks of groups without an owner key. */
async function deleteOrphans(client: EtcdClient, prefix: string, call: CallOptions): Promise<void> {
  const { start, end } = prefixRange(prefix);
  const { kvs } = await client.range({ key: start, rangeEnd: end, limit: MAX_LOOKED_AT }, call);
  const owners = new Set<string>();
  const groups = new Set<string>();
  for (const { key } of kvs) {
    const slash = key.indexOf('/', prefix.length);
    if (slash < 0) owners.add(`${key}/`);
    else groups.add(key.slice(0, slash + 1));
  }
  for (const group of groups) if (!owners.has(group)) await client.deleteRange(prefixRange(group), call);
}

const isDenied = (error: unknown): boolean =>
  error instanceof RpcError && error.failure === 'answered' && error.message.includes('permission denied');
