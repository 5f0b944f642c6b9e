import type { CommandEntry } from '@orch/orchctl';

/** The examples of the help of commands. */
export async function examplesOf(entries: readonly CommandEntry[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { load, commands = [] } of entries) {
    const { examples = [] } = (await load?.()) ?? {};
    lines.push(...examples.map(({ line }) => line), ...(await examplesOf(commands)));
  }
  return lines;
}

/** The arguments of an example, as a shell splits them: blanks separate, single quotes join. Without the name of the program. */
export const exampleArguments = (line: string): readonly string[] =>
  (line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).slice(1).map((word) => word.replaceAll("'", ''));
