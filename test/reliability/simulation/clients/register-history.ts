import assert from 'node:assert/strict';
import type { StoredChange } from '../world/history.ts';

/** A call of a client, and its answer. */
export interface Operation {
  readonly client: number;
  readonly key: string;
  readonly call: 'get' | 'create' | 'update' | 'delete';
  /** The value that it writes, unique. */
  readonly value: string;
  /** The revision on which it is based, and its value. */
  readonly expected: number;
  readonly known: string;
  /** Positions in the history of the call and of its answer. */
  readonly start: number;
  readonly end: number;
  /** `unknown`: it may have taken effect, or may still. */
  readonly outcome: 'done' | 'refused' | 'absent' | 'unknown';
  /** The revision and the value that the answer names. */
  readonly revision: number;
  readonly read: string;
}

/** Calls of concurrent clients on a few objects. */
export class RegisterHistory {
  readonly operations: Operation[] = [];
  #position = 0;

  next(): number {
    return this.#position++;
  }

  /** Throws if a call contradicts the changes of the store, or the calls before it. */
  check(changes: readonly StoredChange[]): void {
    const byKey = Map.groupBy(changes, ({ key }) => key);
    for (const operation of this.operations) this.#checkOne(operation, byKey.get(operation.key) ?? []);
    for (const key of new Set(this.operations.map((one) => one.key)))
      this.#checkOrder(key, byKey.get(key) ?? []);
  }

  #checkOne(operation: Operation, changes: readonly StoredChange[]): void {
    const { call, key, value, outcome, revision } = operation;
    const what = `${call} of ${key} by client ${operation.client}`;
    const made = changes.filter(({ object }) => object !== undefined && valueIn(object) === value);
    if (call === 'get') {
      if (outcome !== 'done') return;
      const found = changes.find(({ rev }) => rev === revision);
      assert.equal(valueIn(found?.object), operation.read, `${what}: the value at ${revision}`);
      return;
    }
    if (call !== 'delete') {
      if (outcome === 'done') assert.equal(made.length, 1, `${what} was acknowledged and is stored once`);
      if (outcome === 'refused') assert.equal(made.length, 0, `${what} was refused and is not stored`);
      assert.ok(made.length <= 1, `${what} is stored once at most`);
      if (outcome === 'done') assert.equal(revision, made[0]?.rev, `${what}: its revision`);
    }
    if (call === 'update' && made[0] !== undefined) {
      const before = changes.findLast(({ rev }) => rev < (made[0]?.rev ?? 0));
      assert.equal(before?.rev, operation.expected, `${what} replaced what it was based on`);
    }
    if (call === 'create' && made[0] !== undefined) {
      const before = changes.findLast(({ rev }) => rev < (made[0]?.rev ?? 0));
      assert.equal(before?.object, undefined, `${what} replaced an object`);
    }
    if (call === 'delete' && outcome === 'done') {
      const removed = changes.some(({ rev, object }, i) => {
        const before = changes[i - 1];
        return object === undefined && before?.rev === operation.expected && rev > operation.expected;
      });
      assert.ok(
        removed,
        `${what} was acknowledged and the object of revision ${operation.expected} is there`,
      );
    }
  }

  /** An answer is never older than an answer that came before its call. */
  #checkOrder(key: string, changes: readonly StoredChange[]): void {
    const own = this.operations.filter((one) => one.key === key && seenOf(one, changes) !== undefined);
    const byEnd = own.toSorted((a, b) => a.end - b.end);
    for (const later of own) {
      let newest = 0;
      for (const earlier of byEnd) {
        if (earlier.end >= later.start) break;
        newest = Math.max(newest, seenOf(earlier, changes)?.from ?? 0);
      }
      const { through = 0 } = seenOf(later, changes) ?? {};
      assert.ok(
        through >= newest,
        `${later.call} of ${key} by client ${later.client} saw a state that ended at ${through}, after revision ${newest} was known`,
      );
    }
  }
}

/** The revisions at which the answer was true: from its revision on, until the next change of the key. */
function seenOf(
  { call, outcome, revision }: Operation,
  changes: readonly StoredChange[],
): { readonly from: number; readonly through: number } | undefined {
  if (outcome !== 'done' || call === 'delete') return undefined;
  const next = changes.find(({ rev }) => rev > revision);
  return { from: revision, through: (next?.rev ?? Number.POSITIVE_INFINITY) - 1 };
}

/** The value of a config map that clients share; empty for none. */
export const valueIn = (object: StoredChange['object']): string =>
  (object?.['data'] as { value?: string } | undefined)?.value ?? '';
