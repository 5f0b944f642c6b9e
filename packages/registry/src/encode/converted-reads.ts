import { type CachedObject, encodeItems, type ObjectEncoder } from '@orch/cache';
import { type ApiObject, ownBytes } from '@orch/machinery';
import { encodeJson, parseJson } from '@orch/machinery/json';
import { withApiVersion } from '../convert/version-converter.ts';
import { type Conversion, decodedConversion } from '../convert/webhook-conversion.ts';
import { ConvertedObject } from './converted-object.ts';

/**
 * Maximum number of objects in one conversion request: those of a usual page. Their size is bounded too, except for a
 * single object.
 */
const BATCH_OBJECTS = 500;
const BATCH_BYTES = 1024 * 1024;
/** Objects read or written in one turn of the event loop. */
const OBJECTS_PER_TURN = 64;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Thrown by the encoder that uses cached bytes only. A single instance, since many objects of a list may be missing.
 */
const missing = new Error('the object was not converted yet');

/**
 * Reads cached objects in one version that a webhook converts. The converted bytes are cached with the objects, as
 * those of built-in kinds are.
 */
export class ConvertedReads {
  readonly #conversion: Conversion;
  readonly #kept: ObjectEncoder;
  readonly #head: Buffer;
  readonly #isHub: boolean;

  constructor(kind: string, conversion: Conversion, isHub: boolean) {
    const { apiVersion } = conversion.target;
    this.#conversion = conversion;
    this.#isHub = isHub;
    this.#head = ownBytes(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
    this.#kept = {
      id: `version ${apiVersion}`,
      encode() {
        throw missing;
      },
    };
  }

  /**
   * The objects in this version, in their order. Synchronous when all of them were converted before; rejects with the
   * `ApiError` of a failed conversion.
   */
  view(
    objects: readonly CachedObject[],
    signal: AbortSignal,
  ): readonly CachedObject[] | Promise<readonly CachedObject[]> {
    const { hasOutdated } = this.#conversion.converter;
    if (this.#isHub && !hasOutdated) return objects;
    const view: CachedObject[] = [];
    const unconverted: number[] = [];
    for (const [i, object] of objects.entries()) {
      const known = hasOutdated && this.#isInVersion(object) ? object : this.#keptView(object);
      if (known === undefined) unconverted.push(i);
      view.push(known ?? object);
    }
    return unconverted.length === 0 ? view : this.#convertAll(view, unconverted, signal);
  }

  /**
   * The content of a list of cached objects whose conversions are all cached; undefined otherwise. It costs as much as
   * a list in the cached version.
   */
  content(objects: readonly CachedObject[]): readonly Buffer[] | undefined {
    if (this.#isHub) return undefined;
    try {
      // Taken at once: views of cached bytes stay valid, but an object that is replaced loses its encodings.
      return [...encodeItems(objects, this.#kept)];
    } catch (error) {
      if (error === missing) return undefined;
      throw error;
    }
  }

  #isInVersion(object: CachedObject): boolean {
    const json = object.json();
    const { length } = this.#head;
    return json.length >= length && json.compare(this.#head, 0, length, 0, length) === 0;
  }

  #keptView(object: CachedObject): CachedObject | undefined {
    const { apiVersion } = this.#conversion.target;
    // The placeholder of an unreadable object needs no conversion.
    if (object.corrupt)
      return new ConvertedObject(object, withApiVersion(object.json(), apiVersion), apiVersion);
    try {
      return new ConvertedObject(object, object.encoded(this.#kept), apiVersion);
    } catch (error) {
      if (error === missing) return undefined;
      throw error;
    }
  }

  async #convertAll(
    view: CachedObject[],
    unconverted: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly CachedObject[]> {
    for (let from = 0; from < unconverted.length; ) {
      const batch: number[] = [];
      for (let bytes = 0; from < unconverted.length && batch.length < BATCH_OBJECTS; from++) {
        const position = unconverted[from] ?? 0;
        bytes += view[position]?.size ?? 0;
        if (batch.length > 0 && bytes > BATCH_BYTES) break;
        batch.push(position);
      }
      await this.#convertBatch(view, batch, signal);
    }
    return view;
  }

  async #convertBatch(view: CachedObject[], batch: readonly number[], signal: AbortSignal): Promise<void> {
    const { converter, target, codecs } = this.#conversion;
    const originals: ApiObject[] = [];
    for (const position of batch) {
      const source = view[position];
      if (source !== undefined) originals.push(parseJson(source.json()) as ApiObject);
      if (originals.length % OBJECTS_PER_TURN === 0) await nextTurn();
    }
    const converted = await converter.convert(originals, target.apiVersion, signal);
    for (const [i, original] of originals.entries()) {
      const position = batch[i];
      const source = position === undefined ? undefined : view[position];
      const object = converted[i];
      if (position === undefined || source === undefined || object === undefined) continue;
      const bytes = encodeJson(decodedConversion(original, object, target, codecs));
      view[position] = new ConvertedObject(source, this.#keep(source, bytes), target.apiVersion);
      if (i % OBJECTS_PER_TURN === OBJECTS_PER_TURN - 1) await nextTurn();
    }
  }

  #keep(source: CachedObject, bytes: Buffer): Buffer {
    return source.encoded({ id: this.#kept.id, encode: () => bytes });
  }
}
