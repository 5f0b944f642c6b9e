import type { ObjectMeta } from '@orch/machinery';
import type { ItemKeys } from '../resources/keyed-list.ts';

/** Also `string & {}` of an open enumeration, whose methods are not fields. */
type Scalar = string | number | bigint | boolean | null | undefined;

/** Parts of an object, as a JSON merge patch changes them: `null` removes a field, and a list replaces the whole list. */
export type MergePatch<T> = T extends Scalar
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Item[]
    : T extends object
      ? { readonly [K in keyof T]?: MergePatch<T[K]> | null }
      : T;

/** A merge patch of what every object has, for code that is generic in the kind. */
export interface MetadataPatch {
  readonly metadata: MergePatch<ObjectMeta>;
}

/**
 * Parts of an object, as a strategic merge patch changes them: `null` removes a field, items of a list are merged by the key of the list,
 * and directives stand beside the fields.
 */
export type StrategicPatch<T> = T extends Scalar
  ? T
  : T extends readonly (infer Item)[]
    ? readonly StrategicPatch<Item>[]
    : T extends object
      ? { readonly [K in keyof T]?: StrategicPatch<T[K]> | null } & PatchDirectives<T>
      : T;

/** The directives of a strategic merge patch for an object, an item or a list. The keys of a map have no directives. */
type PatchDirectives<T> = string extends keyof T
  ? unknown
  : { readonly $patch?: 'delete' | 'merge' | 'replace'; readonly $retainKeys?: readonly (keyof T)[] } & {
      readonly [K in keyof T & string as
        | `$setElementOrder/${K}`
        | `$deleteFromPrimitiveList/${K}`]?: readonly unknown[];
    };

/** The fields of an object that its manager wants to own, for server-side apply. Items of a list have the key of the list. */
export type ApplyConfiguration<T> = T extends Scalar
  ? T
  : T extends readonly (infer Item)[]
    ? readonly (ApplyConfiguration<Item> & ItemKeys<T, Item>)[]
    : T extends object
      ? { readonly [K in keyof T]?: ApplyConfiguration<T[K]> }
      : T;
