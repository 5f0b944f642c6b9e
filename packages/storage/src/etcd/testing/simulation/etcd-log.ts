import type { KeyRange } from '../../../keys.ts';
import { ModelHistory } from '../../../model-history.ts';
import type { ReadableKeyValue, Revision, WatchBatch } from '../../../store.ts';
import { eventRevision } from '../../../store-values.ts';
import type { EtcdOp, EtcdTxn, RangeOp, RangeResult, WriteOp } from './etcd-messages.ts';

export interface TxnResult {
  readonly succeeded: boolean;
  readonly rev: Revision;
  readonly results: readonly (RangeResult | undefined)[];
}

/** What a cluster has agreed on: the transactions in their order, and the content after each of them. */
export class EtcdLog {
  readonly history = new ModelHistory();
  rev: Revision = 1;
  /** The compactions in their order: each is part of the log after a revision. */
  readonly #compactions: { readonly at: Revision; readonly through: Revision }[] = [];

  get compacted(): Revision {
    return this.compactedAt(this.rev);
  }

  /** Through which revision a member that has applied the log up to `applied` is compacted. */
  compactedAt(applied: Revision): Revision {
    return this.#compactions.findLast(({ at }) => at <= applied)?.through ?? 0;
  }

  compact(through: Revision): void {
    this.#compactions.push({ at: this.rev, through });
  }

  range({ key, end, limit, isCount }: RangeOp, at: Revision): RangeResult {
    const all = end === '' ? this.#one(key, at) : [...this.history.scan({ start: key, end }, at)];
    const kvs = isCount ? [] : all.slice(0, limit > 0 ? limit : all.length);
    return { kvs, count: all.length, isMore: kvs.length < all.length && !isCount };
  }

  /** The events of a range after a revision, up to `through`: about `limit` of them, if there are more. */
  events(
    range: KeyRange,
    after: Revision,
    { through, limit = Number.POSITIVE_INFINITY }: { readonly through: Revision; readonly limit?: number },
  ): WatchBatch {
    const { rev, events } = this.history.events(range, after, through, limit);
    return {
      rev: Math.min(rev, through),
      events: events.filter((event) => eventRevision(event) <= through),
    };
  }

  /** Executes a transaction. One that writes nothing has no revision of its own. */
  execute({ compares, success, failure }: EtcdTxn): TxnResult {
    const succeeded = compares.every(
      ({ key, revision }) => (this.history.read(key, this.rev)?.modRevision ?? 0) === revision,
    );
    const ops = succeeded ? success : failure;
    const writes = ops.filter((op): op is WriteOp => op.op !== 'range');
    const next = this.rev + 1;
    const changes = writes.map((op) => this.#write(op, next));
    if (changes.some((keys) => keys > 0)) this.rev = next;
    return { succeeded, rev: this.rev, results: ops.map((op) => this.#result(op)) };
  }

  #result(op: EtcdOp): RangeResult | undefined {
    return op.op === 'range' ? this.range(op, this.rev) : undefined;
  }

  /** Returns the number of keys that were written. */
  #write(op: WriteOp, rev: Revision): number {
    if (op.op === 'put') {
      const createRevision = this.history.read(op.key, rev)?.createRevision ?? rev;
      const kv = { key: op.key, createRevision, modRevision: rev, value: op.value };
      this.history.append({ rev, key: op.key, kv });
      return 1;
    }
    const found =
      op.end === '' ? this.#one(op.key, rev) : [...this.history.scan({ start: op.key, end: op.end }, rev)];
    for (const { key } of found) this.history.append({ rev, key });
    return found.length;
  }

  #one(key: string, at: Revision): ReadableKeyValue[] {
    const kv = this.history.read(key, at);
    return kv === undefined ? [] : [kv];
  }
}
