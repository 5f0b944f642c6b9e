import type { GlobalValues } from '../global-flags.ts';
import type { Io } from '../io.ts';

/** The style of tables. Output that is not a terminal has no width, so that nothing is shortened. */
export interface Style {
  /** The columns that lines fit; undefined for lines of any length. */
  readonly width: number | undefined;
  readonly hasColors: boolean;
}

/**
 * The style of standard output: `--color`, then `NO_COLOR` and `TERM`, then whether it is a terminal. With `--output wide` cells
 * are complete on a terminal, too.
 */
export function styleOf(
  { out, environment }: Pick<Io, 'out' | 'environment'>,
  { color }: Pick<GlobalValues, 'color'>,
  { isWide = false } = {},
): Style {
  const width = isWide ? undefined : out.columns;
  if (color !== 'auto') return { width, hasColors: color === 'always' };
  const isRefused = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  return { width, hasColors: out.columns !== undefined && !isRefused };
}

const codes = { bold: 1, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Color = keyof typeof codes;

export const colored = (text: string, color: Color): string => `\u001b[${codes[color]}m${text}\u001b[0m`;
