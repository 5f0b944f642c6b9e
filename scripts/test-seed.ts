/**
 * Loaded into every test process: property tests use one seed in every run, so that a run that was green stays green.
 * `TEST_SEED=<number>` takes another one, `TEST_SEED=random` a new one for each property; failures print theirs.
 */
import { readFileSync } from 'node:fs';

const given = process.env['TEST_SEED'] ?? '20261122';
const [, file = ''] = process.argv;

/** Loading fast-check takes a moment: files that have nothing to do with it are spared. */
const usesProperties = (path: string): boolean =>
  path.endsWith('.test.ts') && /fast-check|\/testing/.test(readFileSync(path, 'utf8'));

if (given !== 'random' && usesProperties(file)) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(given) });
}
