import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findKubectls } from '@orch/testkit';
import { type BenchContext, type Subject, withBody } from '../lib/context.ts';
import { againstFloor, type BenchResult } from '../lib/measure.ts';
import { configMapOf } from '../lib/pods.ts';
import { childCpuMillis, peakRssSoFar } from '../lib/proc.ts';
import { drive } from '../lib/raw-client.ts';

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'dist', 'orchctl.cjs');

/** Processes of each command, in turns. */
const STARTS = 30;
const APPLIES = 3;
const APPLIED = 500;
const WATCHED = 10_000;
/** As many objects as one page of a list. */
const FEW = 500;

/** The same request with the modules of Node alone: what a program that runs on Node needs at least. */
const BARE_REQUEST = `
  const { url, ...tls } = JSON.parse(require('node:fs').readFileSync(process.env.REQUEST, 'utf8'));
  require('node:https').get(url, { ...tls, agent: false }, (response) => {
    if (response.statusCode !== 200) process.exitCode = 1;
    response.resume();
  });`;

/** A command line, and where it finds its configuration and keeps its caches. */
interface Caller {
  readonly argv: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** The command-line client beside Node alone, and beside kubectl where there is one. */
export async function orchctl(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  const kubectl = (await findKubectls(root)).at(-1);
  const home = join(context.folder, 'home');
  mkdirSync(home, { recursive: true });
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    KUBECONFIG: subject.server.adminConfig,
  };
  const own = (...argv: readonly string[]): Caller => ({
    argv: [process.execPath, program, ...argv],
    environment,
  });
  const other = (...argv: readonly string[]): Caller | undefined =>
    kubectl && { argv: [kubectl.path, ...argv], environment };
  return [
    ...starts(own, other, bareRequest(subject, join(context.folder, 'request.json'))),
    ...applies(context.folder, own, other),
    await watch(subject, own('get', 'configmaps', '--watch', '--namespace=default')),
  ];
}

type Callers<T = Caller | undefined> = (...argv: readonly string[]) => T;

function bareRequest({ server: { config } }: Subject, file: string): Caller {
  const [ca, cert, key] = [config.ca, config.cert, config.key].map(String);
  const url = `${config.server}/api/v1/namespaces/default/pods?limit=500`;
  writeFileSync(file, JSON.stringify({ url, ca, cert, key }));
  return { argv: [process.execPath, '-e', BARE_REQUEST], environment: { REQUEST: file } };
}

function starts(own: Callers<Caller>, other: Callers, request: Caller): readonly BenchResult[] {
  const node: Caller = { argv: [process.execPath, '-e', '0'], environment: {} };
  const get = ['get', 'pods', '--namespace=default'];
  // The first command of both keeps what the server serves.
  cpuOf(1, [own(...get), other(...get)]);
  const [bare = 0, bareRequest = 0, version = 0, pods = 0, ofKubectl] = cpuOf(STARTS, [
    node,
    request,
    own('version', '--client'),
    own(...get),
    other(...get),
  ]);
  return [
    againstFloor('orchctl version of the client', 'ms CPU', {
      value: version,
      floor: bare,
      factor: 1.5,
      note: 'floor: node -e 0',
    }),
    {
      what: 'orchctl get pods',
      unit: 'ms CPU',
      value: pods,
      floor: bare,
      ratio: pods / bare,
      target: bare + 200,
      allowance: 200,
      note: 'floor: node -e 0; the target is the floor and 200 ms of the reference machine',
    },
    ...(ofKubectl === undefined
      ? []
      : [
          againstFloor('orchctl get pods, beside kubectl', 'ms CPU', {
            value: pods,
            floor: ofKubectl,
            factor: 1,
            note: `Node alone with one HTTPS request: ${bareRequest.toFixed(1)} ms`,
          }),
        ]),
  ];
}

function applies(folder: string, own: Callers<Caller>, other: Callers): readonly BenchResult[] {
  const file = join(folder, 'applied.json');
  const items = Array.from({ length: APPLIED }, (_, index) => configMapOf(`applied-${index}`));
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const remove = own('delete', '-f', file, '--wait=false');
  const apply = (caller: Caller | undefined): number | undefined => {
    const ms = caller && run(caller).wallMs;
    run(remove);
    return ms;
  };
  const times = Array.from({ length: APPLIES }, () => [
    apply(own('apply', '-f', file)),
    apply(other('apply', '--server-side', '-f', file)),
  ]);
  const least = (column: 0 | 1): number | undefined =>
    times[0]?.[column] === undefined ? undefined : Math.min(...times.map((one) => one[column] ?? 0));
  const [value = 0, floor] = [least(0), least(1)];
  if (floor === undefined) return [];
  const what = `orchctl apply of ${APPLIED} objects, beside server-side kubectl apply`;
  return [
    againstFloor(what, 'ms', {
      value,
      floor,
      factor: 1,
      note: '16 in flight; the fastest of three, in turns',
    }),
  ];
}

/** The CPU of each command in milliseconds, in the order given: the mean of several turns. */
function cpuOf(turns: number, callers: readonly (Caller | undefined)[]): readonly (number | undefined)[] {
  const totals = callers.map((caller): number | undefined => caller && 0);
  for (let turn = 0; turn < turns; turn += 1)
    for (const [index, caller] of callers.entries())
      if (caller !== undefined) totals[index] = (totals[index] ?? 0) + run(caller).cpuMs;
  return totals.map((total) => total && total / turns);
}

function run({ argv: [command = '', ...argv], environment }: Caller): { cpuMs: number; wallMs: number } {
  const cpuBefore = childCpuMillis();
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(command, argv, { env: environment, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')}: ${stderr}`);
  return {
    cpuMs: childCpuMillis() - cpuBefore,
    wallMs: Number(process.hrtime.bigint() - started) / 1e6,
  };
}

/** The peak memory of a watch that prints many objects, beside one that prints few. */
async function watch(subject: Subject, caller: Caller): Promise<BenchResult> {
  await seed(subject, 0, FEW);
  const few = await peakOf(caller, FEW);
  await seed(subject, FEW, WATCHED);
  const many = await peakOf(caller, WATCHED);
  return againstFloor(`orchctl watch of ${WATCHED} objects: peak RSS`, 'MiB', {
    value: many / 2 ** 20,
    floor: few / 2 ** 20,
    factor: 1.5,
    note: `floor: the same watch of ${FEW} objects`,
  });
}

async function seed(subject: Subject, first: number, end: number): Promise<void> {
  let next = first;
  const statuses = await drive(subject.target, 16, () =>
    next < end
      ? withBody(
          'POST',
          '/api/v1/namespaces/default/configmaps',
          JSON.stringify(configMapOf(`watched-${next++}`)),
        )
      : undefined,
  );
  if (statuses.get(201) !== end - first) throw new Error(`seeding: ${JSON.stringify([...statuses])}`);
}

async function peakOf(
  { argv: [command = '', ...argv], environment }: Caller,
  objects: number,
): Promise<number> {
  const child = spawn(command, argv, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) lines += 1;
    if (lines >= objects) break;
  }
  const peak = peakRssSoFar(child.pid ?? 0);
  child.kill();
  return peak;
}
