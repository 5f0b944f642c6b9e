import { ownBytes, protobufMagic } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { ProtobufError } from './protobuf-error.ts';
import { ProtobufReader } from './reader.ts';
import { readMessage } from './wire-codec.ts';
import { ProtobufWriter, varintSize } from './writer.ts';

/** The wrapper of a Protobuf body: `runtime.Unknown` behind four fixed bytes (spec 2.7). */
export interface Envelope {
  /** Empty when the envelope has none. */
  readonly kind: string;
  readonly apiVersion: string;
  /** The message of the object. */
  readonly raw: Buffer;
}

const magic = Buffer.from(protobufMagic);

/** Fields of `Unknown` and `TypeMeta`. */
const TYPE_META = 1;
const RAW = 2;
const CONTENT_ENCODING = 3;
const CONTENT_TYPE = 4;
const API_VERSION = 1;
const KIND = 2;

/** Reports whether bytes begin as an envelope does; no JSON text does. */
export const isEnvelope = (bytes: Buffer): boolean =>
  bytes.length >= magic.length && bytes.compare(magic, 0, magic.length, 0, magic.length) === 0;

/** Opens the envelope of untrusted bytes; `raw` is a view of them. Throws a `ProtobufError`. */
export function openEnvelope(bytes: Buffer): Envelope {
  if (!isEnvelope(bytes)) {
    throw new ProtobufError(`it does not begin with the bytes ${protobufMagic.join(' ')}`);
  }
  const reader = new ProtobufReader(bytes.subarray(magic.length));
  const found = { kind: '', apiVersion: '', raw: bytes.subarray(0, 0), contentEncoding: '' };
  while (reader.more()) {
    const tag = reader.tag();
    const num = tag >>> 3;
    if (num > CONTENT_TYPE) {
      reader.skip(tag);
      continue;
    }
    reader.expect(tag & 7, 2);
    if (num === TYPE_META) readTypeMeta(reader, found);
    else if (num === RAW) found.raw = reader.view();
    else if (num === CONTENT_ENCODING) found.contentEncoding = reader.string();
    else reader.string();
  }
  if (found.contentEncoding !== '') {
    throw new ProtobufError(
      `its content encoding ${JSON.stringify(found.contentEncoding.slice(0, 64))} is unknown`,
    );
  }
  const { kind, apiVersion, raw } = found;
  return { kind, apiVersion, raw };
}

function readTypeMeta(reader: ProtobufReader, found: { kind: string; apiVersion: string }): void {
  readMessage(reader, (num, wireType) => {
    if (num !== API_VERSION && num !== KIND) return false;
    reader.expect(wireType, 2);
    if (num === KIND) found.kind = reader.string();
    else found.apiVersion = reader.string();
    return true;
  });
}

/**
 * The bytes around the message of one kind. The message is a field of the envelope with the same number and type as an
 * item of a list (2, bytes), so that the encoding of one serves for the other.
 */
export class EnvelopeWriter {
  /** Up to the field with the message. */
  readonly prefix: Buffer;

  constructor(kind: string, apiVersion: string) {
    const writer = new ProtobufWriter(128);
    writer.message(TYPE_META, () => {
      writer.string(API_VERSION, apiVersion);
      writer.string(KIND, kind);
    });
    this.prefix = ownBytes(Buffer.concat([magic, writer.finish()]));
  }

  /** After the message: no content encoding, no content type. */
  get suffix(): Buffer {
    return envelopeSuffix;
  }

  /** An envelope around a field that `messageField` made. */
  wrap(field: Buffer): Buffer {
    return Buffer.concat([this.prefix, field, envelopeSuffix]);
  }

  /** The bytes before a message of `size` bytes that is written in pieces; `suffix` ends it. */
  head(size: number): Buffer {
    return Buffer.concat([this.prefix, fieldHead(RAW, size)]);
  }
}

const envelopeSuffix = Buffer.from([CONTENT_ENCODING * 8 + 2, 0, CONTENT_TYPE * 8 + 2, 0]);

/** Writes an object as a field of the message that `writer` writes. */
export interface MessageWriter {
  write(writer: ProtobufWriter, num: number, value: Readonly<Record<string, unknown>>): void;
  /** Like `write`, in pieces. */
  writeInPieces(writer: ProtobufWriter, num: number, value: Readonly<Record<string, unknown>>): Work<void>;
}

/** The message of an object as the field that an envelope, and a list, holds it in. */
export function messageField(codec: MessageWriter, value: Readonly<Record<string, unknown>>): Buffer {
  const writer = new ProtobufWriter();
  codec.write(writer, RAW, value);
  return writer.finish();
}

/** Like `messageField`, in pieces. */
export function* messageFieldInPieces(
  codec: MessageWriter,
  value: Readonly<Record<string, unknown>>,
): Work<Buffer> {
  const writer = new ProtobufWriter();
  yield* codec.writeInPieces(writer, RAW, value);
  return writer.finish();
}

/** Tag and length of a field of wire type 2 with `size` bytes; `num` is below 16. */
export function fieldHead(num: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(1 + varintSize(size));
  bytes[0] = num * 8 + 2;
  let rest = size;
  for (let at = 1; at < bytes.length; at++) {
    bytes[at] = at === bytes.length - 1 ? rest : (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  return bytes;
}
