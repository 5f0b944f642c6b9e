import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { allowed } from './layers.ts';
import { root, sourceFiles } from './source-files.ts';

const files = sourceFiles();
const packages = Object.keys(allowed);

/** The script that runs the tests of a package, as its manifest should have it. */
const scriptOf = (name: string): string => `../../scripts/node ../../scripts/test.ts packages/${name}`;

describe('tests of each package', () => {
  it('every package runs its tests with npm test --workspace', () => {
    const wrong = packages.filter((name) => {
      const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
        readonly scripts?: Readonly<Record<string, string>>;
      };
      return manifest.scripts?.['test'] !== scriptOf(name);
    });
    assert.deepEqual(wrong, []);
  });

  it('the lock file contains every package with its dependencies, which a clean installation compares', () => {
    const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<
        Record<string, { readonly dependencies?: object; readonly resolved?: string }>
      >;
    };
    const outdated = packages.filter((name) => {
      const manifest = JSON.parse(
        readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
      ) as object;
      const dependencies = 'dependencies' in manifest ? manifest.dependencies : undefined;
      return (
        locked[`node_modules/@orch/${name}`]?.resolved !== `packages/${name}` ||
        !isDeepStrictEqual(locked[`packages/${name}`]?.dependencies ?? {}, dependencies ?? {})
      );
    });
    assert.deepEqual(outdated, []);
  });

  it('every package contains tests', () => {
    const tested = new Set(
      files.filter(({ path }) => path.endsWith('.test.ts')).map(({ packageName }) => packageName),
    );
    assert.deepEqual(
      packages.filter((name) => !tested.has(name)),
      [],
    );
  });

  it('tests of the server are in folders of their subjects', () => {
    const flat = files
      .map(({ path }) => path)
      .filter((path) => /^packages\/server\/src\/[^/]+\.test\.ts$/.test(path));
    assert.deepEqual(flat, []);
  });
});
