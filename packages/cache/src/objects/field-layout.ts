import type { EncodingCache } from './encoding-cache.ts';
import { ownString } from './interner.ts';
import type { DistinctValues } from './object-values.ts';

/** Sources of the value of a field, other than a position in the shared values. */
const NAME = -1;
const NAMESPACE = -2;
/** The first of the distinct values; the next one is below. */
const DISTINCT = -3;

/** What objects of a resource share: the values of selectable fields that are equal, and the cache of encodings. */
export class FieldSet {
  /** In the order of the layout, without the values that differ in most objects; of all fields when there is no layout. */
  readonly values: readonly string[];
  readonly layout: FieldLayout | undefined;
  readonly encodings: EncodingCache | undefined;

  constructor(
    values: readonly string[],
    layout: FieldLayout | undefined,
    encodings: EncodingCache | undefined,
  ) {
    this.values = values;
    this.layout = layout;
    this.encodings = encodings;
  }
}

/** The values of the selectable fields of one object. */
export interface HeldFields {
  readonly set: FieldSet;
  readonly distinct: DistinctValues;
}

interface Held {
  readonly name: string;
  readonly namespace: string;
  readonly fieldSet: FieldSet;
  readonly distinct: DistinctValues;
}

/** Where the values of the selectable fields of a resource are: in the key, in the object, or shared. */
export class FieldLayout {
  readonly #sources: readonly number[];
  readonly #distinct: number;

  constructor(fields: readonly string[], distinct: readonly string[]) {
    let shared = 0;
    this.#distinct = distinct.length;
    this.#sources = fields.map((field) => {
      if (field === 'metadata.name') return NAME;
      if (field === 'metadata.namespace') return NAMESPACE;
      const at = distinct.indexOf(field);
      return at < 0 ? shared++ : DISTINCT - at;
    });
  }

  /** Reports whether the name and the namespace among the values are those of the key. */
  isOfKey(key: string, values: readonly string[]): boolean {
    for (let position = 0; position < this.#sources.length; position++) {
      const source = this.#sources[position];
      const value = values[position] ?? '';
      if (source === NAME && !isName(key, value)) return false;
      if (source === NAMESPACE && !isNamespace(key, value)) return false;
    }
    return true;
  }

  /** A text that values with other shared ones rarely have. */
  textOf(values: readonly string[]): string {
    let text = '';
    for (let position = 0; position < this.#sources.length; position++)
      if ((this.#sources[position] ?? NAME) >= 0) text += `${values[position] ?? ''}\0`;
    return text;
  }

  isShared({ values: shared }: FieldSet, values: readonly string[]): boolean {
    for (let position = 0; position < this.#sources.length; position++) {
      const source = this.#sources[position] ?? NAME;
      if (source >= 0 && shared[source] !== (values[position] ?? '')) return false;
    }
    return true;
  }

  sharedOf(values: readonly string[]): readonly string[] {
    return values.filter((_, position) => (this.#sources[position] ?? NAME) >= 0);
  }

  /** One value when all are equal; those of the previous state of the object when they are equal to these. */
  distinctOf(values: readonly string[], previous: DistinctValues | undefined): DistinctValues {
    if (this.#distinct === 0) return '';
    const distinct: string[] = [];
    for (let position = 0; position < this.#sources.length; position++) {
      const source = this.#sources[position] ?? NAME;
      if (source <= DISTINCT) distinct[DISTINCT - source] = values[position] ?? '';
    }
    const [first = ''] = distinct;
    if (distinct.every((value) => value === first)) return first === previous ? previous : ownString(first);
    const isSame = Array.isArray(previous) && distinct.every((value, at) => value === previous[at]);
    return isSame ? previous : distinct.map(ownString);
  }

  valueOf(held: Held, position: number): string {
    const source = this.#sources[position];
    if (source === undefined) return '';
    if (source >= 0) return held.fieldSet.values[source] ?? '';
    if (source === NAME) return held.name;
    if (source === NAMESPACE) return held.namespace;
    const { distinct } = held;
    return typeof distinct === 'string' ? distinct : (distinct[DISTINCT - source] ?? '');
  }

  get size(): number {
    return this.#sources.length;
  }
}

/** The value of a field of an object, which is empty where the resource has no such field. */
export function fieldOf(held: Held, position: number): string {
  const { values, layout } = held.fieldSet;
  return layout === undefined ? (values[position] ?? '') : layout.valueOf(held, position);
}

/** The values of all fields of an object. */
export function allFieldsOf(held: Held): readonly string[] {
  const { values, layout } = held.fieldSet;
  if (layout === undefined) return values;
  const all: string[] = [];
  for (let position = 0; position < layout.size; position++) all.push(layout.valueOf(held, position));
  return all;
}

const isName = (key: string, name: string): boolean =>
  key.endsWith(name) && key.indexOf('/') === key.length - name.length - 1;

const isNamespace = (key: string, namespace: string): boolean =>
  namespace === '' ? !key.includes('/') : key.indexOf('/') === namespace.length && key.startsWith(namespace);

/** Maximum number of sets in the table, while most of them are used again, and otherwise. At the limit the table is emptied. */
const MAX_SETS = 16_384;
const FEW_SETS = 1024;

interface FieldNames {
  readonly selectableFields: readonly string[];
  readonly distinctFields?: readonly string[];
}

/** An earlier state of an object. */
type Previous = Pick<HeldFields, 'distinct'> & { readonly fieldSet: FieldSet };

/** Shares the values of selectable fields among the objects of one resource. The result does not keep the arguments alive. */
export class FieldInterner {
  readonly #layout: FieldLayout;
  readonly #shared: (text: string) => string;
  readonly #encodings: EncodingCache | undefined;
  #sets = new Map<string, FieldSet>();
  #limit = MAX_SETS;
  #hits = 0;

  /** `shared` returns the one string that is equal to its argument; `encodings` is the cache of the resource. */
  constructor(
    { selectableFields, distinctFields = [] }: FieldNames,
    shared: (text: string) => string,
    encodings?: EncodingCache,
  ) {
    this.#encodings = encodings;
    this.#layout = new FieldLayout(selectableFields, distinctFields);
    this.#shared = shared;
  }

  /** The values of an object, in the order of its resource; those of its previous state where they are equal. */
  hold(key: string, values: readonly string[], previous: Previous | undefined): HeldFields {
    const layout = this.#layout;
    if (!layout.isOfKey(key, values)) {
      const exact = values.map((value) => this.#shared(value));
      return exactFields(exact, this.#encodings);
    }
    const before = previous?.fieldSet.layout === layout ? previous : undefined;
    const isSame = before !== undefined && layout.isShared(before.fieldSet, values);
    const set = isSame ? before.fieldSet : this.#set(values);
    return { set, distinct: layout.distinctOf(values, before?.distinct) };
  }

  #set(values: readonly string[]): FieldSet {
    const text = this.#layout.textOf(values);
    const known = this.#sets.get(text);
    // Values may contain the separator.
    if (known !== undefined && this.#layout.isShared(known, values)) {
      this.#hits++;
      return known;
    }
    if (this.#sets.size >= this.#limit) this.#empty();
    const shared = this.#layout.sharedOf(values).map((value) => this.#shared(value));
    const set = new FieldSet(shared, this.#layout, this.#encodings);
    this.#sets.set(text, set);
    return set;
  }

  #empty(): void {
    this.#limit = this.#hits > this.#sets.size ? MAX_SETS : FEW_SETS;
    this.#sets = new Map();
    this.#hits = 0;
  }
}

/** The values of an object that shares none. */
export const exactFields = (values: readonly string[], encodings?: EncodingCache): HeldFields => ({
  set: new FieldSet(values, undefined, encodings),
  distinct: '',
});
