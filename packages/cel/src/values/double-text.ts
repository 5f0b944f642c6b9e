/**
 * A double with the fewest digits that identify it, with an exponent of at least two digits where the number is below
 * 10^-4 or has more than `wholeDigits` digits before the point.
 */
export function formatDouble(value: number, wholeDigits: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < wholeDigits) return plain(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Without an exponent, regardless of the size. */
export function plain(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [digits = '', exponentText = '0'] = text.split('e');
  const exponent = Number(exponentText);
  const negative = digits.startsWith('-');
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const shifted =
    exponent < 0
      ? `0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`
      : `${whole}${fraction}${'0'.repeat(Math.max(0, exponent - fraction.length))}`;
  return negative ? `-${shifted}` : shifted;
}

/** With this many digits after the point. Rounds exactly, halves to the even digit, which `toFixed` does not. */
export function fixedPoint(value: number, digits: number): string {
  // A double is a whole number divided by a power of two.
  let scale = 0n;
  let rest = Math.abs(value);
  while (!Number.isInteger(rest)) {
    rest *= 2;
    scale++;
  }
  const numerator = BigInt(rest) * 10n ** BigInt(digits);
  const denominator = 1n << scale;
  const whole = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && whole % 2n === 1n);
  const text = (up ? whole + 1n : whole).toString().padStart(digits + 1, '0');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
