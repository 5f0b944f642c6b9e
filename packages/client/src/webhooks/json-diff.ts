import { isExactNumber, isJsonObject, type JsonObject, jsonEquals } from '@orch/machinery/json';
import type { JsonPatchOperation } from '../rest/types.ts';

/**
 * The JSON patch that makes one JSON value of another. Elements of lists are compared by position, so that the cost is
 * linear in the size of the values.
 */
export function jsonDiff(before: unknown, after: unknown): readonly JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  compare(before, after, { path: '', operations });
  return operations;
}

interface Place {
  readonly path: string;
  readonly operations: JsonPatchOperation[];
}

function compare(before: unknown, after: unknown, place: Place): void {
  if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, place);
  else if (isJsonObject(before) && isJsonObject(after)) compareObjects(before, after, place);
  else if (!isSame(before, after)) place.operations.push({ op: 'replace', path: place.path, value: after });
}

/** Only scalars are compared here: values of two kinds differ without a look into them. */
const isSame = (before: unknown, after: unknown): boolean =>
  before === after || (isExactNumber(before) && isExactNumber(after) && jsonEquals(before, after));

function compareObjects(before: JsonObject, after: JsonObject, { path, operations }: Place): void {
  for (const name of Object.keys(before))
    if (!Object.hasOwn(after, name)) operations.push({ op: 'remove', path: within(path, name) });
  for (const name of Object.keys(after)) {
    const at = within(path, name);
    if (Object.hasOwn(before, name)) compare(before[name], after[name], { path: at, operations });
    else operations.push({ op: 'add', path: at, value: after[name] });
  }
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  { path, operations }: Place,
): void {
  const common = Math.min(before.length, after.length);
  for (let i = 0; i < common; i++) compare(before[i], after[i], { path: `${path}/${i}`, operations });
  // From the end, so that no removal moves an element that another one removes.
  for (let i = before.length - 1; i >= common; i--) operations.push({ op: 'remove', path: `${path}/${i}` });
  for (const value of after.slice(common)) operations.push({ op: 'add', path: `${path}/-`, value });
}

const within = (path: string, name: string): string =>
  `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
