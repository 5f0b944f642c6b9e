import { parseYaml } from '@orch/machinery/yaml';

/** A value of the chart, or a group of values, with its comment. */
export interface CommentedValue {
  readonly path: readonly string[];
  readonly section: string;
  readonly description: string;
  /** The JSON Schema of its `@schema` line. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  readonly defaultValue: unknown;
  /** Whether it has members that are values themselves. */
  readonly isGroup: boolean;
}

const INDENT = 2;

/** The values of a commented `values.yaml`, in its order. Throws for a value without a description, and for a `@schema` line that cannot be read. */
export function commentedValues(text: string): readonly CommentedValue[] {
  const defaults = parseYaml(Buffer.from(text));
  const found: CommentedValue[] = [];
  const groups: string[] = [];
  let section = '';
  let comments: string[] = [];
  for (const line of text.split('\n')) {
    const comment = /^ *#+ ?(.*)$/.exec(line)?.[1];
    if (line.startsWith('## ')) section = comment ?? '';
    else if (comment !== undefined) comments.push(comment);
    else if (line.trim() === '') comments = [];
    const [, blanks = '', key] = /^( *)([\w-]+):/.exec(line) ?? [];
    const depth = blanks.length / INDENT;
    // A line that is deeper than the last group belongs to the default of a value.
    if (key === undefined || depth > groups.length) continue;
    groups.length = depth;
    const value = { ...describe(comments), path: [...groups, key], section };
    const defaultValue = at(defaults, value.path);
    const isGroup = value.schema === undefined && isFilledObject(defaultValue);
    if (!isGroup && value.description === '') throw new Error(`${value.path.join('.')} has no description`);
    found.push({ ...value, defaultValue, isGroup });
    if (isGroup) groups.push(key);
    comments = [];
  }
  return found;
}

function describe(comments: readonly string[]): Pick<CommentedValue, 'description' | 'schema'> {
  const marker = '@schema ';
  const schemas = comments.filter((line) => line.startsWith(marker));
  const [schema] = schemas.map((line) => JSON.parse(line.slice(marker.length)) as Record<string, unknown>);
  const description = comments.filter((line) => !line.startsWith(marker)).join(' ');
  return { description, schema };
}

const isFilledObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
