const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const;

/** A duration as tables of this API show it: `42s`, `7m`, `3h`, `5d`; from two of a unit on in that unit, and below ten of it with the next smaller one. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const place = units.findIndex(([, size]) => seconds >= 2 * size);
  const unit = units[place];
  if (unit === undefined) return `${seconds}s`;
  const [name, size] = unit;
  const whole = Math.floor(seconds / size);
  const [smaller, smallerSize] = units[place + 1] ?? ['s', 1];
  const rest = Math.floor((seconds - whole * size) / smallerSize);
  return whole < 10 && rest > 0 ? `${whole}${name}${rest}${smaller}` : `${whole}${name}`;
}
