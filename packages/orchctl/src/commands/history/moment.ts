import { durationMs, formatTime } from '@orch/machinery/time';
import { UsageError } from '@orch/program/flags';

/**
 * A moment of a flag as the server reads it: a resourceVersion, a time, or a duration before now. Throws a UsageError for other
 * texts.
 */
export function momentOf(flag: string, text: string, nowMs: number): string {
  if (/^[1-9]\d*$/.test(text)) return text;
  const before = durationMs(text);
  if (before !== undefined && before > 0) return formatTime(nowMs - before);
  const time = Date.parse(text);
  if (/^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(time)) return new Date(time).toISOString();
  throw new UsageError(
    `--${flag} must be a resourceVersion, a time such as 2024-05-01T12:00:00Z, or a duration before now such as 10m, not ${JSON.stringify(text)}`,
  );
}
