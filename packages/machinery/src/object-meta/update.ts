import { type FieldError, fieldError, MAX_FIELD_ERRORS } from '../field-error.ts';
import { jsonEquals } from '../json/index.ts';
import { hasDeletionTimestamp, type ObjectMeta } from '../meta.ts';
import { child } from './field-path.ts';

const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const satisfies (keyof ObjectMeta)[];

/** An object that is being deleted gets no further finalizers. */
function addedFinalizers({ finalizers = [] }: ObjectMeta, old: ObjectMeta, path: string): FieldError[] {
  const kept = new Set(old.finalizers);
  const added = finalizers.filter((name) => !kept.has(name));
  if (added.length === 0) return [];
  const displayed = JSON.stringify(added.slice(0, MAX_FIELD_ERRORS));
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${displayed}`;
  return [fieldError.forbidden(child(path, 'finalizers'), why)];
}

/** Metadata fields that may not change between the stored object and its successor (facts: validation, ObjectMeta update). */
export function validateMetaUpdate(meta: ObjectMeta, old: ObjectMeta, path: string): FieldError[] {
  const errors = hasDeletionTimestamp(old) ? addedFinalizers(meta, old, path) : [];
  const { generation = 0 } = meta;
  if (generation < (old.generation ?? 0)) {
    errors.push(fieldError.invalid(child(path, 'generation'), generation, 'must not be decremented'));
  }
  for (const field of immutable) {
    const next = meta[field] ?? null;
    const before = old[field] ?? null;
    if (!jsonEquals(next, before))
      errors.push(fieldError.invalid(child(path, field), next, 'field is immutable'));
  }
  return errors;
}
