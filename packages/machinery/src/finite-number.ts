/** The bounds of a number that a caller gives. */
export interface NumberBounds {
  readonly least?: number;
  /** The number must be greater than this. */
  readonly above?: number;
}

/**
 * A number from a caller, such as a delay or a period. Throws a TypeError for another type, and a RangeError for NaN,
 * infinities and a number out of bounds; both start with the name.
 */
export function finiteNumber(name: string, value: unknown, { least, above }: NumberBounds = {}): number {
  if (typeof value !== 'number') throw new TypeError(`${name}: must be a number, not ${typeof value}`);
  if (!Number.isFinite(value)) throw new RangeError(`${name}: must be a finite number, not ${value}`);
  if (least !== undefined && value < least)
    throw new RangeError(`${name}: must be at least ${least}, not ${value}`);
  if (above !== undefined && value <= above)
    throw new RangeError(`${name}: must be greater than ${above}, not ${value}`);
  return value;
}

/** Checks the options that are given, by their names. Throws as `finiteNumber`. */
export function checkFiniteOptions<O extends object>(
  options: O,
  names: readonly (keyof O & string)[],
  bounds?: NumberBounds,
): void {
  for (const name of names) if (options[name] !== undefined) finiteNumber(name, options[name], bounds);
}
