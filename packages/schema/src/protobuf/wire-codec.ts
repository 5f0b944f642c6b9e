import type { Pace, Work } from '@orch/machinery/concurrency';
import { ProtobufError } from './protobuf-error.ts';
import type { ProtobufReader, WireType } from './reader.ts';
import type { ProtobufWriter } from './writer.ts';

/** Encodes and decodes the JSON values of one schema in Protobuf. */
export interface WireCodec {
  readonly wireType: WireType;
  /** The JSON value of an absent field that Protobuf always writes, and of a map entry without a value. */
  readonly zero: unknown;
  /** Reads a value whose tag was read. `before` is the result of an earlier field of the same number. */
  read(reader: ProtobufReader, before: unknown): unknown;
  /** Like `read`, of a long value, in pieces; absent where a value is not divided. */
  reading?(reader: ProtobufReader, before: unknown): Work<unknown>;
  /** Writes a field; `value` is as `Codec.decode` returns it, or `zero`. */
  write(writer: ProtobufWriter, num: number, value: unknown): void;
  /** Like `write`, of a value with many parts, in pieces; absent where a value is not divided. */
  writing?(writer: ProtobufWriter, num: number, part: PacedPart): Work<void>;
}

/** A value that is written in pieces, and the pace of the work. */
export interface PacedPart {
  readonly value: unknown;
  readonly pace: Pace;
}

/**
 * Reads a small message: `field` gets the number and wire type of each field and returns whether it has read it.
 * Other fields are skipped.
 */
export function readMessage(reader: ProtobufReader, field: (num: number, wireType: number) => boolean): void {
  const outer = reader.enter();
  while (reader.more()) {
    const tag = reader.tag();
    if (!field(tag >>> 3, tag & 7)) reader.skip(tag);
  }
  reader.leave(outer);
}

/** A value that stored JSON should not hold: only damaged data has one. */
export const notWritable = (what: string): ProtobufError =>
  new ProtobufError(`${what} has no Protobuf encoding`);
