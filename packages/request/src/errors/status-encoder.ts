import { findKind } from '@orch/apis';
import { ApiError, type Names, type Status } from '@orch/machinery';
import { writeCbor } from '@orch/machinery/cbor';
import { encodeYaml } from '@orch/machinery/yaml';
import { protobufCodec } from '@orch/schema';
import { Negotiator, type Representation, type ServedFormats, writeProtobuf } from '../negotiation/index.ts';

/** A Status in a format other than JSON. */
export interface EncodedStatus {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Encodes a Status as the client accepts it; undefined for JSON. */
export type StatusEncoder = (status: Status, accept: string | undefined) => EncodedStatus | undefined;

/**
 * Encodes error replies (facts: errorBody) independently of the formats of the resource; JSON when the client accepts
 * none of the others.
 */
export function statusEncoder(names: Names, formats: ServedFormats): StatusEncoder {
  const negotiator = new Negotiator(names, formats);
  const schema = findKind('meta', 'v1', 'Status')?.schema;
  if (schema === undefined) throw new TypeError('there is no kind Status');
  const codec = protobufCodec(schema, names);
  return (status, accept) => {
    const { encoding, headers } = negotiated(negotiator, accept);
    const contentType = headers['Content-Type'];
    switch (encoding) {
      case 'json':
        return undefined;
      case 'yaml':
        return { contentType, body: Buffer.from(encodeYaml(status)) };
      case 'protobuf':
        return { contentType, body: writeProtobuf({ ...status }, codec) };
      case 'cbor':
        return { contentType, body: writeCbor(status) };
    }
  };
}

function negotiated(negotiator: Negotiator, accept: string | undefined): Representation {
  try {
    return negotiator.negotiate(accept, 'plain');
  } catch (error) {
    if (error instanceof ApiError) return negotiator.negotiate(undefined, 'plain');
    throw error;
  }
}
