import type { Range } from '../functions/range.ts';
import type { Node } from '../syntax/ast.ts';
import type { Variable } from '../syntax/variable.ts';
import type { SizePath } from './size-path.ts';

/** Sizes of the elements of a list or map. */
export interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

export interface Estimate {
  readonly cost: Range;
  readonly size?: Range | undefined;
  readonly entry?: EntrySize | undefined;
  readonly path?: SizePath;
}

/** The known facts about a variable within an expression. */
export interface LocalEstimate {
  readonly path: SizePath;
  readonly size: Range | undefined;
  readonly entry: EntrySize | undefined;
}

/** Estimates the parts of a node, and keeps the known facts about the variables within the expression. */
export interface NodeEstimator {
  /** The declaration of the first variable. */
  readonly root: SizePath;
  visit(node: Node): Estimate;
  /** The size of a variable within the expression: as declared, or that of the literal that it is bound to. */
  sizeOfVariable(variable: Variable): Range | undefined;
  setLocal(slot: number, local: LocalEstimate): void;
}
