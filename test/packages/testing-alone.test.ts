import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { packageTools } from '@orch/testkit/package-tools';
import { transformSync } from 'esbuild';
import { programsIn, unpackedProject } from './project.ts';

const root = join(import.meta.dirname, '..', '..');
const tools = await packageTools();
const project = await unpackedProject(tools, ['testing']);
const name = project.nameOf('testing');
const skip = 'missing' in tools ? tools.missing : false;

/** A test that is started by a test runs as one of its files otherwise. */
const outside = { NODE_TEST_CONTEXT: undefined };

describe(`a project with the package ${name} alone`, { skip, timeout: 900_000 }, () => {
  const [first = ''] = programsIn(join(project.package(name), 'README.md'));

  before(() => {
    const script = (format: 'esm' | 'cjs'): string =>
      transformSync(first, { loader: 'ts', format, target: 'es2022' }).code;
    project.write({
      'first.mts': first,
      'first.cts': first,
      'out/first.mjs': script('esm'),
      'out/first.cjs': script('cjs'),
    });
  });
  after(() => project[Symbol.dispose]());

  it('the project has no other package of the client library', () =>
    assert.equal(existsSync(join(project.folder, 'node_modules', name, '..', 'client')), false));

  for (const file of ['first.mjs', 'first.cjs'])
    it(`the first test of the README passes there as ${file}`, async () => {
      const { stdout, stderr } = await project.run(process.execPath, ['--test', join('out', file)], outside);
      assert.match(stdout, /^. pass 1$/m, stdout + stderr);
    });

  it('the first test of the README compiles there, as a module and in CommonJS', async () => {
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    const flags = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
    const libraries = ['--skipLibCheck', 'false', '--skipDefaultLibCheck'];
    const { code, stdout } = await project.run(compiler, [...flags, ...libraries, 'first.mts', 'first.cts']);
    assert.equal(`${code} ${stdout}`, '0 ');
  });
});
