/**
 * Writes the source of validators as a text, from which `orch-types` copies the declarations that a generated module needs:
 * `scripts/node scripts/generate-validator-text.ts`. With `--check` it writes nothing and fails when the file is out of date.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { update } from './generated-files.ts';

const folder = 'packages/client/src/custom-types/runtime';
const sources = ['formats.ts', 'validation.ts'];

const text = sources
  .map((name) => readFileSync(join(import.meta.dirname, '..', folder, name), 'utf8'))
  .join('\n')
  .replace(/^import .*\n+/gm, '');

const file = `// Generated from the other files of this folder by scripts/generate-validator-text.ts: \`make fix\`.

/** The source of validators. */
export const sourceText = \`${text.replace(/[\\`]|\$\{/g, '\\$&')}\`;
`;

update(
  [{ folder, files: new Map([['source-text.ts', file]]), handWritten: new Set(sources) }],
  'the other files of the folder',
);
