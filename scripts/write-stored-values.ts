/**
 * Writes the file of stored objects with which tests compare what later versions read and write, and the commit that they were written
 * with: the argument, or the present one. To be run for a release, or when stored bytes change deliberately.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { newStoredValues, storedValuesFile } from '@orch/registry/stored-values';

const [, , revision = 'HEAD'] = process.argv;
const commit = execFileSync('git', ['rev-parse', '--short=12', revision], { encoding: 'utf8' }).trim();
writeFileSync(storedValuesFile, `${JSON.stringify(newStoredValues(commit), undefined, 2)}\n`);
