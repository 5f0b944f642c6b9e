import type { Names } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { f, items, struct } from '../declare.ts';
import type { StructSchema } from '../schema.ts';
import { readStructural } from '../structural/read-structural.ts';
import { structuralKind } from '../structural/structural-kind.ts';

const Metadata = struct('test.Metadata', '', {
  name: f.string(1),
  creationTimestamp: f.time(2, { presence: 'always' }),
  labels: f.map(3, items.string),
});

/** A custom kind with a structural schema as it is written; its metadata has a few fields when not specified. */
export const testKind = (
  schema: JsonObject,
  names: Names,
  metadata: StructSchema = Metadata,
): StructSchema => {
  const structural = readStructural(schema, names);
  return structuralKind({ name: 'test.v1.Thing', doc: '', metadata, structural: () => structural });
};
