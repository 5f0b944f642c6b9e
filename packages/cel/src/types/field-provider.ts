import type { CelType } from './type.ts';

/** The fields of an object type, by the names that expressions use. */
export interface FieldProvider {
  /** Undefined when there is no such field. */
  fieldType(name: string): CelType | undefined;
}
