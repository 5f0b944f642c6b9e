import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { compile } from '@orch/cel';
import type { BenchContext } from '../lib/context.ts';
import { adversarial, environment, longestPiece, self } from '../lib/expressions/adversarial.ts';
import type { BenchResult } from '../lib/measure.ts';

const WARM_UP = 4000;
const PER_ROUND = 300;
const ROUNDS = 60;
/** Number of evaluations of an expression that takes milliseconds. */
const LONG_ROUNDS = 8;
/** Number of processes for each first evaluation. */
const PROCESSES = 3;

/** CPU of this process for one call of `run`, in µs: that of the best of many short rounds. */
function cpuOf(run: () => unknown, { rounds = ROUNDS, perRound = PER_ROUND, warmUp = WARM_UP } = {}): number {
  for (let i = 0; i < warmUp; i += 1) run();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage();
    for (let i = 0; i < perRound; i += 1) run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  return best / perRound;
}

function evaluation(source: string, target: number, note: string): BenchResult {
  const program = compile(source, environment);
  const value = cpuOf(() => program.evaluate({ self }));
  return { what: `expression: \`${source}\``, unit: 'µs CPU', value, target, onReference: true, note };
}

const now = (): number => performance.now();

const lowest = (measure: () => number): number =>
  Math.min(...Array.from({ length: LONG_ROUNDS }, () => measure()));

/** Maximum time for which an expression blocks the thread. */
function longest(): BenchResult {
  const times = adversarial.map((source) => {
    const program = compile(source, environment);
    return lowest(() => longestPiece(program, now));
  });
  return {
    what: 'expression: longest piece of those that run into the limit',
    unit: 'ms',
    value: Math.max(...times),
    target: 10,
    onReference: true,
    note: `${adversarial.length} adversarial expressions, the best of ${LONG_ROUNDS} evaluations of each`,
  };
}

/** As `longest`, before anything is optimized. */
function longestFirst(): BenchResult {
  const file = join(import.meta.dirname, '../lib/expressions/first-evaluation.ts');
  const once = (index: number): number =>
    Number(
      execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', file, String(index)], {
        timeout: 60_000,
      }),
    );
  const times = adversarial.map((_, index) =>
    Math.min(...Array.from({ length: PROCESSES }, () => once(index))),
  );
  return {
    what: 'expression: longest piece of the first evaluation in a process',
    unit: 'ms',
    value: Math.max(...times),
    target: 10,
    onReference: true,
    note: `${adversarial.length} adversarial expressions, the best of ${PROCESSES} processes for each`,
  };
}

function compilation(): BenchResult {
  const source = "has(self.name) ? self.name.startsWith('a') && self.list.all(x, x.name.size() < 63) : true";
  return {
    what: 'expression: parse, check and estimate',
    unit: 'µs CPU',
    value: cpuOf(() => compile(source, environment).estimateCost(), { perRound: 100 }),
    target: 60,
    onReference: true,
    note: `${source.length} characters`,
  };
}

/** Validation rules: the cost of an evaluation, a compilation and the worst expression. */
export async function cel(_context: BenchContext): Promise<readonly BenchResult[]> {
  return [
    evaluation('self.minReplicas <= self.maxReplicas', 0.3, 'two ints'),
    evaluation("self.list.all(x, x.name.startsWith('a'))", 2, 'ten objects'),
    evaluation("self.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')", 5, '22 characters'),
    compilation(),
    longest(),
    longestFirst(),
  ];
}
