/**
 * Runs simulations in a thread: `node:test` observes each promise of the thread that it runs in, which would take more time
 * than the simulations. A request is a range of seeds or a planted defect, its answer an `Outcome`.
 */
import { parentPort } from 'node:worker_threads';
import { plantedDefects } from './defects/planted-defects.ts';
import { type Result, simulate } from './scenario.ts';
import { type Schedule, scheduleOf } from './schedule/schedule.ts';
import { shrink } from './schedule/shrink.ts';
import { storyOf } from './story.ts';

interface Seeds {
  readonly first: number;
  readonly last: number;
}

export type Request =
  /** Each seed that `twiceEvery` divides runs a second time. */
  | { readonly seeds: Seeds; readonly steps: number; readonly twiceEvery: number }
  | { readonly seeds: Seeds; readonly steps: number; readonly defect: string };

interface Failure {
  readonly seed: number;
  readonly message: string;
  readonly stack: string;
}

/** The first failure of the simulations; undefined when all passed. */
export interface Outcome {
  readonly failure: Failure | undefined;
}

/** The failures of two simulations have the same cause if their messages differ in names and numbers only. */
const causeOf = ({ failure }: Result): string | undefined =>
  failure?.message.split('\n', 1)[0]?.replaceAll(/[a-z]+-\d+|\d+/g, 'N');

/** The failure of a schedule, with the story of the smallest schedule that fails in the same way. */
async function explain(schedule: Schedule, result: Result): Promise<string> {
  const cause = causeOf(result);
  const least = await shrink(schedule, async (smaller) => causeOf(await simulate(smaller)) === cause);
  const { trace, failure } = await simulate(least);
  return `${failure?.message}\n${storyOf(least, trace)}`;
}

async function firstFailure({
  seeds,
  steps,
  twiceEvery,
}: Extract<Request, { twiceEvery: number }>): Promise<Failure | undefined> {
  for (let seed = seeds.first; seed <= seeds.last; seed++) {
    const schedule = scheduleOf(seed, steps);
    const result = await simulate(schedule);
    if (result.failure !== undefined)
      return { seed, message: await explain(schedule, result), stack: result.failure.stack ?? '' };
    if (seed % twiceEvery !== 0) continue;
    const again = await simulate(schedule);
    if (again.hash === result.hash) continue;
    const at = result.trace.findIndex((line, i) => line !== again.trace[i]);
    const message = `its second run differs:\n  ${result.trace[at]}\n  ${again.trace[at]}`;
    return { seed, message, stack: '' };
  }
  return undefined;
}

/** The first seed whose simulation finds a planted defect. */
async function firstFinding({
  defect,
  seeds,
  steps,
}: Extract<Request, { defect: string }>): Promise<Failure | undefined> {
  const planted = plantedDefects.find(({ what }) => what === defect);
  if (planted === undefined) throw new TypeError(`there is no defect ${defect}`);
  for (let seed = seeds.first; seed <= seeds.last; seed++) {
    const { failure } = await simulate(scheduleOf(seed, steps), planted.make());
    if (failure !== undefined) return { seed, message: failure.message, stack: failure.stack ?? '' };
  }
  return undefined;
}

parentPort?.on('message', async (request: Request) => {
  const failure = await ('defect' in request ? firstFinding(request) : firstFailure(request));
  parentPort?.postMessage({ failure } satisfies Outcome);
});
