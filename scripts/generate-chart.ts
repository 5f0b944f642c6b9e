/**
 * Writes the schema of the values of the Helm chart, and their lists in its README, from the commented `values.yaml`. With `--check`
 * it writes nothing and fails when files are out of date.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commentedValues } from './chart/commented-values.ts';
import { withLists } from './chart/values-list.ts';
import { valuesSchema } from './chart/values-schema.ts';
import { update } from './generated-files.ts';

const folder = 'charts/orch';
const path = join(import.meta.dirname, '..', folder);
const read = (name: string): string => readFileSync(join(path, name), 'utf8');

const values = commentedValues(read('values.yaml'));
const files = new Map([
  ['README.md', withLists(read('README.md'), values)],
  ['values.schema.json', valuesSchema(values)],
]);
const handWritten = new Set(readdirSync(path).filter((name) => !files.has(name)));

update([{ folder, files, handWritten }], `${folder}/values.yaml`);
