import type { Element } from '../fields/element.ts';

/**
 * How values of a schema are merged and owned: the view of a schema that typed operations walk along. Lists, maps and
 * structs are owned item by item unless `atomic`; everything else is owned as a whole.
 */
export type Shape = ScalarShape | StructShape | MapShape | ListShape | FreeShape | IgnoredShape;

export interface ScalarShape {
  readonly kind: 'scalar';
  /** For the message when an applied value is not accepted: `a string`. */
  readonly expected: string;
  accepts(value: unknown): boolean;
  /** Reports whether both are the same value once decoded: `1000m` and `1` of a quantity. */
  same(a: unknown, b: unknown): boolean;
}

export interface StructShape {
  readonly kind: 'struct';
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** Shape of fields that are not declared; undefined when there may be none. */
  readonly rest: Shape | undefined;
}

export interface FieldShape {
  readonly name: string;
  readonly element: Element;
  readonly shape: Shape;
  /** The zero value is stored as absence, so that the two are the same. */
  readonly dropsZero: boolean;
  /** The value of an object of the kind before anything is set; undefined for none. */
  readonly empty: EmptyValue | undefined;
  /** Its default when that is a constant scalar. */
  readonly fixedDefault: unknown;
  /** Part of every object: it is emptied, but never removed whole. */
  readonly permanent: boolean;
}

/** Made on use: the empty value of a struct holds those of its fields. */
export type EmptyValue = () => unknown;

export interface MapShape {
  readonly kind: 'map';
  readonly atomic: boolean;
  readonly values: Shape;
}

export interface ListShape {
  readonly kind: 'list';
  readonly items: Shape;
  /** The identification of items; `none` makes the list atomic. */
  readonly identity: 'none' | 'value' | 'keys';
  /** Names of the keys in the order of a path, with the default of an absent one. */
  readonly keys: readonly ListKey[];
}

export interface ListKey {
  readonly name: string;
  /** Its beginning in a path: `"name":`. */
  readonly label: string;
  readonly absent: unknown;
}

/** Any JSON value: the fields of objects merge like those of a struct, lists and scalars are owned whole. */
export interface FreeShape {
  readonly kind: 'free';
}

/** Fields that only the server writes: never merged, never owned. */
export interface IgnoredShape {
  readonly kind: 'ignored';
}

export const free: FreeShape = { kind: 'free' };
export const ignored: IgnoredShape = { kind: 'ignored' };

/** Shapes whose values have named fields. */
export type ObjectShape = StructShape | MapShape | FreeShape;

/** True for values that are owned as one. */
export function isWhole(shape: Shape): boolean {
  switch (shape.kind) {
    case 'scalar':
    case 'ignored':
      return true;
    case 'struct':
    case 'map':
      return shape.atomic;
    case 'list':
      return shape.identity === 'none';
    case 'free':
      return false;
  }
}

/** The shape of a field; those that are not declared are taken as they come. */
export function fieldShape(shape: ObjectShape, name: string): Shape {
  switch (shape.kind) {
    case 'struct':
      return shape.fields.get(name)?.shape ?? shape.rest ?? free;
    case 'map':
      return shape.values;
    case 'free':
      return free;
  }
}

/** Entries of maps are owned as such, like items of lists; fields of structs are parts of the struct. */
export const ownsEntries = (shape: ObjectShape): boolean => shape.kind === 'map';
