import type { DeclType } from '../decl/decl-type.ts';
import type { FromJson } from './from-json.ts';
import { ListValue, type Value } from './value.ts';

/** A JSON array; its elements are converted when they are first read. */
export class JsonList extends ListValue {
  readonly #element: DeclType;
  readonly #items: readonly unknown[];
  /** What is converted already, where that costs more than looking. */
  #converted: (Value | undefined)[] | undefined;
  readonly #fromJson: FromJson;
  constructor(element: DeclType, items: readonly unknown[], fromJson: FromJson) {
    super();
    this.#fromJson = fromJson;
    this.#element = element;
    this.#items = items;
  }
  get length(): number {
    return this.#items.length;
  }
  at(index: number): Value {
    const raw = this.#items[index];
    const { kind } = this.#element;
    if (kind === 'string' ? typeof raw === 'string' : kind === 'int' && Number.isSafeInteger(raw))
      return raw as Value;
    this.#converted ??= [];
    const known = this.#converted[index];
    if (known !== undefined) return known;
    const value = this.#fromJson(this.#element, raw);
    this.#converted[index] = value;
    return value;
  }
}
