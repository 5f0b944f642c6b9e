import type { ScalarSchema } from '@orch/schema';

/** An object of any kind, preserved unchanged. */
export const RawExtension: ScalarSchema = {
  kind: 'scalar',
  type: 'object',
  name: 'runtime.RawExtension',
  doc: 'An object of any kind, as received.',
};

/** A set of fields as a tree of their names. */
export const FieldsV1: ScalarSchema = {
  kind: 'scalar',
  type: 'object',
  name: 'meta.v1.FieldsV1',
  doc: 'A set of fields as a tree: each name leads to the set of what is below.',
};
