import { type FieldOptions, f, type StructSchema } from '@orch/schema';
import { ObjectMeta } from './object-meta.ts';

/** The field `metadata` of a kind. */
export const metadataField = f.struct(1, ObjectMeta, {
  doc: "Standard object's metadata.",
  presence: 'always',
});

/** The field `spec` of a kind. */
export const specField = (spec: StructSchema, options: Pick<FieldOptions, 'openapiRequired'> = {}) =>
  f.struct(2, spec, { doc: 'Desired state of the object.', presence: 'always', ...options });

/** The field `status` of a kind. */
export const statusField = (status: StructSchema) =>
  f.struct(3, status, {
    doc: 'Most recently observed state of the object; written by the system.',
    presence: 'always',
  });
