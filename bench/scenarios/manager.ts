import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { launchServerProcess, start } from '@orch/testkit';
import type { BenchContext } from '../lib/context.ts';
import type { BenchResult } from '../lib/measure.ts';
import { innermost, rssBytes } from '../lib/proc.ts';

const root = join(import.meta.dirname, '..', '..');
/** Longer than the polling intervals of controllers. */
const IDLE_MS = 65_000;

async function metricsOf(ops: string): Promise<string> {
  return (await fetch(`${ops}/metrics`)).text();
}

/** Requests that a server has answered, except for leases; a watch counts when it ends. */
async function requestsBut(ops: string): Promise<number> {
  return [...(await metricsOf(ops)).matchAll(/^apiserver_request_total\{([^}]*)\} (\d+)$/gm)]
    .filter(([, labels = '']) => !labels.includes('resource="leases"'))
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}

/** Memory and requests of a manager with all controllers when there is no work. */
export async function manager(context: BenchContext): Promise<readonly BenchResult[]> {
  const controllersConfig = join(mkdtempSync(join(context.folder, 'manager-')), 'controllers.conf');
  await using server = await launchServerProcess({
    args: [
      '--authorization-mode=RBAC',
      '--ops-bind-address=127.0.0.1:0',
      `--controller-manager-config=${controllersConfig}`,
    ],
  });
  await using running = start(join(root, 'bin', 'orch-controller-manager'), [
    `--client-config=${controllersConfig}`,
    '--use-service-account-credentials',
    '--ops-bind-address=127.0.0.1:0',
  ]);
  const opsLine = /health and metrics on (http:\S+)/;
  const [, serverOps = ''] = await server.process.waitFor(opsLine, 10_000);
  const [, ops = ''] = await running.waitFor(opsLine, 30_000);
  await running.waitFor(/"controller works"[^\n]*"pv-protection"/, 60_000);
  while (!(await fetch(`${ops}/readyz`)).ok) await pause(100);
  // The work of the start has ended by then.
  await pause(5_000);
  const before = await requestsBut(serverOps);
  await pause(IDLE_MS);
  const asked = (await requestsBut(serverOps)) - before;
  return [
    {
      what: 'idle controller manager, resident memory',
      unit: 'MiB',
      value: rssBytes(innermost(running.child.pid ?? 0)) / 2 ** 20,
      target: 100,
    },
    {
      what: `idle controller manager, requests in ${IDLE_MS / 1000} s except for its lease`,
      unit: '',
      value: asked,
      target: 0,
    },
  ];
}
