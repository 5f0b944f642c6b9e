import {
  canonicalMicroTime,
  canonicalTime,
  formatDuration,
  parseDuration,
  ZERO_TIME,
} from '@orch/machinery/time';

/** RFC 3339 in any offset → UTC with seconds; `null` for the zero instant, undefined when it is not a time. */
export function readTime(text: string): string | null | undefined {
  const canonical = canonicalTime(text);
  return canonical === ZERO_TIME ? null : canonical;
}

/** The zero instant as a MicroTime. */
const zeroMicroTime = '0001-01-01T00:00:00.000000Z';

/** As `readTime`, with exactly six digits after the point on both sides. */
export function readMicroTime(text: string): string | null | undefined {
  const canonical = canonicalMicroTime(text);
  return canonical === zeroMicroTime ? null : canonical;
}

/** A duration in its canonical text; undefined when it is not one. */
export function readDuration(text: string): string | undefined {
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : formatDuration(nanos);
}
