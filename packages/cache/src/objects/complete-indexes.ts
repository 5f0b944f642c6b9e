import type { FieldIndex } from './field-index.ts';
import type { LabelIndex } from './label-index.ts';

/** The indexes that hold all objects of one state of a resource. */
export interface CompleteIndexes {
  readonly fields: readonly FieldIndex[];
  /** By label. */
  readonly labels: ReadonlyMap<string, LabelIndex>;
}

/** The indexes of a state that has none. */
export const noIndexes: CompleteIndexes = { fields: [], labels: new Map() };
