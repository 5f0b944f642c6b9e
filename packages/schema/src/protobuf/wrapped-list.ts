import { readMessage, type WireCodec } from './wire-codec.ts';

/**
 * A list where Protobuf allows none, as the value of a map or an item of a list, or one declared so: a message with the
 * items in its field 1.
 */
export function wrappedListCodec(items: () => WireCodec): WireCodec {
  return {
    wireType: 2,
    zero: null,
    read(reader, before) {
      const list: unknown[] = Array.isArray(before) ? before : [];
      const codec = items();
      readMessage(reader, (num, wireType) => {
        if (num !== 1) return false;
        reader.expect(wireType, codec.wireType);
        list.push(codec.read(reader, undefined));
        return true;
      });
      return list;
    },
    write(writer, num, value) {
      const codec = items();
      const start = writer.open(num);
      if (Array.isArray(value)) for (const item of value) codec.write(writer, 1, item ?? codec.zero);
      writer.close(start);
    },
  };
}
