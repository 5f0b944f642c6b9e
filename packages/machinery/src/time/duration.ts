const unitNanos: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const MAX_NANOS = 2n ** 63n - 1n;
const part = /(\d{0,20})(?:\.(\d{0,30}))?(ns|us|µs|μs|ms|s|m|h)/y;

/** Nanoseconds of one `1.5h`: fractions below a nanosecond are dropped. */
function partNanos(whole: string, fraction: string, unit: string): bigint {
  const scale = unitNanos[unit] ?? 0n;
  const fractionNanos = fraction === '' ? 0n : (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  return BigInt(whole || '0') * scale + fractionNanos;
}

/**
 * Reads a Go-style duration in nanoseconds: `1h5m`, `1.5s`, `-300ms`, `0`. Undefined when it is not one, or beyond
 * 64 bits.
 */
export function parseDuration(text: string): bigint | undefined {
  if (text.length > 128) return undefined;
  const negative = text.startsWith('-');
  const body = /^[+-]/.test(text) ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '') return undefined;
  let total = 0n;
  const expression = new RegExp(part);
  while (expression.lastIndex < body.length) {
    const found = expression.exec(body);
    if (found === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = found;
    if (whole === '' && fraction === '') return undefined;
    total += partNanos(whole, fraction, unit);
    if (total > MAX_NANOS) return undefined;
  }
  return negative ? -total : total;
}

const HOUR = unitNanos['h'] ?? 0n;
/** Names of units by the nanoseconds of one: those that a unit must equal, and one that it may begin with. */
const namedUnits: readonly (readonly [names: readonly string[], prefix: string, nanos: bigint])[] = [
  [['ns'], 'nano', 1n],
  [['us', 'µs'], 'micro', 1_000n],
  [['ms'], 'milli', 1_000_000n],
  [['s'], 'sec', 1_000_000_000n],
  [['m'], 'min', 60_000_000_000n],
  [['h', 'hr'], 'hour', HOUR],
  [['d'], 'day', 24n * HOUR],
  [['w', 'wk'], 'week', 168n * HOUR],
];

const nanosOfUnit = (unit: string): bigint | undefined =>
  namedUnits.find(([names, prefix]) => names.includes(unit) || unit.startsWith(prefix))?.[2];

const MAX_COUNT_DIGITS = 19;

/**
 * Reads a string of the format `duration` of a schema in nanoseconds: a Go-style duration, or all numbers with the name of
 * a unit that the text contains (`1d`, `2 weeks 1 hr`, `P1D`). Returns undefined if it is neither. A sum beyond 64 bits wraps
 * around, as in other servers of this API.
 */
export function parseNamedDuration(text: string): bigint | undefined {
  const exact = parseDuration(text);
  if (exact !== undefined) return exact;
  let total: bigint | undefined;
  for (const [, count = '', name = ''] of text.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)) {
    const digits = count.replace(/^0+/, '');
    if (digits.length > MAX_COUNT_DIGITS || BigInt(digits) > MAX_NANOS) return undefined;
    const nanos = nanosOfUnit(name.toLowerCase());
    if (nanos !== undefined) total = BigInt.asIntN(64, (total ?? 0n) + BigInt(digits) * nanos);
  }
  return total;
}

/** As `parseDuration`, in milliseconds with a fraction: for flags and timers. */
export function durationMs(text: string): number | undefined {
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : Number(nanos) / 1e6;
}

/** A fraction without trailing zeros: `1500000` of 10^6 → `1.5`. */
function decimal(value: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const fraction = (value % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return `${value / unit}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Writes nanoseconds as Go does: `1m30s`, `1.5s`, `100ms`, `2µs`, `0s`. */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const value = nanos < 0n ? -nanos : nanos;
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${decimal(value, 3)}µs`;
  if (value < 1_000_000_000n) return `${sign}${decimal(value, 6)}ms`;
  const minutes = value / 60_000_000_000n;
  const seconds = `${decimal(value % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** Writes milliseconds as Go does. */
export const formatDurationMs = (ms: number): string => formatDuration(BigInt(Math.round(ms * 1e6)));
