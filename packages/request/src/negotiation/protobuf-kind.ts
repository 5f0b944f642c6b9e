import { errors } from '@orch/machinery';
import {
  EnvelopeWriter,
  messageField,
  openEnvelope,
  type ProtobufCodec,
  ProtobufError,
  type Remarks,
} from '@orch/schema';

/** A kind with a Protobuf encoding (spec 2.7, 4.7): every built-in one. */
export interface ProtobufKind {
  readonly mediaType: string;
  readonly kind: string;
  /** Kinds with the same schema share their messages. */
  readonly schemaName: string;
  readonly codec: ProtobufCodec;
}

/**
 * Decodes a Protobuf body to the equivalent JSON value, not yet validated (400 for a malformed body).
 * An envelope of another kind yields its kind and version only, by which callers refuse it.
 */
export function readProtobuf(
  bytes: Buffer,
  { kind, codec }: ProtobufKind,
  remarks?: Remarks,
): Record<string, unknown> {
  if (bytes.length === 0) throw errors.malformedRequest('the request has no body');
  try {
    const envelope = openEnvelope(bytes);
    const typeMeta = {
      ...(envelope.kind === '' ? {} : { kind: envelope.kind }),
      ...(envelope.apiVersion === '' ? {} : { apiVersion: envelope.apiVersion }),
    };
    if (envelope.kind !== '' && envelope.kind !== kind) return typeMeta;
    return { ...typeMeta, ...codec.decode(envelope.raw, remarks) };
  } catch (cause) {
    if (cause instanceof ProtobufError)
      throw errors.badRequest(
        `the request body cannot be read as Protobuf: ${cause.message}`,
        'the request body cannot be read as Protobuf',
      );
    throw cause;
  }
}

/** Encodes an object in an envelope with its kind and apiVersion. */
export function writeProtobuf(object: Readonly<Record<string, unknown>>, codec: ProtobufCodec): Buffer {
  const { kind = '', apiVersion = '' } = object;
  return new EnvelopeWriter(String(kind), String(apiVersion)).wrap(messageField(codec, object));
}
