import { type Profiler, Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '..', '..');

/** The functions that took part in a piece of work, by source file relative to the repository. */
export type Walk = ReadonlyMap<string, ReadonlySet<string>>;

/** Counts calls of the functions of this process, as V8 counts them. Only its thread is seen. */
export class CallCoverage implements Disposable {
  readonly #session: Session;

  private constructor(session: Session) {
    this.#session = session;
  }

  static async start(): Promise<CallCoverage> {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return new CallCoverage(session);
  }

  /** The functions of packages that `work` called. */
  async during(work: () => Promise<void>): Promise<Walk> {
    await this.#taken();
    await work();
    return new Map((await this.#taken()).flatMap(calledFunctions));
  }

  /**
   * As `during`, for the functions that every one of several rounds called: timers and caches that take part now and then
   * do not count.
   */
  async always(rounds: number, work: (round: number) => Promise<void>): Promise<Walk> {
    let common = await this.during(() => work(0));
    for (let round = 1; round < rounds; round++)
      common = inBoth(common, await this.during(() => work(round)));
    return common;
  }

  /** Reading the counts resets them. */
  async #taken(): Promise<readonly Profiler.ScriptCoverage[]> {
    return (await this.#session.post('Profiler.takePreciseCoverage')).result;
  }

  [Symbol.dispose](): void {
    this.#session.disconnect();
  }
}

const isSource = (file: string): boolean =>
  /^packages\/[^/]+\/src\//.test(file) && !file.includes('/testing/');

function calledFunctions({
  url,
  functions,
}: Profiler.ScriptCoverage): readonly (readonly [string, ReadonlySet<string>])[] {
  if (!url.startsWith('file:')) return [];
  const file = relative(root, fileURLToPath(url));
  if (!isSource(file) || file.startsWith('packages/testkit/')) return [];
  const called = functions.filter(isCalled).map(nameOf);
  return called.length === 0 ? [] : [[file, new Set(called)]];
}

/** The function at offset 0 is the module itself. */
const isCalled = ({ ranges }: Profiler.FunctionCoverage): boolean =>
  ranges.some(({ count, startOffset }) => count > 0 && startOffset > 0);

const nameOf = ({ functionName, ranges }: Profiler.FunctionCoverage): string =>
  `${functionName}@${ranges[0]?.startOffset}`;

/** The functions that both walks call. */
const inBoth = (one: Walk, other: Walk): Walk =>
  new Map(
    [...one]
      .map(
        ([file, called]) =>
          [file, new Set([...called].filter((each) => other.get(file)?.has(each)))] as const,
      )
      .filter(([, called]) => called.size > 0),
  );

/** The files of `one` that `other` does not pass. */
export const filesBeyond = (one: Walk, other: Walk): Walk =>
  new Map([...one].filter(([file]) => !other.has(file)));
