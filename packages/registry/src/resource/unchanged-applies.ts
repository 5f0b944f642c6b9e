import type { Revision } from '@orch/storage';

/** Applies that are remembered: some 150 bytes each. */
const MAX_REMEMBERED = 8_192;

/**
 * Applies that changed nothing, and the revision of the object at which they did not. Controllers and people send the
 * same configuration over and over: what is found here needs not be read again, as long as the object is the same. Those
 * that were remembered first are forgotten first.
 */
export class UnchangedApplies {
  readonly #revisions = new Map<string, Revision>();

  /** Whether this very apply changes nothing about the object at this revision. */
  has(apply: string, rev: Revision): boolean {
    return this.#revisions.get(apply) === rev;
  }

  /** `apply` stands for the object, the request and its body. */
  add(apply: string, rev: Revision): void {
    this.#revisions.delete(apply);
    this.#revisions.set(apply, rev);
    if (this.#revisions.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#revisions.keys();
    if (oldest !== undefined) this.#revisions.delete(oldest);
  }
}
