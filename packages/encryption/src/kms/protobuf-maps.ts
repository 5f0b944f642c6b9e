import { ProtoError, ProtoReader, type ProtoWriter } from '@orch/storage/grpc';

/** Values of a plugin that are needed to decrypt, by names that are domain names. */
export type Annotations = ReadonlyMap<string, Buffer>;

/** A field of the type `map<string, bytes>`. */
export function writeAnnotations(writer: ProtoWriter, field: number, annotations: Annotations): void {
  for (const [key, value] of [...annotations].reverse()) {
    const mark = writer.mark();
    if (value.length > 0) writer.bytes(2, value);
    writer.string(1, key);
    writer.nested(field, mark);
  }
}

/** One entry of such a field, whose tag was read. */
export function readAnnotation(bytes: Buffer): readonly [string, Buffer] {
  const reader = new ProtoReader(bytes);
  let key = '';
  let value: Buffer = Buffer.alloc(0);
  while (reader.more()) {
    const tag = reader.tag();
    if (tag === 0x0a) key = reader.string();
    else if (tag === 0x12) value = reader.bytes();
    else reader.skip();
  }
  if (key === '') throw new ProtoError('an annotation without a name');
  return [key, value];
}
