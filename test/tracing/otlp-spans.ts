/** A span of an OTLP request. */
export interface ExportedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
}

const LENGTH_DELIMITED = 2;

/** The values of the length-delimited fields of a Protobuf message, by field number. */
function fieldsOf(message: Buffer): ReadonlyMap<number, readonly Buffer[]> {
  const fields = new Map<number, Buffer[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message.readUInt8(at++);
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const kind = tag & 7;
    if (kind === LENGTH_DELIMITED) {
      const length = varint();
      const values = fields.get(tag >>> 3) ?? [];
      fields.set(tag >>> 3, values);
      values.push(message.subarray(at, at + length));
      at += length;
    } else if (kind === 0) varint();
    else at += kind === 1 ? 8 : 4;
  }
  return fields;
}

const below = (message: Buffer, field: number): readonly Buffer[] => fieldsOf(message).get(field) ?? [];
const first = (message: Buffer, field: number): Buffer => below(message, field)[0] ?? Buffer.alloc(0);

/** The spans of an `ExportTraceServiceRequest`: resource spans, scope spans, spans. */
export const exportedSpans = (request: Buffer): readonly ExportedSpan[] =>
  below(request, 1).flatMap((resourceSpans) => {
    const attribute = below(first(resourceSpans, 1), 1).find((one) =>
      first(one, 1).equals(Buffer.from('service.name')),
    );
    const service = attribute === undefined ? '' : first(first(attribute, 2), 1).toString();
    return below(resourceSpans, 2)
      .flatMap((scopeSpans) => below(scopeSpans, 2))
      .map((span) => ({
        service,
        traceId: first(span, 1).toString('hex'),
        spanId: first(span, 2).toString('hex'),
        parentId: first(span, 4).toString('hex'),
        name: first(span, 5).toString(),
      }));
  });
