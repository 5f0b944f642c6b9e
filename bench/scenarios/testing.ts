import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext } from '../lib/context.ts';
import { envtestStart } from '../lib/envtest.ts';
import { againstFloor, type BenchResult } from '../lib/measure.ts';
import type { PlaneCosts } from '../lib/test-plane-program.ts';

const root = join(import.meta.dirname, '..', '..');
const program = join(import.meta.dirname, '..', 'lib', 'test-plane-program.ts');

/** The part of what envtest takes that a control plane of the testing package may take. */
const ENVTEST_FACTOR = 0.5;

/** Imports of the published packages, and the control plane of tests: CPU time and memory of new processes. */
export async function testing(context: BenchContext): Promise<readonly BenchResult[]> {
  const packages = join(context.folder, 'packages');
  execFileSync(process.execPath, [join(root, 'scripts', 'packages.ts'), '--output', packages], { cwd: root });
  linkClient(context.folder, packages);
  const { import: client } = await costsOf('import', join(packages, 'client'));
  const { import: kit } = await costsOf('import', join(packages, 'testing'));
  const plane = await costsOf('planes', join(packages, 'testing'));
  const pair = await costsOf('pair', join(packages, 'testing'));
  return [
    cpu('import of the client package', client, 40),
    cpu('import of the testing package', kit, 150),
    cpu('first control plane of a test process', plane['first'], 1000),
    cpu('second control plane of a test process, once the first one rests', plane['second'], 150),
    cpu('two control planes of a new test process at once', pair['pair'], 1150),
    {
      what: 'control plane of a test, resident memory',
      unit: 'MiB',
      value: given(plane['memoryMiB']),
      target: 120,
    },
    cpu('100 tests with a reset and a write each', plane['tests'], 5000),
    cpu('a namespace made and removed in a test, without a port', plane['namespace'], 5),
    cpu('fork at 10,000 objects', plane['fork'], 10),
    cpu('first reset at 10,000 objects, once controllers rest', plane['firstReset'], 10),
    cpu('reset of ten changes at 10,000 objects', plane['reset'], 10),
    ...(await besideEnvtest(plane)),
  ];
}

/** The first control plane of a process beside the programs of envtest, which is of Go. */
async function besideEnvtest(plane: PlaneCosts): Promise<readonly BenchResult[]> {
  const envtest = await envtestStart();
  if (typeof envtest === 'string') {
    process.stderr.write(`testing: the start of envtest is not measured: ${envtest}\n`);
    return [];
  }
  const row = (what: string, unit: string, value: number | undefined, floor: number): BenchResult =>
    againstFloor(`control plane of a test, relative to envtest: ${what}`, unit, {
      value: given(value),
      floor,
      factor: ENVTEST_FACTOR,
    });
  return [
    row('time until it is ready', 'ms', plane['firstWall'], envtest.wallMs),
    row('CPU until it is ready', 'ms', plane['first'], envtest.cpuMs),
    row('resident memory', 'MiB', plane['memoryMiB'], envtest.memoryMiB),
  ];
}

const cpu = (what: string, value: number | undefined, target: number): BenchResult => ({
  what: `${what}, CPU`,
  unit: 'ms',
  value: given(value),
  target,
  onReference: true,
});

function given(value: number | undefined): number {
  if (value === undefined) throw new Error('the program did not send all costs');
  return value;
}

/** The testing package finds the client package as in a project that has installed both. */
function linkClient(folder: string, packages: string): void {
  const manifest = readFileSync(join(packages, 'client', 'package.json'), 'utf8');
  const { name } = JSON.parse(manifest) as { readonly name: string };
  const at = join(folder, 'node_modules', name);
  mkdirSync(join(at, '..'), { recursive: true });
  symlinkSync(join(packages, 'client'), at);
}

async function costsOf(what: 'import' | 'planes' | 'pair', folder: string): Promise<PlaneCosts> {
  const child = fork(program, [what, folder], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const ended = new AbortController();
  child.once('exit', (code) => ended.abort(new Error(`the program ended with exit code ${code}`)));
  const [costs] = (await once(child, 'message', { signal: ended.signal })) as [PlaneCosts];
  return costs;
}
