import { BoundedCache } from '@orch/machinery/bounded-cache';
import type { StructSchema } from '@orch/schema';
import type { Revision } from '@orch/storage';

/** Maximum number of revisions with cached applies, of some 150 bytes each. */
const MAX_ENTRIES = 8_192;
/** Maximum number of applies to an object at one revision: those of its managers. */
const MAX_APPLIES = 4;

/**
 * Applies that changed nothing, by the revision of the object. Clients send the same configuration repeatedly: one that
 * is found here need not be merged again while the object has that revision. The oldest entries are evicted first.
 */
export class UnchangedApplies {
  readonly #applies = new BoundedCache<Revision, readonly string[]>({ maxEntries: MAX_ENTRIES });
  readonly #schemas = new WeakMap<StructSchema, number>();
  #lastSchema = 0;

  /** Identifies a schema: the definition of a custom resource changes it, and then an apply may have another result. */
  schemaId(schema: StructSchema): number {
    const known = this.#schemas.get(schema);
    if (known !== undefined) return known;
    this.#schemas.set(schema, ++this.#lastSchema);
    return this.#lastSchema;
  }

  /** Whether any apply to the object at this revision is known; otherwise none need be identified. */
  hasAny(rev: Revision): boolean {
    return this.#applies.has(rev);
  }

  /** Reports whether this apply changes nothing in the object at this revision. */
  has(apply: string, rev: Revision): boolean {
    return this.#applies.get(rev)?.includes(apply) === true;
  }

  /** `apply` identifies the object, its schema, the request and its body. */
  add(apply: string, rev: Revision): void {
    const others = this.#applies.get(rev) ?? [];
    if (!others.includes(apply)) this.#applies.set(rev, [apply, ...others.slice(0, MAX_APPLIES - 1)]);
  }
}
