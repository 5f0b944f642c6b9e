import type { Flag, FlagTable } from '@orch/program/flags';
import { globalFlags } from '../global-flags.ts';

/**
 * The flags of a command with the global ones. Flags of the command take precedence over global ones with the same name
 * or short name.
 */
export const commandFlags = (own: FlagTable): FlagTable => ({ ...withoutShorts(own), ...own });

/** The global flags, without short names that a command uses. */
function withoutShorts(own: FlagTable): FlagTable {
  const taken = new Set(Object.values(own).map(({ short }) => short));
  return Object.fromEntries(
    Object.entries<FlagTable[string]>(globalFlags).map(([key, flag]) => {
      if (flag.short === undefined || !taken.has(flag.short)) return [key, flag];
      const { short: _, ...rest } = flag;
      return [key, rest];
    }),
  );
}

/** The flag that a word of a command line names: `--name`, `--name=value`, `-n`. */
export function flagOf(table: FlagTable, word: string): Flag<unknown> | undefined {
  const name = (word.replace(/^--?/, '').split('=', 1)[0] ?? '').replaceAll('_', '-');
  return Object.values(table).find((one) =>
    word.startsWith('--') ? one.name === name || one.alias === name : one.short === name || one.name === name,
  );
}

/** Reports whether the value of a flag is the next argument. */
export function takesValue(table: FlagTable, word: string): boolean {
  const flag = word.includes('=') ? undefined : flagOf(table, word);
  return flag !== undefined && !flag.isSwitch;
}
