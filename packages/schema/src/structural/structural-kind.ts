import type { Work } from '@orch/machinery/concurrency';
import type { Check, CustomPublication, SchemaRef, StructSchema } from '../schema.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { type LazyStructural, StructuralValidator } from './structural-validator.ts';

/** A custom kind: its names, and the schema in its definition. */
export interface StructuralKind {
  /** Schema name, canonical, unique among all kinds and versions. */
  readonly name: string;
  readonly doc: string;
  /** Schema of the metadata of objects. */
  readonly metadata: SchemaRef;
  readonly structural: LazyStructural;
  /** Makes `structural` in pieces; it is made at once where this is absent. */
  readonly reading?: () => Work<StructuralSchema>;
  /** Rules besides those of the schema. */
  readonly checks?: readonly Check[];
  /** Its publication in documents; absent when there are none. */
  readonly custom?: CustomPublication;
}

/**
 * The runtime schema of a custom kind. Metadata and type are as in every kind; all other fields follow the structural
 * schema, which may also restrict the name.
 */
export function structuralKind(kind: StructuralKind): StructSchema {
  const { checks = [], custom, doc, metadata, name, reading, structural } = kind;
  const validator = new StructuralValidator(structural);
  const check: Check = (value, context) => validator.check(value, context);
  return {
    kind: 'struct',
    name,
    doc,
    typeMeta: true,
    fields: [
      { name: 'metadata', num: 0, schema: metadata, presence: 'always', doc: "Standard object's metadata." },
    ],
    rest: structural,
    ...(reading === undefined ? {} : { preparation: () => validator.preparation(reading) }),
    ...(custom === undefined ? {} : { custom }),
    checks: [check, ...checks],
  };
}
