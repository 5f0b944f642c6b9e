import { errors } from '@orch/machinery';
import {
  EnvelopeWriter,
  messageField,
  openEnvelope,
  type ProtobufCodec,
  ProtobufError,
  type Remarks,
} from '@orch/schema';

/** A kind that has a Protobuf form (spec 2.7, 4.7): every built-in one. */
export interface ProtobufKind {
  readonly mediaType: string;
  readonly kind: string;
  /** Kinds with the same schema have the same messages. */
  readonly schemaName: string;
  readonly codec: ProtobufCodec;
}

/**
 * Reads a Protobuf body as the JSON value that stands for it, untrusted still (400 for anything that cannot be read).
 * An envelope of another kind comes out with its kind and version only: whoever expects a kind refuses it by those.
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

/** An object in its envelope. `object` names its kind and apiVersion. */
export function writeProtobuf(object: Readonly<Record<string, unknown>>, codec: ProtobufCodec): Buffer {
  const { kind = '', apiVersion = '' } = object;
  return new EnvelopeWriter(String(kind), String(apiVersion)).wrap(messageField(codec, object));
}
