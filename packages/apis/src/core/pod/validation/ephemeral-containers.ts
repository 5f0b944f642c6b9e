import { type ApiObject, type FieldError, fieldError, jsonEquals } from '@orch/machinery';
import { asObjects, asText, specOf } from '../../../read.ts';

const path = 'spec.ephemeralContainers';

/** Ephemeral containers can be added; those that are there stay as they are. */
export function validateEphemeralContainers(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const after = asObjects(specOf(next)['ephemeralContainers']);
  const byName = new Map(after.map((container) => [asText(container['name']), container]));
  return asObjects(specOf(old)['ephemeralContainers']).flatMap((before) => {
    const name = asText(before['name']);
    const container = byName.get(name);
    if (container === undefined) {
      return [
        fieldError.forbidden(
          path,
          `existing ephemeral containers ${JSON.stringify(name)} may not be removed`,
        ),
      ];
    }
    if (jsonEquals(container, before)) return [];
    return [
      fieldError.forbidden(path, `existing ephemeral containers ${JSON.stringify(name)} may not be changed`),
    ];
  });
}
