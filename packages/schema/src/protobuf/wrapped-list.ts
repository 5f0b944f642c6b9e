import { type Form, readMessage } from './wire-codec.ts';

/**
 * A list where Protobuf knows none, as the value of a map or an item of a list, and those declared so: a message with
 * the items in its field 1.
 */
export function wrappedListForm(items: () => Form): Form {
  return {
    wireType: 2,
    zero: null,
    read(reader, before) {
      const list: unknown[] = Array.isArray(before) ? before : [];
      const form = items();
      readMessage(reader, (num, wireType) => {
        if (num !== 1) return false;
        reader.expect(wireType, form.wireType);
        list.push(form.read(reader, undefined));
        return true;
      });
      return list;
    },
    write(writer, num, value) {
      const form = items();
      const start = writer.open(num);
      if (Array.isArray(value)) for (const item of value) form.write(writer, 1, item ?? form.zero);
      writer.close(start);
    },
  };
}
