import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = join(import.meta.dirname, '..', '..', 'packages', 'apis', 'src');

/** The decoded lines of each fixture with a name beside the kinds, such as `observed-defaults`. */
export const fixtureLines = <T>(name: string): readonly (readonly T[])[] =>
  globSync(`**/*${name}.fixture.jsonl`, { cwd: sources })
    .sort()
    .map((file) =>
      readFileSync(join(sources, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as T),
    );
