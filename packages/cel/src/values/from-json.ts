import type { DeclType } from '../decl/decl-type.ts';
import type { WorkMeter } from './equality.ts';
import type { Value } from './value.ts';

/** Converts JSON data of declared shapes; views receive it as an argument, because it creates them. */
export interface FromJson {
  readonly meter: WorkMeter;
  value(decl: DeclType, raw: unknown): Value;
}
