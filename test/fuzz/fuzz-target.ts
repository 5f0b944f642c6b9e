import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { bundleTarget } from './bundle-target.ts';
import { readInputs, writeInputs } from './corpus.ts';
import { type FuzzTarget, seedsOf } from './target.ts';
import { loadTarget, type TargetName } from './targets/index.ts';

const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'fuzz');

/** Maximum length of an input. A cost that is not linear shows in some kilobytes. */
const MAX_INPUT_BYTES = 4096;
/** Time for one input, after which the fuzzer ends. */
const INPUT_SECONDS = 25;
/** Time beyond that of the run, for the start and for the kept inputs. */
const START_SECONDS = 300;
/** Inputs of one target in the repository, in total. */
const KEPT_BYTES = 24 * 1024;

export interface FuzzOptions {
  readonly command: readonly string[];
  readonly seconds: number;
  readonly seed: string | undefined;
  /** Replaces the inputs in the repository. */
  readonly update: boolean;
}

interface Crash {
  /** In base64. */
  readonly input: string;
  readonly message: string;
}

export interface TargetReport {
  readonly name: TargetName;
  readonly seconds: number;
  readonly runs: number;
  /** Places of the code that inputs reached. */
  readonly coverage: number;
  /** Inputs that reach what no shorter one reaches. */
  readonly kept: number;
  readonly crashes: readonly Crash[];
}

/** The words as the fuzzer reads them: a quoted string for each line. */
const dictionary = (words: readonly string[]): string =>
  words
    .map(
      (word) =>
        `"${[...Buffer.from(word)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"\n`,
    )
    .join('');

const isAsync = ({ check }: FuzzTarget): boolean => check.constructor.name === 'AsyncFunction';

/** Runs the fuzzer over one target. Inputs that break a promise are kept in the repository. */
export async function fuzzTarget(name: TargetName, options: FuzzOptions): Promise<TargetReport> {
  const target = await loadTarget(name);
  const folder = join(cache, name);
  const [corpus, found] = [join(folder, 'corpus'), join(folder, 'found')];
  rmSync(found, { recursive: true, force: true });
  for (const one of [corpus, found]) mkdirSync(one, { recursive: true });
  const inputs = [...(await seedsOf(target)), ...readInputs('corpus', name)];
  inputs.forEach((input, i) => {
    writeFileSync(join(corpus, `kept-${i}`), input);
  });
  writeFileSync(join(folder, 'words'), dictionary(target.words ?? []));

  const started = Date.now();
  const log = join(folder, 'log');
  await runFuzzer(
    log,
    [
      ...options.command,
      ...[await bundleTarget(name, folder), '-i', `${name}.cjs`, '--disableBugDetectors', '.*'],
      ...(isAsync(target) ? [] : ['--sync']),
      ...[corpus, '--', `-max_total_time=${options.seconds}`, `-max_len=${MAX_INPUT_BYTES}`],
      ...[`-dict=${join(folder, 'words')}`, `-artifact_prefix=${found}/`, `-timeout=${INPUT_SECONDS}`],
      ...(options.seed === undefined ? [] : [`-seed=${options.seed}`]),
    ],
    (options.seconds + START_SECONDS) * 1000,
  );
  const output = readFileSync(log, 'latin1');
  if (options.update) writeInputs('corpus', name, shortest(corpus));
  const crashes = keepCrashes(name, found, output);
  const [, runs = '0', coverage = '0', kept = '0'] =
    [...output.matchAll(/^#(\d+)\s.*?cov: (\d+) ft: \d+ corp: (\d+)/gm)].at(-1) ?? [];
  if (runs === '0' && crashes.length === 0)
    throw new Error(`the fuzzer did not run ${name}; its output is in ${log}`);
  return {
    name,
    seconds: Math.round((Date.now() - started) / 1000),
    ...{ runs: Number(runs), coverage: Number(coverage), kept: Number(kept), crashes },
  };
}

async function runFuzzer(
  log: string,
  [program = '', ...args]: readonly string[],
  timeout: number,
): Promise<void> {
  const output = createWriteStream(log);
  const child = spawn(program, args, { timeout, killSignal: 'SIGKILL', stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject).on('close', () => resolve());
  });
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  await ended;
  output.end();
  await finished(output);
}

/** The shortest inputs of a folder, up to the bytes that the repository keeps. */
function shortest(folder: string): readonly Buffer[] {
  const all = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
  all.sort((a, b) => a.length - b.length || Buffer.compare(a, b));
  const kept: Buffer[] = [];
  let bytes = 0;
  for (const input of all) {
    bytes += input.length;
    if (bytes > KEPT_BYTES) break;
    kept.push(input);
  }
  return kept;
}

/** Adds the inputs that broke a promise to those in the repository. */
function keepCrashes(name: TargetName, folder: string, output: string): readonly Crash[] {
  const inputs = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
  if (inputs.length > 0) writeInputs('crashes', name, [...readInputs('crashes', name), ...inputs]);
  const message =
    /^==\d+== (?:ERROR: |Uncaught Exception: )?(.*)$/m.exec(output)?.[1] ?? 'the fuzzer stopped';
  return inputs.map((input) => ({ input: input.toString('base64'), message }));
}
