import { isJsonObject, type JsonObject, parseJson, setField } from '@orch/machinery/json';
import { ByteScanner } from './byte-scanner.ts';

/** Reads some fields of a stored object; the others are missing in the result. */
export type FieldPicker = (stored: Buffer) => Readonly<Record<string, unknown>>;

/** A selected field: as a whole, or only some of its fields. */
interface Selection {
  readonly name: string;
  readonly bytes: Buffer;
  readonly fields: readonly Selection[];
}

const COLON = 0x3a;
const COMMA = 0x2c;
const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * A picker of the fields at the given paths (`status.phase`), several times faster than parsing. Skipped values are
 * read only as far as needed to find their end, so that corruption there goes unnoticed. JSON with white space, or
 * with escapes in the names that it reads, is parsed as a whole; what is not a JSON object throws a JsonSyntaxError or
 * a TypeError. /
 */
export function fieldPicker(paths: readonly string[]): FieldPicker {
  const selections = selectionsOf(paths.map((path) => path.split('.')));
  return (stored) => {
    const scanner = new ByteScanner(stored);
    const picked = pick(scanner, stored, selections);
    return picked !== undefined && scanner.peek() === undefined ? picked : wholeObject(stored);
  };
}

function selectionsOf(paths: readonly (readonly string[])[]): readonly Selection[] {
  const byName = Map.groupBy(paths, ([name = '']) => name);
  return [...byName].map(([name, below]) => ({
    name,
    bytes: Buffer.from(name),
    // A field that one path selects as a whole is read as a whole.
    fields: below.some((path) => path.length === 1) ? [] : selectionsOf(below.map((path) => path.slice(1))),
  }));
}

/** Reads the object that comes next; undefined when its bytes cannot be scanned. */
function pick(
  scanner: ByteScanner,
  stored: Buffer,
  selections: readonly Selection[],
): Record<string, unknown> | undefined {
  if (!scanner.acceptByte(OPEN)) return undefined;
  const picked: Record<string, unknown> = {};
  if (scanner.acceptByte(CLOSE)) return picked;
  do {
    if (!scanner.skipString() || !scanner.plain) return undefined;
    const field = find(scanner, selections);
    if (!scanner.acceptByte(COLON)) return undefined;
    if (field === undefined) {
      if (!scanner.skipValue()) return undefined;
      continue;
    }
    const value = read(scanner, stored, field);
    if (value === undefined) return undefined;
    setField(picked, field.name, value);
  } while (scanner.acceptByte(COMMA));
  return scanner.acceptByte(CLOSE) ? picked : undefined;
}

function find(scanner: ByteScanner, selections: readonly Selection[]): Selection | undefined {
  for (const one of selections) if (scanner.is(one.bytes)) return one;
  return undefined;
}

function read(scanner: ByteScanner, stored: Buffer, { fields }: Selection): unknown {
  if (fields.length > 0 && scanner.peek() === OPEN) return pick(scanner, stored, fields);
  if (scanner.peek() === QUOTE) return scanner.skipString() ? scanner.text() : undefined;
  const start = scanner.at;
  return scanner.skipValue() ? parseJson(stored.subarray(start, scanner.at)) : undefined;
}

function wholeObject(stored: Buffer): JsonObject {
  const value = parseJson(stored);
  if (isJsonObject(value)) return value;
  throw new TypeError('the stored value is not a JSON object');
}
