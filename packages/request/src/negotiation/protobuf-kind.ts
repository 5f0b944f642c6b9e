import { errors } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
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
export const readProtobuf = (
  bytes: Buffer,
  kind: ProtobufKind,
  remarks?: Remarks,
): Record<string, unknown> => {
  const content = contentOf(bytes, kind);
  if (content.raw === undefined) return content.typeMeta;
  try {
    return { ...content.typeMeta, ...kind.codec.decode(content.raw, remarks) };
  } catch (cause) {
    throw asBadRequest(cause);
  }
};

/** Like `readProtobuf`, in pieces. */
export function* readProtobufInPieces(
  bytes: Buffer,
  kind: ProtobufKind,
  remarks?: Remarks,
): Work<Record<string, unknown>> {
  const content = contentOf(bytes, kind);
  if (content.raw === undefined) return content.typeMeta;
  try {
    return { ...content.typeMeta, ...(yield* kind.codec.decodeInPieces(content.raw, remarks)) };
  } catch (cause) {
    throw asBadRequest(cause);
  }
}

/** Kind and version of a body, and the message in it; undefined for one of another kind. */
interface Content {
  readonly typeMeta: Record<string, unknown>;
  readonly raw: Buffer | undefined;
}

function contentOf(bytes: Buffer, { kind }: ProtobufKind): Content {
  if (bytes.length === 0) throw errors.malformedRequest('the request has no body');
  try {
    const envelope = openEnvelope(bytes);
    const typeMeta = {
      ...(envelope.kind === '' ? {} : { kind: envelope.kind }),
      ...(envelope.apiVersion === '' ? {} : { apiVersion: envelope.apiVersion }),
    };
    const isOther = envelope.kind !== '' && envelope.kind !== kind;
    return { typeMeta, raw: isOther ? undefined : envelope.raw };
  } catch (cause) {
    throw asBadRequest(cause);
  }
}

const asBadRequest = (cause: unknown): unknown =>
  cause instanceof ProtobufError
    ? errors.badRequest(
        `the request body cannot be read as Protobuf: ${cause.message}`,
        'the request body cannot be read as Protobuf',
      )
    : cause;

/** Encodes an object in an envelope with its kind and apiVersion. */
export function writeProtobuf(object: Readonly<Record<string, unknown>>, codec: ProtobufCodec): Buffer {
  const { kind = '', apiVersion = '' } = object;
  return new EnvelopeWriter(String(kind), String(apiVersion)).wrap(messageField(codec, object));
}
