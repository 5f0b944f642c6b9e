import assert from 'node:assert/strict';
import { hasDeletionTimestamp, namesFor, type ObjectMeta } from '@orch/machinery';
import type { Target } from '../live-objects.ts';
import { blocks, isWaiting } from '../object-state.ts';
import type { ModelObjects } from './model-objects.ts';

const names = namesFor('orch');

/** What a collector promises, held against the model at every write of it, and when it has come to rest. */
export class Promises {
  readonly #model: ModelObjects;
  #broken: unknown;

  constructor(model: ModelObjects) {
    this.#model = model;
  }

  /** Throws what was broken first: a failed request alone would only be tried again. */
  check(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  /** Nothing is deleted that has an owner, but for owners that are being deleted and wait for that. */
  onDelete(meta: ObjectMeta): void {
    this.#hold(() => {
      assert.ok((meta.ownerReferences ?? []).length > 0, 'only what had owners is collected');
      assert.ok(this.#isJudged(meta), `${meta.name} is deleted, an owner may be there`);
      for (const owner of this.#ownersOf(meta))
        assert.ok(hasDeletionTimestamp(owner.meta), `${meta.name} is deleted, its owner is there`);
    });
  }

  /** Owners go after their dependents, as far as watches had told of them when that was decided. */
  onChange(before: ObjectMeta, after: ObjectMeta, seen: ReadonlySet<ObjectMeta>): void {
    const { foregroundDeletion, orphan } = names.finalizers;
    const loses = (finalizer: string): boolean =>
      before.finalizers?.includes(finalizer) === true && after.finalizers?.includes(finalizer) !== true;
    const others = this.#model.all().filter(({ meta }) => seen.has(meta) && meta.uid !== before.uid);
    const mine = others.filter(({ meta }) => this.#ownersOf(meta).some((o) => o.meta.uid === before.uid));
    this.#hold(() => {
      if (loses(foregroundDeletion)) {
        const left = mine.filter(({ meta }) => blocks(meta, before));
        assert.deepEqual(left, [], `${before.name} goes before what it waits for`);
      }
      if (loses(orphan)) assert.deepEqual(mine, [], `${before.name} goes before its dependents are let go`);
      for (const owner of before.ownerReferences ?? []) {
        if (after.ownerReferences?.some(({ uid }) => uid === owner.uid) === true) continue;
        const target = this.#model.owner(owner, before.namespace ?? '');
        assert.ok(
          target === undefined || hasDeletionTimestamp(target.meta),
          'a reference to a live owner stays',
        );
      }
    });
  }

  /** Nothing is left that had owners and has none. */
  atRest(): void {
    for (const { meta } of this.#model.all()) {
      if (hasDeletionTimestamp(meta) || (meta.ownerReferences ?? []).length === 0 || !this.#isJudged(meta))
        continue;
      const owners = this.#ownersOf(meta);
      assert.ok(owners.length > 0, `${meta.name} (${meta.uid}) has no owner left`);
      const alive = owners.filter((owner) => !isWaiting(owner.meta, names));
      assert.ok(alive.length > 0, `${meta.name} (${meta.uid}) is what its owners wait for`);
    }
  }

  /** When clients hold nothing any more, nothing is held, unless in the end by what cannot be judged. */
  atEnd(): void {
    const deleting = this.#model.all().filter(({ meta }) => hasDeletionTimestamp(meta));
    const held = deleting.filter((target) => !this.#isExcused(target, new Set()));
    assert.deepEqual(held, [], 'what is being deleted goes in the end');
  }

  /** Waits for a dependent of which nobody knows whether it has another owner, since the kind of that is unknown. */
  #isExcused({ meta }: Target, met: Set<string>): boolean {
    if (met.has(meta.uid ?? '')) return false;
    met.add(meta.uid ?? '');
    return this.#model
      .all()
      .filter((other) => blocks(other.meta, meta))
      .some((other) =>
        hasDeletionTimestamp(other.meta) ? this.#isExcused(other, met) : !this.#isJudged(other.meta),
      );
  }

  #hold(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#broken ??= error;
    }
  }

  #isJudged = (meta: ObjectMeta): boolean =>
    (meta.ownerReferences ?? []).every((owner) => this.#model.isResolvable(owner, meta.namespace ?? ''));

  #ownersOf = (meta: ObjectMeta): readonly Target[] =>
    (meta.ownerReferences ?? [])
      .map((owner) => this.#model.owner(owner, meta.namespace ?? ''))
      .filter((owner) => owner !== undefined);
}
