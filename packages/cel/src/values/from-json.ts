import type { DeclType } from '../decl/decl-type.ts';
import type { Value } from './value.ts';

/** Converts JSON data of a declared shape; views get it, because it makes them. */
export type FromJson = (decl: DeclType, raw: unknown) => Value;
