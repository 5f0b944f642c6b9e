import { isJsonObject } from '@orch/machinery/json';
import { resolveRef, type Schema, type UnionSchema } from '../schema.ts';
import { readMessage, type WireCodec } from './wire-codec.ts';

/** The codec of objects or items, created on first use, since unions are recursive. */
function lazyCodec(
  ref: UnionSchema['object'],
  codecOf: (schema: Schema) => WireCodec,
): (() => WireCodec) | undefined {
  const schema = ref?.schema;
  if (schema === undefined) return undefined;
  let codec: WireCodec | undefined;
  return () => {
    codec ??= codecOf(resolveRef(schema));
    return codec;
  };
}

/** A value of several variants: a message with a field for each of them (facts: JSONSchemaPropsOrBool and its siblings). */
export function unionCodec(
  { object, list, bool }: UnionSchema,
  codecOf: (schema: Schema) => WireCodec,
): WireCodec {
  const objectCodec = lazyCodec(object, codecOf);
  const itemCodec = lazyCodec(list, codecOf);
  return {
    wireType: 2,
    zero: null,
    read(reader, before) {
      let found: unknown = isJsonObject(before) ? before : undefined;
      const items: unknown[] = Array.isArray(before) ? before : [];
      let on = before === true;
      readMessage(reader, (num, wireType) => {
        if (num === object?.num && objectCodec !== undefined) {
          reader.expect(wireType, objectCodec().wireType);
          found = objectCodec().read(reader, found);
        } else if (num === list?.num && itemCodec !== undefined) {
          reader.expect(wireType, itemCodec().wireType);
          items.push(itemCodec().read(reader, undefined));
        } else if (num === bool?.num) {
          reader.expect(wireType, 0);
          on = reader.bool();
        } else return false;
        return true;
      });
      if (found !== undefined) return found;
      if (items.length > 0) return items;
      return bool === undefined ? null : on;
    },
    write(writer, num, value) {
      const start = writer.open(num);
      // The flag has the smallest number wherever there is one, and fields go in ascending order.
      if (bool !== undefined) writer.bool(bool.num, value !== false && value !== null);
      if (Array.isArray(value)) {
        if (itemCodec !== undefined && list !== undefined)
          for (const item of value) itemCodec().write(writer, list.num, item ?? itemCodec().zero);
      } else if (isJsonObject(value) && objectCodec !== undefined && object !== undefined) {
        objectCodec().write(writer, object.num, value);
      }
      writer.close(start);
    },
  };
}
