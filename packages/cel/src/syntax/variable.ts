import type { DeclType } from '../decl/decl-type.ts';
import type { CelType } from '../types/type.ts';

/** A name with a value at run time, in a slot of the evaluation. */
export interface Variable {
  readonly name: string;
  readonly slot: number;
  readonly type: CelType;
  /** Declaration of a variable that is given from outside. */
  readonly decl?: DeclType;
}
