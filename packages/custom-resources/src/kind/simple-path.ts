import type { ApiObject } from '@orch/machinery';
import { isJsonObject, type JsonObject, setField } from '@orch/machinery/json';

/**
 * The fields of a path of a definition: `.spec.replicas`. Such paths contain fields of objects only; a dot in a name is
 * escaped with a backslash.
 */
export const fieldsOf = (path: string): readonly string[] =>
  (path.match(/\.(?:[^.\\]|\\.)+/gs) ?? []).map((part) => part.slice(1).replace(/\\(.)/gs, '$1'));

/** The value of a field; undefined where there is none. */
export function valueAt(object: JsonObject, fields: readonly string[]): unknown {
  let value: unknown = object;
  for (const name of fields) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Sets a field in place. Missing objects on the path are created; values of another type are replaced. */
export function setValueAt(object: ApiObject, fields: readonly string[], value: unknown): void {
  let holder: Record<string, unknown> = object;
  for (const name of fields.slice(0, -1)) {
    const next = Object.hasOwn(holder, name) ? holder[name] : undefined;
    if (isJsonObject(next)) holder = next;
    else {
      const made: Record<string, unknown> = {};
      setField(holder, name, made);
      holder = made;
    }
  }
  setField(holder, fields.at(-1) ?? '', value);
}
