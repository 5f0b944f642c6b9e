import { Pace, type Work } from '../concurrency/index.ts';
import { hasManyParts } from '../json/index.ts';
import { encodeYaml, entry, keyHead } from './encode.ts';

/** The lines written so far, and the steps until the work yields. */
interface Writing {
  readonly lines: string[];
  readonly pace: Pace;
}

/** Like `encodeYaml`, in pieces. */
export function* encodeYamlInPieces(value: unknown): Work<Buffer> {
  if (!hasManyParts(value)) return Buffer.from(encodeYaml(value));
  const writing = { lines: [], pace: new Pace() };
  yield* block(value as object, '', writing);
  yield;
  return Buffer.from(writing.lines.length === 0 ? '{}\n' : `${writing.lines.join('\n')}\n`);
}

function* block(value: object, indent: string, writing: Writing): Work<void> {
  if (Array.isArray(value)) {
    for (const item of value) {
      if (writing.pace.isDue()) yield;
      if (hasManyParts(item)) yield* largeItem(item as object, indent, writing);
      else entry('-', item, indent, writing.lines);
    }
    return;
  }
  // The runtime lists all names at once, for milliseconds.
  yield;
  const names = Object.keys(value);
  yield;
  for (const name of names) {
    if (writing.pace.isDue()) yield;
    const field = (value as Readonly<Record<string, unknown>>)[name];
    if (hasManyParts(field))
      yield* largeField(`${indent}${keyHead(name, indent)}`, field as object, { indent, writing });
    else if (field !== undefined) entry(keyHead(name, indent), field, indent, writing.lines);
  }
}

function* largeField(
  head: string,
  value: object,
  { indent, writing }: { readonly indent: string; readonly writing: Writing },
): Work<void> {
  const { lines } = writing;
  const at = lines.push(head) - 1;
  // Sequences have the indentation of their key, as other tools write them.
  yield* block(value, Array.isArray(value) ? indent : `${indent}  `, writing);
  if (lines.length === at + 1) lines[at] = `${head} {}`;
}

function* largeItem(value: object, indent: string, writing: Writing): Work<void> {
  const { lines } = writing;
  const inner = `${indent}  `;
  const at = lines.length;
  yield* block(value, inner, writing);
  lines[at] = `${indent}- ${(lines[at] ?? `${inner}{}`).slice(inner.length)}`;
}
