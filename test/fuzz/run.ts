/** Fuzzes the parsers of input from outside: `make fuzz`, `scripts/node test/fuzz/run.ts --help`. */
import { availableParallelism } from 'node:os';
import { programArguments, refuseArguments } from '@orch/testkit/program-arguments';
import { fuzzTarget, type TargetReport } from './fuzz-target.ts';
import { fuzzerCommand } from './fuzzer-command.ts';
import { type TargetName, targetNames } from './targets/index.ts';

const usage = `make fuzz ARGS='[OPTION …] [TARGET …]'

Runs a coverage-guided fuzzer over each target, or over those named. An input that breaks a promise is added to
test/fuzz/crashes, which make test checks, and the status is 1.

  --seconds=N   time for each target (60)
  --jobs=N      targets at the same time (the cores of this machine)
  --seed=N      start of the random numbers
  --update      replace the inputs in test/fuzz/corpus with those that this run kept

Targets: ${targetNames.join(', ')}
`;

const { values, positionals } = programArguments(usage, {
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
    update: { type: 'boolean', default: false },
  },
});

const isTarget = (name: string): name is TargetName => (targetNames as readonly string[]).includes(name);
const isPositive = (text: string): boolean => /^[1-9]\d{0,6}$/.test(text);

function problem(): string | undefined {
  const unknown = positionals.find((name) => !isTarget(name));
  if (unknown !== undefined) return `${unknown} is not a target; targets are ${targetNames.join(', ')}`;
  const { seconds, jobs, seed = '1' } = values;
  const wrong = Object.entries({ seconds, jobs, seed }).find(([, text]) => !isPositive(text));
  return wrong && `--${wrong[0]} must be an integer from 1 to 9999999`;
}

function line({ name, seconds, runs, coverage, kept, crashes }: TargetReport): string {
  const figures = `${runs} runs in ${seconds} s, ${coverage} points of code, ${kept} inputs kept`;
  return `${crashes.length === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(14)} ${figures}`;
}

function print(report: TargetReport): void {
  console.log(line(report));
  for (const { input, message } of report.crashes) console.log(`  ${message}\n  input (base64): ${input}`);
}

async function main(): Promise<number> {
  const { seconds, seed, update } = values;
  const command = fuzzerCommand();
  const waiting = (positionals.length === 0 ? targetNames : positionals.filter(isTarget)).values();
  let failed = 0;
  const worker = async (): Promise<void> => {
    for (const name of waiting) {
      const report = await fuzzTarget(name, { command, seconds: Number(seconds), seed, update });
      print(report);
      if (report.crashes.length > 0) failed++;
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  return failed === 0 ? 0 : 1;
}

const wrong = problem();
if (wrong !== undefined) refuseArguments(wrong);
process.exitCode = await main();
