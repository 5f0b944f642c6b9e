import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { packageTools } from '@orch/testkit/package-tools';
import { programsOf, writeCustomTypes } from './programs.ts';
import { unpackedProject } from './project.ts';

const root = join(import.meta.dirname, '..', '..');
const tools = await packageTools();
const project = await unpackedProject(tools);
const programs = programsOf(project);
const skip = 'missing' in tools ? tools.missing : false;

describe('the declarations of the packages', { skip, timeout: 900_000 }, () => {
  before(async () => {
    project.write(named(programs.modules, '.mts'));
    project.write(named(programs.commons, '.cts'));
    await writeCustomTypes(project);
  });
  after(() => project[Symbol.dispose]());

  const compilerOf = (version: string): readonly string[] => {
    if (version === 'own') return [join(root, 'node_modules', '.bin', 'tsc')];
    return [process.execPath, 'paths' in tools ? (tools.paths[`typescript-${version}`] ?? '') : ''];
  };

  /** Compilers with the ways in which they resolve modules, and `exactOptionalPropertyTypes`. */
  for (const [version, resolution, exact] of [
    ['5.4', 'node16', true],
    ['5.9', 'bundler', false],
    ['6.0', 'node16', false],
    ['own', 'nodenext', true],
  ] as const)
    it(`programs compile with TypeScript ${version} and the resolution ${resolution}`, async () => {
      const isBundled = resolution === 'bundler';
      const flags = ['--strict', '--noEmit', '--target', 'es2022'];
      flags.push('--module', isBundled ? 'esnext' : resolution, '--moduleResolution', resolution);
      // The libraries of a compiler are not those of the packages.
      flags.push('--skipLibCheck', 'false', '--skipDefaultLibCheck');
      flags.push('--exactOptionalPropertyTypes', String(exact));
      const files = [
        ...Object.keys(named(programs.modules, '.mts')),
        ...(isBundled ? [] : Object.keys(named(programs.commons, '.cts'))),
        ...globSync('types/*.ts', { cwd: project.folder }),
      ];
      const [program = '', ...first] = compilerOf(version);
      const { code, stdout } = await project.run(program, [...first, ...flags, ...files]);
      assert.equal(`${code} ${stdout}`, '0 ');
    });
});

const named = (texts: Readonly<Record<string, string>>, ending: string): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name + ending, text]));
