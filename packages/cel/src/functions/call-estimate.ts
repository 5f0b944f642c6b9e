import type { CelType } from '../types/type.ts';
import type { Value } from '../values/value.ts';
import type { Range } from './range.ts';

/** The facts about an argument that are known before evaluation. */
export interface EstimatedArgument {
  /** Its value, when the argument is a literal. */
  readonly literal?: Value | undefined;
  readonly type: CelType;
  /** Its size; an unknown size may be that of any value. */
  readonly size: Range;
  /** The size of the elements, when it is a list. */
  readonly elementSize: Range;
}

export interface CallEstimate {
  /** Cost of the call alone, without that of its arguments. */
  readonly cost: Range;
  /** Size of the result, for strings, bytes, lists and maps. */
  readonly size?: Range;
}

/** The receiver of a member function is the first argument. */
export type CallEstimator = (args: readonly EstimatedArgument[]) => CallEstimate;
