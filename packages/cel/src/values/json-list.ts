import type { DeclType } from '../decl/decl-type.ts';
import type { FromJson } from './from-json.ts';
import { ListValue, type Value } from './value.ts';

/** True for JSON that is the value of its declaration. */
function isItself(kind: DeclType['kind'], raw: unknown): boolean {
  if (kind === 'string') return typeof raw === 'string';
  if (kind === 'int') return Number.isSafeInteger(raw);
  return kind === 'bool' && typeof raw === 'boolean';
}

/** A JSON array; its elements are converted when they are first read. */
export class JsonList extends ListValue {
  readonly #element: DeclType;
  readonly #items: readonly unknown[];
  /** The elements that are converted already, where converting costs more than a lookup. */
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
    if (isItself(kind, raw)) return raw as Value;
    this.#converted ??= [];
    const known = this.#converted[index];
    if (known !== undefined) return known;
    const value = this.#fromJson.value(this.#element, raw);
    this.#converted[index] = value;
    return value;
  }
}
