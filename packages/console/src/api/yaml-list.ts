import type { Connection } from './connection.ts';
import { type Selection, targetOf } from './tables.ts';

/** Maximum number of objects of an export. */
export const MAX_EXPORTED = 5000;

/** The objects of a selection as one YAML list, as the server writes it; undefined if there are too many. */
export async function yamlList(
  connection: Connection,
  selection: Selection,
  signal: AbortSignal,
): Promise<string | undefined> {
  const target = targetOf(selection, { limit: String(MAX_EXPORTED) });
  const text = await connection.text({ target, accept: 'application/yaml' }, signal);
  return /^metadata:\n(?: .*\n)*? {2}continue: (?!""$)\S/m.test(text) ? undefined : text;
}
