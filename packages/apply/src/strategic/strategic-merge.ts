import type { Names } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { isJsonObject } from '@orch/machinery/json';
import type { StructSchema } from '@orch/schema';
import { PatchError } from '../patch-error.ts';
import { MergeRules } from './merge-rules.ts';
import { Merging } from './merging.ts';

/**
 * Strategic merge patch: a merge patch that takes from the schema how lists merge (`patchStrategy`, `patchMergeKey`),
 * with the directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/…` and `$setElementOrder/…`. Pure: inputs stay
 * as they are. Throws `PatchError` when the patch does not fit the schema.
 */
export class StrategicMerge {
  readonly #rules: MergeRules;

  constructor(names: Names) {
    this.#rules = new MergeRules(names);
  }

  /** Applies `patch` to `document`, an object of kind `schema` with served field names. */
  apply(document: unknown, patch: unknown, schema: StructSchema): unknown {
    return atOnce(this.#merged(new Merging(this.#rules, false), { document, patch, schema }));
  }

  /** Like `apply`, in pieces. */
  applyInPieces(document: unknown, patch: unknown, schema: StructSchema): Work<unknown> {
    return this.#merged(new Merging(this.#rules, true), { document, patch, schema });
  }

  #merged(
    merging: Merging,
    { document, patch, schema }: { document: unknown; patch: unknown; schema: StructSchema },
  ): Work<unknown> {
    if (!isJsonObject(patch))
      throw new PatchError('malformed', 'a strategic merge patch must be a JSON object');
    return merging.object(isJsonObject(document) ? document : {}, patch, schema, '');
  }
}
