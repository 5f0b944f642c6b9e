import { Pace, type Work } from '@orch/machinery/concurrency';
import { isSmall } from './large-parts.ts';

/** As `jsonEntry`, in pieces. */
export function* jsonEntryInPieces(name: string, value: object): Work<string> {
  const text = new JsonText(`${JSON.stringify(name)}:`);
  yield* text.add(value);
  return text.whole();
}

/** JSON text whose small parts are written at once. */
class JsonText {
  readonly #parts: string[];
  readonly #pace = new Pace();

  constructor(beginning: string) {
    this.#parts = [beginning];
  }

  whole(): string {
    return this.#parts.join('');
  }

  *add(value: unknown): Work<void> {
    if (this.#pace.isDue()) yield;
    if (typeof value !== 'object' || value === null) this.#parts.push(JSON.stringify(value) ?? 'null');
    else if (isSmall(value)) {
      this.#parts.push(JSON.stringify(value));
      yield;
    } else if (Array.isArray(value)) yield* this.#list(value);
    else yield* this.#object(value);
  }

  *#list(list: readonly unknown[]): Work<void> {
    for (const [i, item] of list.entries()) {
      this.#parts.push(i === 0 ? '[' : ',');
      yield* this.add(item);
    }
    this.#parts.push(']');
  }

  *#object(object: object): Work<void> {
    let separator = '{';
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue;
      this.#parts.push(`${separator}${JSON.stringify(name)}:`);
      separator = ',';
      yield* this.add(value);
    }
    this.#parts.push(separator === '{' ? '{}' : '}');
  }
}
