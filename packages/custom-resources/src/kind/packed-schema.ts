import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Names, ownBytes } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { asObject, encodeJson, type JsonObject, parseJson } from '@orch/machinery/json';
import { type StructuralSchema, structuralReading } from '@orch/schema';

/** A schema that preserves everything: of versions without one. */
const schemaless: StructuralSchema = { type: 'object', preservesUnknownFields: true };

/** The same rules, with undeclared fields preserved at every level. */
function preservingAll(schema: StructuralSchema): StructuralSchema {
  const { additionalProperties, items, properties } = schema;
  return {
    ...schema,
    preservesUnknownFields: true,
    ...(items === undefined ? {} : { items: preservingAll(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: preservingAll(additionalProperties) }
      : {}),
    ...(properties === undefined
      ? {}
      : { properties: new Map([...properties].map(([name, field]) => [name, preservingAll(field)])) }),
  };
}

const { BROTLI_MIN_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = constants;
/**
 * Compresses schemas to about a tenth in about the time that encoding them takes; a larger window would take much
 * longer.
 */
const FASTEST = { params: { [BROTLI_PARAM_QUALITY]: BROTLI_MIN_QUALITY + 1, [BROTLI_PARAM_LGWIN]: 16 } };

/** Compressed JSON text. */
const packed = (schema: JsonObject): Buffer => ownBytes(brotliCompressSync(encodeJson(schema), FASTEST));

/**
 * The `openAPIV3Schema` of one version of a definition, kept as compressed JSON text, which takes a few percent of the
 * memory of the parsed value. It is parsed when it is needed for the first time; afterwards only the parts in use are
 * kept.
 */
export class PackedSchema {
  readonly #names: Names;
  readonly #packed: Buffer | undefined;
  readonly #preservesAll: boolean;
  #structural: StructuralSchema | undefined;

  /**
   * `schema` is the decoded `openAPIV3Schema`; undefined for a version without a schema, which preserves everything, as
   * with `preservesAll`.
   */
  constructor(schema: JsonObject | undefined, names: Names, { preservesAll = false } = {}) {
    this.#names = names;
    this.#preservesAll = preservesAll;
    this.#packed = schema === undefined ? undefined : packed(schema);
  }

  /** Bytes that are kept before the first use. */
  get size(): number {
    return this.#packed?.length ?? 0;
  }

  /** The same for schemas with the same text, within one process. */
  get digest(): string {
    return this.#packed === undefined ? '' : createHash('sha256').update(this.#packed).digest('base64');
  }

  /** Reports whether the other schema has the same text. */
  equals(other: PackedSchema): boolean {
    if (this.#packed === undefined || other.#packed === undefined) return this.#packed === other.#packed;
    return this.#packed.equals(other.#packed);
  }

  /** The structural schema: the same value on every call. */
  structural(): StructuralSchema {
    return this.#structural ?? atOnce(this.reading());
  }

  /** As `structural`, with pauses for other work. */
  *reading(): Work<StructuralSchema> {
    if (this.#structural !== undefined) return this.#structural;
    const read = yield* this.#read();
    // Another caller may have read it meanwhile.
    this.#structural ??= read;
    return this.#structural;
  }

  *#read(): Work<StructuralSchema> {
    if (this.#packed === undefined) return schemaless;
    const document = this.document();
    yield;
    const schema = yield* structuralReading(document, this.#names);
    return this.#preservesAll ? preservingAll(schema) : schema;
  }

  /** The schema of the definition, documentation included; parsed on every call. */
  document(): JsonObject {
    return this.#packed === undefined ? {} : asObject(parseJson(brotliDecompressSync(this.#packed)));
  }
}
