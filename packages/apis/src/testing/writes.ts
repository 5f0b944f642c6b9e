import type { ApiObject } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { setPath } from './set-path.ts';
import type { Written } from './write-path.ts';

/** The reasons of a refused write: type and field of every error. */
export const causes = (written: Written): readonly string[] =>
  written.errors.map(({ type, field }) => `${type} ${field}`);

/** A copy of an object with other values at some paths; `undefined` removes a value. */
export function edited(object: ApiObject, set: Readonly<Record<string, unknown>>): ApiObject {
  const input = cloneJson(object);
  for (const [at, value] of Object.entries(set)) setPath(input, at, value);
  return input;
}
