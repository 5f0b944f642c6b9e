import { UsageError } from '@orch/program';

/** Reads `--feature-gates`: what was said of each gate, the last word counts. Throws `UsageError`. */
export function readFeatureGates(words: readonly string[]): ReadonlyMap<string, boolean> {
  const gates = new Map<string, boolean>();
  for (const word of words) {
    const match = /^([A-Za-z][A-Za-z0-9]*)=(true|false)$/.exec(word);
    if (match === null) {
      throw new UsageError(
        `invalid value ${JSON.stringify(word)} for --feature-gates: must be Name=true or Name=false`,
      );
    }
    gates.set(match[1] ?? '', match[2] === 'true');
  }
  return gates;
}
