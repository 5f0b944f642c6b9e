import type { ResourceClient } from '@orch/client';
import type { ApiError, StatusCause } from '@orch/machinery';
import { visibleText } from '@orch/machinery/formats';
import { isJsonObject, jsonText } from '@orch/machinery/json';
import { columnText } from '../../print/columns.ts';
import type { Target } from '../../resources/targets.ts';

/** A field that another manager owns. */
export interface FieldConflict {
  readonly field: string;
  readonly owner: string;
  readonly yours: unknown;
  readonly theirs: unknown;
}

const CONFLICT = 'FieldManagerConflict';

/** Reports whether a failure is a conflict of field managers. */
export const isFieldConflict = ({ status }: ApiError): boolean =>
  status.reason === 'Conflict' && status.details?.causes?.some(({ reason }) => reason === CONFLICT) === true;

/** The conflicts of a refused apply with managers other than this tool, and the values of both sides. */
export async function readConflicts(
  error: ApiError,
  { document, name }: Target,
  client: ResourceClient,
  { fieldManager, signal }: { readonly fieldManager: string; readonly signal: AbortSignal },
): Promise<readonly FieldConflict[]> {
  const current = await client.get(name, {}, signal);
  return conflictsIn(error)
    .filter(({ owner }) => !isOwnOwner(owner, fieldManager))
    .map(({ field, owner }) => ({
      ...{ field, owner },
      yours: valueAt(document?.object, field),
      theirs: valueAt(current, field),
    }));
}

/** A field of a refused apply, and its owner as the server names it: `"kubectl" using apps/v1`. */
export interface OwnedField {
  readonly field: string;
  readonly owner: string;
}

export const conflictsIn = ({ status }: ApiError): readonly OwnedField[] =>
  (status.details?.causes ?? [])
    .filter(({ reason }) => reason === CONFLICT)
    .map(({ field = '', message = '' }: StatusCause) => ({
      field,
      owner: message.replace(/^conflict with /, ''),
    }));

/** The manager of all commands of this tool. */
export const TOOL = 'orchctl';

/** Reports whether an owner is another command of this tool, or one with the same manager. Those that do not apply have a version. */
export const isOwnOwner = (owner: string, fieldManager: string): boolean =>
  [fieldManager, TOOL].some(
    (name) => owner.startsWith(`${JSON.stringify(name)} `) && owner.includes(' using '),
  );

/** Conflicts as a table of field, owner, yours and theirs, and what to do. */
export const conflictText = (name: string, conflicts: readonly FieldConflict[]): string =>
  `${conflictTable(conflicts)}error: ${conflictAdvice(`${name} was not applied`, conflicts)}\n`;

export function conflictTable(conflicts: readonly FieldConflict[]): string {
  const rows = conflicts.map(({ field, owner, yours, theirs }) => [
    field,
    owner,
    shown(yours),
    shown(theirs),
  ]);
  return visibleText(columnText([['FIELD', 'OWNER', 'YOURS', 'THEIRS'], ...rows]));
}

export const conflictAdvice = (what: string, { length }: readonly FieldConflict[]): string =>
  `${what}: other managers own ${length === 1 ? 'this field' : 'these fields'}. Remove the fields from the file to leave them to their owners, set them to the same values to share them, or use --force-conflicts to take them over.`;

/** Long values are shortened: the table is for reading. */
const MAX_SHOWN = 60;

function shown(value: unknown): string {
  if (value === undefined) return '<none>';
  const text = typeof value === 'string' ? value : jsonText(value);
  const line = text.replaceAll('\n', '\\n');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

/** A step of a field path: a field, an item by its keys, an item by its value, or by its position. */
const STEP =
  /\.([^.[\]]+)|\[(\d+)\]|\[=((?:"(?:[^"\\]|\\.)*"|[^\]"]+))\]|\[((?:[^\]"]|"(?:[^"\\]|\\.)*")+)\]/y;

/** The value at a path of managed fields: `.spec.containers[name="c"].image`. Undefined when there is none. */
export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const rest = path.slice(STEP.lastIndex);
    const match = STEP.exec(path);
    if (match === null) return undefined;
    const [, field, index, item, keys] = match;
    if (field !== undefined) {
      const [name, length] = longestField(value, rest) ?? [field, field.length];
      STEP.lastIndex = path.length - rest.length + 1 + length;
      value = isJsonObject(value) ? value[name] : undefined;
    } else if (index !== undefined) value = Array.isArray(value) ? value[Number(index)] : undefined;
    else if (item !== undefined)
      value = Array.isArray(value) ? value.find((one) => jsonText(one) === item) : undefined;
    else value = itemWith(value, keys ?? '');
  }
  return value;
}

/** Names of fields may have dots, such as those of labels: the longest existing name that the path continues with. */
function longestField(value: unknown, rest: string): readonly [string, number] | undefined {
  if (!isJsonObject(value)) return undefined;
  const names = Object.keys(value).filter(
    (name) => rest.startsWith(`.${name}`) && /^(?:$|[.[])/.test(rest.slice(name.length + 1)),
  );
  const name = names.toSorted((a, b) => b.length - a.length)[0];
  return name === undefined ? undefined : [name, name.length];
}

/** The item of a list whose keys have these values: `name="c",port=80`. */
function itemWith(list: unknown, keys: string): unknown {
  if (!Array.isArray(list)) return undefined;
  const pairs = keys.match(/[^=,]+=(?:"(?:[^"\\]|\\.)*"|[^,]*)/g) ?? [];
  return list.find(
    (item) =>
      isJsonObject(item) &&
      pairs.every((pair) => {
        const at = pair.indexOf('=');
        const value = item[pair.slice(0, at)];
        // A key with a default may be missing in the file.
        return value !== undefined && jsonText(value) === pair.slice(at + 1);
      }),
  );
}
