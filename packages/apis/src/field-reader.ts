import type { ApiObject } from '@orch/machinery';
import { asObject, asText } from '@orch/machinery/json';

/** Reads the value of a selectable field. */
export interface FieldReader {
  (object: ApiObject): string;
  /**
   * The only fields that it reads, as paths (`spec.nodeName`), so that the rest of an object need not be parsed. Absent
   * when it may read any field.
   */
  readonly fields?: readonly string[];
}

/** A reader of the given fields only. */
export const fieldReader = <T = ApiObject>(
  fields: readonly string[],
  read: (object: T) => string,
): FieldReader => Object.assign((object: ApiObject) => read(object as T), { fields });

/** The string at a path, empty when there is none. */
export const textField = (path: string): FieldReader => {
  const names = path.split('.');
  const last = names.pop() ?? '';
  return fieldReader([path], (object) => {
    let holder: Readonly<Record<string, unknown>> = object;
    for (const name of names) holder = asObject(holder[name]);
    return asText(holder[last]);
  });
};
