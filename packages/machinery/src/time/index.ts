export {
  durationMs,
  formatDuration,
  formatDurationMs,
  parseDuration,
  parseNamedDuration,
} from './duration.ts';
export { humanAge } from './human-age.ts';
export {
  canonicalMicroTime,
  canonicalTime,
  formatMicroTime,
  formatTime,
  type Instant,
  microTimeOf,
  parseTime,
  timeMs,
  ZERO_TIME,
} from './rfc3339.ts';
