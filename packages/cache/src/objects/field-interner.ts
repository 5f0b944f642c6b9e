import { FieldLayout, FieldSet, type HeldFields } from './field-layout.ts';

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
  #sets = new Map<string, FieldSet>();
  #limit = MAX_SETS;
  #hits = 0;

  /** `shared` returns the one string that is equal to its argument. */
  constructor({ selectableFields, distinctFields = [] }: FieldNames, shared: (text: string) => string) {
    this.#layout = new FieldLayout(selectableFields, distinctFields);
    this.#shared = shared;
  }

  /** The values of an object, in the order of its resource; those of its previous state where they are equal. */
  hold(key: string, values: readonly string[], previous: Previous | undefined): HeldFields {
    const layout = this.#layout;
    if (!layout.isOfKey(key, values)) return exactFields(values.map((value) => this.#shared(value)));
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
    const set = new FieldSet(shared, this.#layout);
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
export const exactFields = (values: readonly string[]): HeldFields => ({
  set: new FieldSet(values, undefined),
  distinct: '',
});
