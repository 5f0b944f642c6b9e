import type { BenchContext } from './context.ts';
import type { BenchResult } from './measure.ts';

/** The parts of a scenario, by name. */
export type Parts = Readonly<Record<string, (context: BenchContext) => Promise<readonly BenchResult[]>>>;

/** Measures the parts of a scenario, one after another; only the one that `PART` names when it is set. */
export async function measureParts(
  scenario: string,
  parts: Parts,
  context: BenchContext,
): Promise<readonly BenchResult[]> {
  const only = process.env['PART'];
  const rows: BenchResult[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue;
    console.error(`bench: ${scenario}, ${name} …`);
    rows.push(...(await part(context)));
  }
  return rows;
}
