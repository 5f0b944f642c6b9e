import { hasManyParts, isExactNumber, noteWidth, setField } from '@orch/machinery/json';
import type { DecodeContext } from '../walk/decode-context.ts';
import type { Reader } from '../walk/reader.ts';
import { sortBytewise, sortingBytewise } from '../walk/sort-bytewise.ts';

/** Zero of lists and maps: written as `null`. */
const none = (): null => null;

/** Reads an item or a value of a map; null becomes the zero value of its type, as the reference does. */
const readPart = ({ read, zero }: Reader, raw: unknown, context: DecodeContext): unknown =>
  raw === null || raw === undefined ? zero(context) : (read(raw, context) ?? null);

/** The value as a list; undefined after reporting another type. */
function asListIn(value: unknown, context: DecodeContext): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  context.wrongType('a list', value);
  return undefined;
}

/** Reads a list. */
export function listReader(items: () => Reader): Reader {
  let item: Reader | undefined;
  return {
    zero: none,
    read(value, context) {
      const source = asListIn(value, context);
      if (source === undefined) return undefined;
      item ??= items();
      const list: unknown[] = [];
      for (let i = 0; i < source.length; i++) {
        const seen = context.count;
        list.push(readPart(item, source[i], context));
        if (context.count !== seen) context.within(seen, `[${i}]`);
      }
      return list;
    },
    *inPieces(value, context) {
      const source = asListIn(value, context);
      if (source === undefined) return undefined;
      item ??= items();
      const list: unknown[] = [];
      for (let i = 0; i < source.length; i++) {
        const seen = context.count;
        const raw = source[i];
        if (context.pace.isDue()) yield;
        const { inPieces } = item;
        const isDivided = inPieces !== undefined && hasManyParts(raw);
        list.push(isDivided ? ((yield* inPieces(raw, context)) ?? null) : readPart(item, raw, context));
        if (context.count !== seen) context.within(seen, `[${i}]`);
      }
      return list;
    },
  };
}

/** Whether the value is an object; reports another type. */
function isMapIn(value: unknown, context: DecodeContext): value is Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value))
    return true;
  context.wrongType('an object', value);
  return false;
}

/** Reads a map; names come out in bytewise order. */
export function mapReader(values: () => Reader): Reader {
  let item: Reader | undefined;
  return {
    zero: none,
    read(value, context) {
      if (!isMapIn(value, context)) return undefined;
      item ??= values();
      const map: Record<string, unknown> = {};
      const names = sortBytewise(Object.keys(value));
      noteWidth(map, names.length);
      for (const name of names) {
        const seen = context.count;
        const decoded = readPart(item, value[name], context);
        if (context.count !== seen) context.withinKey(seen, name);
        setField(map, name, decoded);
      }
      return map;
    },
    *inPieces(value, context) {
      if (!isMapIn(value, context)) return undefined;
      item ??= values();
      const map: Record<string, unknown> = {};
      const names = yield* sortingBytewise(Object.keys(value), context.pace);
      noteWidth(map, names.length);
      for (const name of names) {
        if (context.pace.isDue()) yield;
        const seen = context.count;
        const raw = value[name];
        const { inPieces } = item;
        const isDivided = inPieces !== undefined && hasManyParts(raw);
        const decoded = isDivided ? ((yield* inPieces(raw, context)) ?? null) : readPart(item, raw, context);
        if (context.count !== seen) context.withinKey(seen, name);
        setField(map, name, decoded);
      }
      return map;
    },
  };
}
