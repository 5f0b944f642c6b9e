import { asObject, encodeJson, type JsonObject, type Names, parseJson } from '@orch/machinery';
import { readStructural, type StructuralSchema } from '@orch/schema';

/** A schema that preserves everything: of versions without one. */
const schemaless: StructuralSchema = { type: 'object', preservesUnknownFields: true };

/**
 * The `openAPIV3Schema` of one version of a definition. It is kept as JSON text, which takes a fraction of the memory of
 * the parsed value, and parsed when it is needed for the first time; afterwards only what is used is kept.
 */
export class PackedSchema {
  readonly #names: Names;
  readonly #json: Buffer | undefined;
  #structural: StructuralSchema | undefined;

  /** `schema` is the decoded `openAPIV3Schema`; undefined for a version without a schema, which keeps everything. */
  constructor(schema: JsonObject | undefined, names: Names) {
    this.#names = names;
    this.#json = schema === undefined ? undefined : encodeJson(schema);
  }

  /** Bytes that are kept before the first use. */
  get size(): number {
    return this.#json?.length ?? 0;
  }

  /** The structural schema: the same value on every call. */
  structural(): StructuralSchema {
    this.#structural ??= this.#json === undefined ? schemaless : readStructural(this.document(), this.#names);
    return this.#structural;
  }

  /** The schema as the definition says it, documentation included; parsed on every call. */
  document(): JsonObject {
    return this.#json === undefined ? {} : asObject(parseJson(this.#json));
  }
}
