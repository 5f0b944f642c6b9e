import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { entryPoints } from './entry-points.ts';
import { addressOf } from './module-addresses.ts';

const root = join(import.meta.dirname, '../..');
const importer = pathToFileURL(import.meta.filename).href;

/** The addresses that Node itself finds for imports of this file. */
function addressesOfNode(specifiers: readonly string[]): readonly string[] {
  const program = `const found = ${JSON.stringify(specifiers)}.map((one) => import.meta.resolve(one));
    process.stdout.write(JSON.stringify(found));`;
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' }));
}

describe('addresses of the modules of this checkout', () => {
  it('an import of a test process finds the module that Node itself finds', () => {
    const entries = entryPoints(root).map(([name]) => name);
    ok(entries.length > 40);
    const specifiers = [...entries.filter((name) => !name.includes('*')), './plan.ts', '../test.ts'];
    deepEqual(
      specifiers.map((one) => addressOf(one, importer)),
      addressesOfNode(specifiers),
    );
  });

  it('modules of Node, of dependencies and of other folders are left to Node', () => {
    const ofDependency = pathToFileURL(join(root, 'node_modules/some/main.js')).href;
    equal(addressOf('node:fs', importer), undefined);
    equal(addressOf('fast-check', importer), undefined);
    equal(addressOf('@types/node', importer), undefined);
    equal(addressOf('@orch/kinds/core/v1', importer), undefined);
    equal(addressOf('./data.json', importer), undefined);
    equal(addressOf('./other.ts', ofDependency), undefined);
    equal(addressOf('./other.ts', 'file:///elsewhere/main.ts'), undefined);
    equal(addressOf('./main.ts'), undefined);
  });
});
