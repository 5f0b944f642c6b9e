import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { emptyProject, programsIn, widgetDefinition } from './project.ts';

const project = await emptyProject({ others: ['vitest@4', 'jest@30'] });
const skip = 'missing' in project ? project.missing : false;

/** A test that is started by a test runs as one of its files otherwise. */
const outside = { NODE_TEST_CONTEXT: undefined };

describe('adapters of test runners in an empty project', { skip, timeout: 900_000 }, () => {
  if ('missing' in project) return;
  const testing = project.nameOf('testing');
  const client = project.nameOf('client');
  /** The same test twice, which creates an object: the second one would fail with the state of the first. */
  const twice = (call: string): string => `
for (const title of ['first', 'second'])
  ${call}`;
  const create = `
    const client = createClient(plane.config);
    const { configmaps } = builtinResources(client.names).core.v1;
    await client.resource(configmaps, 'default').create({ metadata: { name: 'once' } });
`;
  const page = join(project.package(testing), 'README.md');
  const environment = programsIn(page, 'js').find((text) => text.includes('TestEnvironment')) ?? '';

  before(() =>
    project.write({
      'node/a.test.mjs': `
import { builtinResources, createClient } from '${client}';
import { controlPlaneTests } from '${testing}/node-test';
const test = controlPlaneTests({ controllers: false });${twice(`test(title, async (plane) => {${create}});`)}`,
      'vitest/a.test.js': `
import { builtinResources, createClient } from '${client}';
import { controlPlaneFixtures } from '${testing}/vitest';
import { test as base } from 'vitest';
const test = base.extend(controlPlaneFixtures({ controllers: false }));${twice(
        `test(title, { timeout: 300_000 }, async ({ plane }) => {${create}});`,
      )}`,
      'jest/a.test.cjs': `
const { builtinResources, createClient } = require('${client}');
const { useControlPlane } = require('${testing}/jest');
const current = useControlPlane({ controllers: false, fresh: 'reset' });${twice(
        `test(title, async () => { const plane = current();${create}}, 300_000);`,
      )}`,
      'jest/environment.cjs': environment,
    }),
  );
  after(() => project[Symbol.dispose]());

  const bin = (file: string): string => join(project.folder, 'node_modules', file);
  it('the testing package has its commands and starts a control plane where it is the only one that is installed', async () => {
    const alone = await emptyProject({ sources: ['testing'] });
    assert.ok(!('missing' in alone));
    using _ = alone;
    const start = `import { startControlPlane } from '${testing}';
const plane = await startControlPlane({ controllers: false });
console.log(plane.configFile !== '');
await plane.stop();`;
    alone.write({ 'start.mjs': start, 'widgets.json': JSON.stringify(widgetDefinition()) });
    for (const [args, output] of [
      [['node_modules/.bin/orch', '--version'], /^orch dev /],
      // A program with custom resources uses the client package.
      [
        ['node_modules/.bin/orch-types', 'widgets.json'],
        new RegExp(`^import type .* from '${client}';$`, 'm'),
      ],
      [['start.mjs'], /^true$/m],
    ] as const) {
      const { code, stdout, stderr } = await alone.run(process.execPath, args);
      assert.equal(code, 0, stderr);
      assert.match(stdout, output);
    }
  });

  const runners: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['node:test', ['--test', 'node/a.test.mjs'], /^. pass 2$/m],
    ['vitest', [bin('vitest/vitest.mjs'), 'run', '--no-color', '--dir', 'vitest'], /Tests +2 passed/],
    [
      'jest',
      [bin('jest/bin/jest.js'), '--testMatch', '**/jest/*.test.cjs', '--env', './jest/environment.cjs'],
      /Tests: +2 passed/,
    ],
  ];
  for (const [name, args, expected] of runners)
    it(`two tests of ${name} get a control plane each`, async () => {
      const { stdout, stderr } = await project.run(process.execPath, [...args], outside);
      assert.match(stdout + stderr, expected);
    });
});
