/**
 * Starts, or forks, and stops many control planes, and sends what remains of them to its parent: `starts COUNT` and `forks COUNT`. Needs
 * `--expose-gc`.
 */
import { readdirSync } from 'node:fs';
import { builtinResources, createClient } from '@orch/client';
import type { ControlPlane } from '../options.ts';
import { startControlPlane } from '../start-control-plane.ts';

/** What remains of the control planes of a process. */
export interface Remains {
  /** Control planes, clients and configurations that are not collected. */
  readonly objects: number;
  /** Active timers, sockets and other resources beyond those of before, by kind, and file descriptors. */
  readonly resources: Readonly<Record<string, number>>;
}

const ROUNDS = 200;
/** The first control planes load code and open files that stay open. */
const WARM = 2;

const [what, count] = process.argv.slice(2);
const seen: WeakRef<object>[] = [];

async function useAndStop(plane: ControlPlane): Promise<void> {
  const client = createClient(plane.config);
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made', namespace: 'default' } };
  const { configmaps } = builtinResources(client.names).core.v1;
  await client.resource(configmaps, 'default').create(map);
  await plane.eventually(map, (found) => found !== undefined);
  await plane.reset();
  await plane.stop();
  for (const object of [plane, client, plane.config]) seen.push(new WeakRef(object));
}

function resources(): Record<string, number> {
  const found: Record<string, number> = { descriptors: readdirSync('/proc/self/fd').length };
  for (const kind of process.getActiveResourcesInfo()) found[kind] = (found[kind] ?? 0) + 1;
  return found;
}

const alive = (): number => seen.filter((one) => one.deref() !== undefined).length;

/** What remains now, beside the resources of `before`. */
function remainsNow(before: Readonly<Record<string, number>>): Remains {
  const more = Object.entries(resources()).map(([kind, n]) => [kind, n - (before[kind] ?? 0)] as const);
  return { objects: alive(), resources: Object.fromEntries(more.filter(([, n]) => n > 0)) };
}

/** Collects until `isEnough`, or for a number of rounds: some work ends in a later iteration of the event loop. */
async function collect(isEnough: () => boolean): Promise<void> {
  for (let round = 0; round < ROUNDS && !isEnough(); round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
}

const isNothing = ({ objects, resources }: Remains): boolean =>
  objects === 0 && Object.keys(resources).length === 0;

/** The first control plane of forks ends with them, and its reserve, so that nothing runs afterwards. */
async function many(times: number): Promise<void> {
  const first = what === 'forks' ? await startControlPlane({ port: false }) : undefined;
  for (let index = 0; index < times; index += 1)
    await useAndStop((await first?.fork()) ?? (await startControlPlane()));
  await first?.stop();
}

await many(WARM);
await collect(() => alive() === 0);
const before = resources();
await many(Number(count));
await collect(() => isNothing(remainsNow(before)));
process.send?.(remainsNow(before));
process.disconnect?.();
