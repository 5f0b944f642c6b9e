import { Pace, type Work } from '../concurrency/index.ts';
import { jsonText } from './encode.ts';
import { hasManyParts } from './extent.ts';

/** Items and fields that are written together. */
const BATCH = 32;

/**
 * Fields that are written together. Without a prototype, since the engine describes the names of each of these objects to
 * itself, and all plain objects share the place for that, which is soon full.
 */
type Batch = Record<string, unknown>;

const emptyBatch = (): Batch => Object.create(null) as Batch;

/** Like `encodeJson`, in pieces. */
export function* encodeJsonInPieces(value: unknown): Work<Buffer> {
  const writer = new JsonWriter();
  yield* writer.write(value);
  yield;
  return Buffer.from(writer.text);
}

/** Writes large values part by part. */
class JsonWriter {
  readonly #pace = new Pace();
  text = '';
  /** The next part is the first one of its container. */
  #isFirst = true;

  *write(value: unknown): Work<void> {
    if (!hasManyParts(value)) this.text += jsonText(value);
    else yield* this.#container(value as object);
  }

  *#container(value: object): Work<void> {
    if (Array.isArray(value)) yield* this.#list(value);
    else yield* this.#object(value as Readonly<Record<string, unknown>>);
  }

  *#list(list: readonly unknown[]): Work<void> {
    this.#open('[');
    let begun = 0;
    for (let i = 0; i < list.length; i++) {
      const isDivided = hasManyParts(list[i]);
      if (!isDivided && i - begun < BATCH) continue;
      this.#add(jsonText(list.slice(begun, i)));
      begun = i;
      if (this.#isDue()) yield;
      if (!isDivided) continue;
      this.#separate();
      yield* this.#container(list[i] as object);
      begun = i + 1;
    }
    this.#add(jsonText(list.slice(begun)));
    this.#close(']');
  }

  *#object(object: Readonly<Record<string, unknown>>): Work<void> {
    this.#open('{');
    let batch = emptyBatch();
    let count = 0;
    for (const name of Object.keys(object)) {
      const value = object[name];
      const isDivided = hasManyParts(value);
      if (!isDivided) {
        batch[name] = value;
        count += 1;
        if (count < BATCH) continue;
      }
      this.#add(jsonText(batch));
      batch = emptyBatch();
      count = 0;
      if (this.#isDue()) yield;
      if (!isDivided) continue;
      this.#separate();
      this.text += `${jsonText(name)}:`;
      yield* this.#container(value as object);
    }
    this.#add(jsonText(batch));
    this.#close('}');
  }

  /** Adds the parts of a container, without its brackets. */
  #add(container: string): void {
    if (container.length === 2) return;
    this.#separate();
    this.text += container.slice(1, -1);
  }

  #open(bracket: string): void {
    this.text += bracket;
    this.#isFirst = true;
  }

  #close(bracket: string): void {
    this.text += bracket;
    this.#isFirst = false;
  }

  #separate(): void {
    if (!this.#isFirst) this.text += ',';
    this.#isFirst = false;
  }

  /** Counts a batch. */
  #isDue(): boolean {
    this.#pace.spend(BATCH);
    return this.#pace.isDue();
  }
}
