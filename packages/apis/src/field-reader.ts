import { type ApiObject, asObject, asText } from '@orch/machinery';

/** Reads the value of a selectable field. */
export interface FieldReader {
  (object: ApiObject): string;
  /**
   * The only members that it looks at, as paths (`spec.nodeName`): an object that holds nothing else gives the same
   * value, so that the rest need not be parsed. Any member when absent.
   */
  readonly members?: readonly string[];
}

/** A reader that looks at some members only. */
export const fieldReader = <T = ApiObject>(
  members: readonly string[],
  read: (object: T) => string,
): FieldReader => Object.assign((object: ApiObject) => read(object as T), { members });

/** The text at a path, empty where there is none. */
export const textField = (path: string): FieldReader => {
  const names = path.split('.');
  const last = names.pop() ?? '';
  return fieldReader([path], (object) => {
    let holder: Readonly<Record<string, unknown>> = object;
    for (const name of names) holder = asObject(holder[name]);
    return asText(holder[last]);
  });
};
