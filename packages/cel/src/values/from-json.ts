import type { DeclType } from '../decl/decl-type.ts';
import type { Value } from './value.ts';

/** Converts JSON data of a declared shape; views receive this function as an argument, because it creates them. */
export type FromJson = (decl: DeclType, raw: unknown) => Value;
