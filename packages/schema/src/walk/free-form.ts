import type { Work } from '@orch/machinery/concurrency';
import { hasManyParts, isExactNumber, noteWidth, numberFromText, setField } from '@orch/machinery/json';
import { type DecodeContext, MAX_DEPTH } from './decode-context.ts';

function copyList(list: readonly unknown[], context: DecodeContext): unknown[] {
  const copy: unknown[] = new Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const seen = context.count;
    copy[i] = readFreeForm(list[i] ?? null, context);
    if (context.count !== seen) context.within(seen, `[${i}]`);
  }
  return copy;
}

type Fields = Readonly<Record<string, unknown>>;

function copyObject(object: Fields, context: DecodeContext): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  let fields = 0;
  // Values of JSON have no prototype but the plain one, which has nothing that could be enumerated.
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const seen = context.count;
    setField(copy, name, readFreeForm(value, context));
    if (context.count !== seen) context.within(seen, `.${name}`);
    fields += 1;
  }
  noteWidth(copy, fields);
  return copy;
}

/** A copy of any JSON value with fields in the order in which they came. Numbers keep their exact form. */
export function readFreeForm(value: unknown, context: DecodeContext): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'object': {
      if (value === null) return value;
      // Content without declared types keeps the value of a number, not its spelling.
      if (isExactNumber(value)) return numberFromText(value.rawJSON);
      if (context.depth >= MAX_DEPTH) {
        context.tooDeep();
        return undefined;
      }
      context.depth++;
      const copy = Array.isArray(value) ? copyList(value, context) : copyObject(value as Fields, context);
      context.depth--;
      return copy;
    }
  }
  context.wrongType('a JSON value', value);
  return undefined;
}

/** Like `readFreeForm`, in pieces. */
export function* readingFreeForm(value: unknown, context: DecodeContext): Work<unknown> {
  if (!hasManyParts(value) || context.depth >= MAX_DEPTH) return readFreeForm(value, context);
  context.depth++;
  const copy = Array.isArray(value)
    ? yield* copyingList(value, context)
    : yield* copyingObject(value as Fields, context);
  context.depth--;
  return copy;
}

function* copyingList(list: readonly unknown[], context: DecodeContext): Work<unknown[]> {
  const copy: unknown[] = [];
  for (const [i, raw] of list.entries()) {
    if (context.pace.isDue()) yield;
    const item = raw ?? null;
    const isLarge = hasManyParts(item);
    const seen = context.count;
    copy.push(isLarge ? yield* readingFreeForm(item, context) : readFreeForm(item, context));
    if (context.count !== seen) context.within(seen, `[${i}]`);
  }
  return copy;
}

function* copyingObject(object: Fields, context: DecodeContext): Work<Record<string, unknown>> {
  const copy: Record<string, unknown> = {};
  let fields = 0;
  for (const name of Object.keys(object)) {
    if (context.pace.isDue()) yield;
    const value = object[name];
    if (value === undefined) continue;
    const isLarge = hasManyParts(value);
    const seen = context.count;
    setField(copy, name, isLarge ? yield* readingFreeForm(value, context) : readFreeForm(value, context));
    if (context.count !== seen) context.within(seen, `.${name}`);
    fields += 1;
  }
  noteWidth(copy, fields);
  return copy;
}
