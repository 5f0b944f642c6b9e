import { isJsonObject } from '@orch/machinery';
import { resolveRef, type Schema, type UnionSchema } from '../schema.ts';
import { type Form, readMessage } from './wire-codec.ts';

/** The form of objects or items, made on first use, since unions occur within what they hold. */
function lazyForm(ref: UnionSchema['object'], formOf: (schema: Schema) => Form): (() => Form) | undefined {
  const schema = ref?.schema;
  if (schema === undefined) return undefined;
  let form: Form | undefined;
  return () => {
    form ??= formOf(resolveRef(schema));
    return form;
  };
}

/** A value of several forms: a message with a field for each of them (facts: JSONSchemaPropsOrBool and its siblings). */
export function unionForm({ object, list, bool }: UnionSchema, formOf: (schema: Schema) => Form): Form {
  const objectForm = lazyForm(object, formOf);
  const itemForm = lazyForm(list, formOf);
  return {
    wireType: 2,
    zero: null,
    read(reader, before) {
      let found: unknown = isJsonObject(before) ? before : undefined;
      const items: unknown[] = Array.isArray(before) ? before : [];
      let on = before === true;
      readMessage(reader, (num, wireType) => {
        if (num === object?.num && objectForm !== undefined) {
          reader.expect(wireType, objectForm().wireType);
          found = objectForm().read(reader, found);
        } else if (num === list?.num && itemForm !== undefined) {
          reader.expect(wireType, itemForm().wireType);
          items.push(itemForm().read(reader, undefined));
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
        if (itemForm !== undefined && list !== undefined)
          for (const item of value) itemForm().write(writer, list.num, item ?? itemForm().zero);
      } else if (isJsonObject(value) && objectForm !== undefined && object !== undefined) {
        objectForm().write(writer, object.num, value);
      }
      writer.close(start);
    },
  };
}
