import { approximateNumber, JsonSyntaxError, parseJson } from '@orch/machinery/json';
import type { ScalarType } from '../schema.ts';
import { type Envelope, isEnvelope, openEnvelope } from './envelope.ts';
import { ProtobufError } from './protobuf-error.ts';
import { RawJson } from './raw-json.ts';
import type { ProtobufReader } from './reader.ts';
import { durationCodec, microTimeCodec, timeCodec } from './time-codecs.ts';
import { notWritable, readMessage, type WireCodec } from './wire-codec.ts';

const string: WireCodec = {
  wireType: 2,
  zero: '',
  read: (reader) => reader.string(),
  write(writer, num, value) {
    if (typeof value !== 'string') throw notWritable('text that is not a string');
    writer.string(num, value);
  },
};

const bool: WireCodec = {
  wireType: 0,
  zero: false,
  read: (reader) => reader.bool(),
  write: (writer, num, value) => writer.bool(num, value === true),
};

const int32: WireCodec = {
  wireType: 0,
  zero: 0,
  read: (reader) => reader.int32(),
  write: (writer, num, value) => writer.int64(num, value as number),
};

const int64: WireCodec = { ...int32, read: (reader) => reader.int64() };

const float64: WireCodec = {
  wireType: 1,
  zero: 0,
  read: (reader) => reader.double(),
  write: (writer, num, value) => writer.double(num, approximateNumber(value) ?? Number.NaN),
};

const bytes: WireCodec = {
  wireType: 2,
  zero: '',
  read: (reader) => reader.view().toString('base64'),
  write: (writer, num, value) => writer.bytes(num, Buffer.from(String(value), 'base64')),
};

/** `resource.Quantity`: its text, in a message. */
const quantity: WireCodec = {
  wireType: 2,
  zero: '0',
  read(reader) {
    let text = '0';
    readMessage(reader, (num, wireType) => {
      if (num !== 1) return false;
      reader.expect(wireType, 2);
      text = reader.string();
      return true;
    });
    return text;
  },
  write(writer, num, value) {
    const start = writer.open(num);
    writer.string(1, String(value));
    writer.close(start);
  },
};

const INT = 0;
const STRING = 1;

/** `intstr.IntOrString`: which of the two it is, and both. */
const intOrString: WireCodec = {
  wireType: 2,
  zero: 0,
  read(reader) {
    let type: unknown = INT;
    let number = 0;
    let text = '';
    readMessage(reader, (num, wireType) => {
      if (num < 1 || num > 3) return false;
      reader.expect(wireType, num === 3 ? 2 : 0);
      if (num === 1) type = reader.int64();
      else if (num === 2) number = reader.int32();
      else text = reader.string();
      return true;
    });
    if (type !== INT && type !== STRING) throw new ProtobufError('neither a number nor a string');
    return type === INT ? number : text;
  },
  write(writer, num, value) {
    const isText = typeof value === 'string';
    const start = writer.open(num);
    writer.uint(1, isText ? STRING : INT);
    writer.int64(2, isText ? 0 : (value as number));
    writer.string(3, isText ? value : '');
    writer.close(start);
  },
};

function jsonOf(bytes: Buffer): unknown {
  try {
    return parseJson(bytes, { finite: true });
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new ProtobufError(`no valid JSON: ${error.message}`);
    throw error;
  }
}

/** Reads an object in a separate envelope as its JSON value. */
export type ReadEmbedded = (envelope: Envelope) => unknown;

const refuseEmbedded: ReadEmbedded = ({ apiVersion, kind }) => {
  throw new ProtobufError(
    `no valid JSON: an object of kind ${JSON.stringify(`${apiVersion} ${kind}`)} in Protobuf`,
  );
};

/** The bytes of a `RawExtension`: JSON, or an object in Protobuf behind the same four bytes as a body. */
const rawValue = (raw: Buffer, readEmbedded: ReadEmbedded): unknown => {
  if (raw.length === 0) return null;
  return isEnvelope(raw) ? readEmbedded(openEnvelope(raw)) : jsonOf(raw);
};

const readRaw =
  (readEmbedded: ReadEmbedded) =>
  (reader: ProtobufReader): unknown => {
    let value: unknown = null;
    readMessage(reader, (num, wireType) => {
      if (num !== 1) return false;
      reader.expect(wireType, 2);
      value = rawValue(reader.view(), readEmbedded);
      return true;
    });
    return value;
  };

/** JSON in a message: `runtime.RawExtension`, `FieldsV1`, and the `JSON` of custom resource definitions. */
const json: WireCodec = {
  wireType: 2,
  zero: null,
  read: readRaw(refuseEmbedded),
  write(writer, num, value) {
    const start = writer.open(num);
    if (value instanceof RawJson) writer.bytes(1, value.bytes);
    // Not escaped for HTML: these bytes are for programs only.
    else if (value !== null) writer.string(1, JSON.stringify(value));
    writer.close(start);
  },
};

/** Free-form objects where those in Protobuf can be read too. They are written as JSON, which every reader supports. */
export const embeddingCodec = (readEmbedded: ReadEmbedded): WireCodec => ({
  ...json,
  read: readRaw(readEmbedded),
});

/** The Protobuf encoding of every scalar of the schema language (facts: protoEncoding, time, quantity, intstr). */
export const scalarCodecs: Readonly<Record<ScalarType, WireCodec>> = {
  string,
  bool,
  int32,
  int64,
  float64,
  bytes,
  quantity,
  intOrString,
  time: timeCodec,
  microTime: microTimeCodec,
  duration: durationCodec,
  object: json,
  json,
};
