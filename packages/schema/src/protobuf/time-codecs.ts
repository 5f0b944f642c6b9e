import { exactInteger } from '@orch/machinery/json';
import {
  formatDuration,
  formatMicroTime,
  formatTime,
  type Instant,
  parseDuration,
  parseTime,
} from '@orch/machinery/time';
import { ProtobufError } from './protobuf-error.ts';
import type { ProtobufReader } from './reader.ts';
import { notWritable, readMessage, type WireCodec } from './wire-codec.ts';

/** Seconds from the year 0 to the end of 9999: the range of RFC 3339. */
const MIN_SECONDS = -62_167_219_200;
const MAX_SECONDS = 253_402_300_799;

/** Reads seconds and nanoseconds; undefined for the empty message, which is the zero instant. */
function readInstant(reader: ProtobufReader): Instant | undefined {
  let seconds = 0;
  let nanos = 0;
  let empty = true;
  readMessage(reader, (num, wireType) => {
    empty = false;
    if (num !== 1 && num !== 2) return false;
    reader.expect(wireType, 0);
    if (num === 1) seconds = Number(exactInteger(reader.int64()));
    else nanos = reader.int32();
    return true;
  });
  if (empty) return undefined;
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS || nanos < 0 || nanos > 999_999_999) {
    throw new ProtobufError('a time outside of the years 0 to 9999');
  }
  return { seconds, nanos };
}

/** `null` is the zero instant: an empty message. */
const instantCodec = (
  format: (instant: Instant) => string,
  nanosOf: (instant: Instant) => number,
): WireCodec => ({
  wireType: 2,
  zero: null,
  read(reader) {
    const instant = readInstant(reader);
    return instant === undefined ? null : format(instant);
  },
  write(writer, num, value) {
    const start = writer.open(num);
    if (value !== null) {
      const instant = parseTime(String(value));
      if (instant === undefined) throw notWritable('text that is not a time');
      writer.int64(1, instant.seconds);
      writer.int64(2, nanosOf(instant));
    }
    writer.close(start);
  },
});

/** `meta.v1.Time`: whole seconds; nanoseconds are written as 0 and ignored when read. */
export const timeCodec: WireCodec = instantCodec(
  ({ seconds }) => formatTime(seconds * 1000),
  () => 0,
);

/** `meta.v1.MicroTime`: nanoseconds hold whole microseconds. */
export const microTimeCodec: WireCodec = instantCodec(
  (instant) => formatMicroTime(instant),
  ({ nanos }) => nanos - (nanos % 1000),
);

/** `meta.v1.Duration`: nanoseconds. */
export const durationCodec: WireCodec = {
  wireType: 2,
  zero: '0s',
  read(reader) {
    let nanos = 0n;
    readMessage(reader, (num, wireType) => {
      if (num !== 1) return false;
      reader.expect(wireType, 0);
      nanos = reader.bigint();
      return true;
    });
    return formatDuration(nanos);
  },
  write(writer, num, value) {
    const nanos = parseDuration(String(value));
    if (nanos === undefined) throw notWritable('text that is not a duration');
    const start = writer.open(num);
    writer.int64(1, nanos);
    writer.close(start);
  },
};
