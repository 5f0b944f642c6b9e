import assert from 'node:assert/strict';
import type { KeyRange } from '../../../keys.ts';
import {
  type Committed,
  type KvEvent,
  type Revision,
  StoreError,
  type WatchBatch,
  type Write,
} from '../../../store.ts';
import type { EtcdLog } from './etcd-log.ts';
import { type EtcdTxn, readTxn, type WriteOp } from './etcd-messages.ts';

/** What callers and members know of one write. */
interface Account {
  calls: number;
  /** Revisions that were reported to callers. */
  readonly stored: Revision[];
  refused: number;
  unknown: number;
  /** How often members have received it. */
  received: number;
}

/** Keys of the simulated users; others are those of the client itself. */
export const USER_PREFIX = '/registry/';

const idOf = (key: string, value: Buffer | undefined, expected: Revision): string =>
  value === undefined ? `deletion of ${key} at ${expected}` : value.toString();

/** What happened to each write, for callers and in the log of the cluster. */
export class WriteHistory {
  readonly #log: EtcdLog;
  readonly #accounts = new Map<string, Account>();

  constructor(log: EtcdLog) {
    this.#log = log;
  }

  /** Number of writes by their outcome. */
  get counts(): { readonly stored: number; readonly refused: number; readonly unknown: number } {
    const all = [...this.#accounts.values()];
    const sum = (count: (account: Account) => number): number => all.reduce((n, one) => n + count(one), 0);
    return {
      stored: sum(({ stored }) => stored.length),
      refused: sum(({ refused }) => refused),
      unknown: sum(({ unknown }) => unknown),
    };
  }

  called(write: Write): void {
    this.#account(this.#idOf(write)).calls++;
  }

  /** The caller got an answer. */
  answered(write: Write, committed: Committed): void {
    const account = this.#account(this.#idOf(write));
    if (committed.ok) {
      account.stored.push(committed.rev);
      return;
    }
    account.refused++;
    const actual = this.#log.history.read(write.key, committed.rev)?.modRevision;
    assert.equal(committed.current?.modRevision, actual, 'a conflict reports the current version');
    const expected = write.op === 'create' ? undefined : write.expected;
    assert.notEqual(actual, expected, `the write of ${write.key} was refused although no other one had won`);
  }

  /** The call was rejected; `isAborted`: by its caller. Returns what the caller knows. */
  failed(write: Write, error: unknown, isAborted: boolean): string {
    const account = this.#account(this.#idOf(write));
    const code = error instanceof StoreError ? error.code : undefined;
    if (code === undefined && !isAborted) throw error;
    if (code === 'outcomeUnknown') account.unknown++;
    else account.refused++;
    assert.ok(code === undefined || code === 'outcomeUnknown' || code === 'unavailable', `code ${code}`);
    return code ?? 'aborted';
  }

  received(message: Buffer): void {
    const txn = readTxn(message);
    const write = userWriteOf(txn);
    if (write === undefined) return;
    const expected = txn.compares.find(({ key }) => key === write.key)?.revision ?? 0;
    const account = this.#account(idOf(write.key, write.op === 'put' ? write.value : undefined, expected));
    account.received++;
    assert.ok(account.received <= account.calls, 'a write was sent more often than it was called');
  }

  /** Checks all writes, after nothing is in flight any more. */
  check(): void {
    const applied = this.#applied();
    for (const [id, { stored, unknown }] of this.#accounts) {
      const revs = applied.get(id) ?? [];
      assert.ok(revs.length <= 1, `${id} was stored ${revs.length} times`);
      for (const rev of stored) assert.deepEqual(revs, [rev], `${id} was acknowledged at ${rev}`);
      assert.ok(revs.length <= stored.length + unknown, `${id} was refused and stored at ${revs}`);
    }
  }

  #applied(): Map<string, Revision[]> {
    const applied = new Map<string, Revision[]>();
    const before = new Map<string, Revision>();
    const range = { start: USER_PREFIX, end: `${USER_PREFIX}\uffff` };
    const { events } = this.#log.events(range, 0, { through: this.#log.rev });
    for (const event of events) {
      const key = event.type === 'put' ? event.kv.key : event.key;
      const rev = event.type === 'put' ? event.kv.modRevision : event.modRevision;
      const id = idOf(key, event.type === 'put' ? event.kv.value : undefined, before.get(key) ?? 0);
      applied.set(id, [...(applied.get(id) ?? []), rev]);
      before.set(key, rev);
    }
    return applied;
  }

  #idOf(write: Write): string {
    return write.op === 'delete'
      ? idOf(write.key, undefined, write.expected)
      : idOf(write.key, write.value, 0);
  }

  #account(id: string): Account {
    let account = this.#accounts.get(id);
    if (account === undefined) {
      account = { calls: 0, stored: [], refused: 0, unknown: 0, received: 0 };
      this.#accounts.set(id, account);
    }
    return account;
  }
}

const userWriteOf = ({ success }: EtcdTxn): WriteOp | undefined =>
  success.find((op): op is WriteOp => op.op !== 'range' && op.key.startsWith(USER_PREFIX));

const described = (event: KvEvent): string =>
  event.type === 'put'
    ? `${event.kv.modRevision} put ${event.kv.key} ${event.kv.value}`
    : `${event.modRevision} delete ${event.key}`;

/** Checks that a batch has exactly the events of the log after `after`. */
export function checkBatch(log: EtcdLog, range: KeyRange, after: Revision, batch: WatchBatch): void {
  assert.ok(batch.rev > after && batch.rev <= log.rev, `a batch at ${batch.rev} after ${after}`);
  const { events } = log.events(range, after, { through: batch.rev });
  assert.deepEqual(
    batch.events.map(described),
    events.map(described),
    `events from ${after} to ${batch.rev}`,
  );
}
