import type { Names } from '@orch/machinery';
import { resolveRef, type Schema, type StructSchema } from '@orch/schema';

/** The merge rules of one field, from its declaration. */
export interface FieldRules {
  readonly schema: Schema;
  /** `replace` in the strategies of a struct or map: a patch replaces it whole. */
  readonly replaceWhole: boolean;
  /** `retainKeys` in the strategies: the patch lists which fields stay. */
  readonly retainKeys: boolean;
  /** Lists: items are merged (`merge`) rather than replaced; objects by `mergeKey`. */
  readonly mergeItems: boolean;
  readonly mergeKey: string | undefined;
}

/** The fields of one struct under their served names. */
export type StructRules = ReadonlyMap<string, FieldRules>;

const strategiesOf = (text: string | undefined): ReadonlySet<string> =>
  new Set((text ?? '').split(',').map((part) => part.trim()));

function collect(struct: StructSchema, names: Names, into: Map<string, FieldRules>): void {
  for (const field of struct.fields) {
    const schema = resolveRef(field.schema);
    if (field.inline === true && schema.kind === 'struct') {
      collect(schema, names, into);
      continue;
    }
    const list = schema.kind === 'list' ? schema : undefined;
    const strategies = strategiesOf(field.patchStrategy ?? list?.patchStrategy);
    const mergeKey = field.patchMergeKey ?? list?.patchMergeKey;
    into.set(names.field(field.name), {
      schema,
      replaceWhole: strategies.has('replace'),
      retainKeys: strategies.has('retainKeys'),
      mergeItems: strategies.has('merge'),
      mergeKey: mergeKey === undefined ? undefined : names.field(mergeKey),
    });
  }
}

/** Reads merge rules off schemas, once per struct: a projection of the schema language for one naming. */
export class MergeRules {
  readonly #names: Names;
  readonly #byStruct = new WeakMap<StructSchema, StructRules>();

  constructor(names: Names) {
    this.#names = names;
  }

  of(struct: StructSchema): StructRules {
    let rules = this.#byStruct.get(struct);
    if (rules === undefined) {
      const collected = new Map<string, FieldRules>();
      collect(struct, this.#names, collected);
      rules = collected;
      this.#byStruct.set(struct, rules);
    }
    return rules;
  }
}
