import { isExactNumber, isJsonObject } from '@orch/machinery/json';
import { resolveRef, type Schema, type UnionSchema } from '../schema.ts';
import type { Read, Reader } from '../walk/reader.ts';
import { listReader } from './collections.ts';

/** The values that a union accepts, for messages. */
function expectedOf({ object, list, bool }: UnionSchema): string {
  const variants = [
    ...(object === undefined ? [] : ['an object']),
    ...(list === undefined ? [] : ['a list']),
    ...(bool === undefined ? [] : ['a boolean']),
  ];
  return variants.join(' or ');
}

/** Reads a value in whichever of its variants it comes. */
export function unionReader(union: UnionSchema, readerOf: (schema: Schema) => Reader): Reader {
  const expected = expectedOf(union);
  const { object, list } = union;
  const objects = object?.schema;
  const items = list?.schema;
  const listOf = items === undefined ? undefined : listReader(() => readerOf(resolveRef(items)));
  const read: Read = (value, context) => {
    if (typeof value === 'boolean' && union.bool !== undefined) return value;
    if (Array.isArray(value) && listOf !== undefined) {
      const read = listOf.read(value, context) as readonly unknown[] | undefined;
      return read?.length === 0 ? null : read;
    }
    if (
      typeof value === 'object' &&
      !Array.isArray(value) &&
      !isExactNumber(value) &&
      objects !== undefined
    ) {
      return readerOf(resolveRef(objects)).read(value, context);
    }
    context.wrongType(expected, value);
    return undefined;
  };
  const variantOf = (value: unknown): Reader | undefined => {
    if (Array.isArray(value)) return listOf;
    return isJsonObject(value) && objects !== undefined ? readerOf(resolveRef(objects)) : undefined;
  };
  return {
    read,
    zero: () => null,
    *inPieces(value, context) {
      const { inPieces } = variantOf(value) ?? {};
      return inPieces === undefined ? read(value, context) : yield* inPieces(value, context);
    },
  };
}
