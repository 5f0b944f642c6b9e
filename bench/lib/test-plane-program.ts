/**
 * Costs of the published packages in a new process, which sends them to its parent: `import FOLDER` for a package; for the testing package,
 * `planes FOLDER`, and `pair FOLDER` for two starts at once.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ControlPlane, startControlPlane } from '@orch/testing';

/** CPU time in milliseconds, by name; `firstWall`, a duration in milliseconds; and `memoryMiB`. */
export type PlaneCosts = Readonly<Record<string, number>>;

const TESTS = 100;
const NAMESPACES = 100;
const OBJECTS = 10_000;
const CHANGES = 10;
const MIB = 2 ** 20;

const [what, folder = ''] = process.argv.slice(2);
const costs: Record<string, number> = {};

/** CPU time of all threads, divided by a number of repetitions. */
async function cpuMs<T>(name: string, work: () => Promise<T>, times = 1): Promise<T> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  costs[name] = (user + system) / 1000 / times;
  return result;
}

const load = (): Promise<unknown> => import(pathToFileURL(join(folder, 'esm', 'index.js')).href);

interface Testing {
  readonly startControlPlane: typeof startControlPlane;
}

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** Sends a request as the administrator; throws for a failure. */
async function send(
  { config }: ControlPlane,
  method: string,
  target: string,
  object?: object,
): Promise<void> {
  const body = object === undefined ? undefined : Buffer.from(JSON.stringify(object));
  const headers = { 'content-type': 'application/json' };
  const answer = await config.transport.send({ method, target, headers, body }, new AbortController().signal);
  for await (const _ of answer.body);
  if (answer.status >= 300) throw new Error(`${method} ${target}: ${answer.status}`);
}

const maps = '/api/v1/namespaces/default/configmaps';

async function tests(plane: ControlPlane): Promise<void> {
  for (let test = 0; test < TESTS; test += 1) {
    await plane.reset();
    await send(plane, 'POST', maps, configMap('of-a-test'));
  }
}

async function namespaces(plane: ControlPlane, prefix: string): Promise<void> {
  for (let index = 0; index < NAMESPACES; index += 1) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${prefix}-${index}` } };
    await send(plane, 'POST', '/api/v1/namespaces', namespace);
    await send(plane, 'DELETE', `/api/v1/namespaces/${prefix}-${index}`);
    await plane.eventually(namespace, (now) => now === undefined);
  }
}

async function manyObjects(start: typeof startControlPlane): Promise<void> {
  const seed = Array.from({ length: OBJECTS }, (_, index) => configMap(`seed-${index}`));
  await using plane = await start({ seed, forks: 1, port: false });
  const rest = (): Promise<void> => plane.quiescent({ timeoutMs: 60_000 });
  await rest();
  await cpuMs('firstReset', () => plane.reset());
  for (let index = 0; index < CHANGES; index += 1) await send(plane, 'POST', maps, configMap(`new-${index}`));
  await rest();
  await cpuMs('reset', () => plane.reset());
  await rest();
  // Last, since the next fork is made in the background.
  await using _fork = await cpuMs('fork', () => plane.fork());
}

async function planes(): Promise<void> {
  const { startControlPlane: start } = (await load()) as Testing;
  const { rss: before } = process.memoryUsage();
  const started = performance.now();
  await using first = await cpuMs('first', () => start());
  costs['firstWall'] = performance.now() - started;
  costs['memoryMiB'] = (process.memoryUsage().rss - before) / MIB;
  // The controllers of the first one would otherwise do most of the measured work: they start when it is ready.
  await first.reset();
  await (await cpuMs('second', () => start())).stop();
  await cpuMs('tests', () => tests(first));
  await using quick = await start({ port: false });
  await namespaces(quick, 'warm');
  await cpuMs('namespace', () => namespaces(quick, 'made'), NAMESPACES);
  await manyObjects(start);
}

async function pair(): Promise<void> {
  const { startControlPlane: start } = (await load()) as Testing;
  const both = await cpuMs('pair', () => Promise.all([start(), start()]));
  await Promise.all(both.map((plane) => plane.stop()));
}

if (what === 'import') await cpuMs('import', load);
else if (what === 'pair') await pair();
else await planes();
process.send?.(costs);
process.disconnect?.();
