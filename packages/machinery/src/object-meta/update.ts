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

/** Metadata fields that may not change between the stored object and its successor (facts: validation, ObjectMeta update). */
export function validateMetaUpdate(meta: ObjectMeta, old: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const isDeleted = hasDeletionTimestamp(old);
  const kept = new Set(old.finalizers);
  const added = isDeleted ? (meta.finalizers ?? []).filter((name) => !kept.has(name)) : [];
  if (added.length > 0) {
    const displayed = JSON.stringify(added.slice(0, MAX_FIELD_ERRORS));
    const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${displayed}`;
    errors.push(fieldError.forbidden(child(path, 'finalizers'), why));
  }
  const { generation = 0 } = meta;
  if (generation < (old.generation ?? 0)) {
    errors.push(fieldError.invalid(child(path, 'generation'), generation, 'must not be decremented'));
  }
  for (const field of immutable) {
    const [next, before] = [meta[field] ?? null, old[field] ?? null];
    if (!jsonEquals(next, before))
      errors.push(fieldError.invalid(child(path, field), next, 'field is immutable'));
  }
  return errors;
}
