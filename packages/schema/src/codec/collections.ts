import { isExactNumber, noteWidth, setField } from '@orch/machinery/json';
import type { Reader } from '../walk/reader.ts';
import { sortBytewise } from '../walk/sort-bytewise.ts';

/** Zero of lists and maps: written as `null`. */
const none = (): null => null;

/** Reads a list; a null item becomes the zero value of the item type, as the reference does. */
export function listReader(items: () => Reader): Reader {
  let item: Reader | undefined;
  return {
    zero: none,
    read(value, context) {
      if (!Array.isArray(value)) {
        context.wrongType('a list', value);
        return undefined;
      }
      item ??= items();
      const { read, zero } = item;
      const list: unknown[] = [];
      for (let i = 0; i < value.length; i++) {
        const raw: unknown = value[i];
        const seen = context.count;
        list.push(raw === null || raw === undefined ? zero(context) : (read(raw, context) ?? null));
        if (context.count !== seen) context.within(seen, `[${i}]`);
      }
      return list;
    },
  };
}

/** Reads a map; names come out in bytewise order. */
export function mapReader(values: () => Reader): Reader {
  let item: Reader | undefined;
  return {
    zero: none,
    read(value, context) {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || isExactNumber(value)) {
        context.wrongType('an object', value);
        return undefined;
      }
      item ??= values();
      const { read, zero } = item;
      const source = value as Readonly<Record<string, unknown>>;
      const map: Record<string, unknown> = {};
      const names = sortBytewise(Object.keys(source));
      noteWidth(map, names.length);
      for (const name of names) {
        const raw = source[name];
        const seen = context.count;
        const decoded = raw === null || raw === undefined ? zero(context) : (read(raw, context) ?? null);
        if (context.count !== seen) context.within(seen, `[${name}]`);
        setField(map, name, decoded);
      }
      return map;
    },
  };
}
