import type { Revision } from '@orch/storage';

/** Cached applies: some 150 bytes each. */
const MAX_ENTRIES = 8_192;

/**
 * Applies that changed nothing, with the revision of the object. Clients send the same configuration repeatedly: one that
 * is found here need not be merged again while the object has that revision. The oldest entries are evicted first.
 */
export class UnchangedApplies {
  readonly #revisions = new Map<string, Revision>();

  /** Whether this apply changes nothing in the object at this revision. */
  has(apply: string, rev: Revision): boolean {
    return this.#revisions.get(apply) === rev;
  }

  /** `apply` identifies the object, the request and its body. */
  add(apply: string, rev: Revision): void {
    this.#revisions.delete(apply);
    this.#revisions.set(apply, rev);
    if (this.#revisions.size <= MAX_ENTRIES) return;
    const [oldest] = this.#revisions.keys();
    if (oldest !== undefined) this.#revisions.delete(oldest);
  }
}
