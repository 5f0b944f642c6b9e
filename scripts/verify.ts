/**
 * The read-only checks (`make verify`) and, with `--fix`, automatic repairs (`make fix`): formatting and lint, types,
 * architecture, product names, generated files.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const fix = process.argv.includes('--fix');
const tool = (name: string): string => join(root, 'node_modules', '.bin', name);

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const steps: readonly Step[] = [
  {
    name: 'types of kinds',
    command: [process.execPath, 'scripts/generate-kind-types.ts', ...(fix ? [] : ['--check'])],
  },
  {
    name: 'values of the chart',
    command: [process.execPath, 'scripts/generate-chart.ts', ...(fix ? [] : ['--check'])],
  },
  {
    name: 'dashboards and rules',
    command: [process.execPath, 'scripts/generate-monitoring.ts', ...(fix ? [] : ['--check'])],
  },
  {
    name: 'format and lint',
    command: [tool('biome'), 'check', '--error-on-warnings', ...(fix ? ['--write'] : []), '.'],
  },
  // After the formatter, because it copies sources.
  {
    name: 'text of validators',
    command: [process.execPath, 'scripts/generate-validator-text.ts', ...(fix ? [] : ['--check'])],
  },
  { name: 'types', command: [tool('tsc'), '-b', 'tsconfig.json'] },
  { name: 'types of scripts and benchmarks', command: [tool('tsc'), '-p', 'tsconfig.tools.json'] },
  {
    name: 'architecture, names, docs',
    command: [process.execPath, 'scripts/test.ts', 'test/architecture', 'scripts/reference'],
  },
];

let failed = 0;
for (const step of steps) {
  const [program = '', ...args] = step.command;
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed += 1;
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${step.name}${error === undefined ? '' : `: ${error.message}`}`,
  );
}
if (failed > 0) {
  console.error(
    fix
      ? 'some checks need manual changes'
      : "some checks failed; 'make fix' repairs formatting, imports and generated files",
  );
  process.exit(1);
}
