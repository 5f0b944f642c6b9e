import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import type { Clock } from '@orch/machinery';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { parseYaml } from '@orch/machinery/yaml';
import { flagValues, splitCommandLine } from '@orch/program';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { runApiServer } from '../run-api-server.ts';
import { settingsOf } from '../settings/settings.ts';
import type { RunningApiServer } from '../start/start-context.ts';

export const settingsOfArguments = (...argv: readonly string[]) =>
  settingsOf(flagValues(apiServerFlags, splitCommandLine(apiServerFlags, argv).given));

export const systemParts = () => ({
  clock: systemClock,
  random: systemRandom,
  log: silentLogger,
  metrics: createMetrics(),
});

export interface Run extends RunningApiServer {
  stop(): Promise<void>;
}

/** Starts a server in this process on a free port, with its files in a folder. */
export const startInProcess = (dir: string, ...argv: readonly string[]): Promise<Run> =>
  startWithClock(dir, systemClock, ...argv);

export async function startWithClock(dir: string, clock: Clock, ...argv: readonly string[]): Promise<Run> {
  const settings = settingsOfArguments(
    '--secure-port=0',
    '--bind-address=127.0.0.1',
    `--cert-dir=${dir}/certs`,
    `--data-dir=${dir}/data`,
    ...argv,
  );
  const stop = new AbortController();
  const ready = Promise.withResolvers<RunningApiServer>();
  const ended = runApiServer(
    settings,
    {
      env: { ...systemParts(), clock },
      droppedLogLines: () => 0,
      verbosity: { level: 0 },
      build: { version: '1', commit: '', date: '' },
      onReady: ready.resolve,
    },
    stop.signal,
  );
  ended.catch(ready.reject);
  return {
    ...(await ready.promise),
    async stop() {
      stop.abort(new Error('test is over'));
      await ended;
    },
  };
}

export interface Identity {
  readonly cert?: string;
  readonly key?: string;
  readonly ca: string;
}

export function adminOf(run: RunningApiServer): Required<Identity> {
  const config = parseYaml(readFileSync(run.adminConfig)) as {
    clusters: { cluster: Record<string, string> }[];
    users: { user: Record<string, string> }[];
  };
  const decoded = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString();
  const user = config.users[0]?.user;
  return {
    ca: decoded(config.clusters[0]?.cluster['certificate-authority-data']),
    cert: decoded(user?.['client-certificate-data']),
    key: decoded(user?.['client-key-data']),
  };
}

export const openRequest = (
  url: string,
  identity: Identity & { agent?: Agent },
  headers = {},
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(url, { ...identity, agent: identity.agent ?? false, headers }, resolve)
      .on('error', reject)
      .end();
  });

export async function get(
  url: string,
  identity: Identity & { agent?: Agent },
  headers = {},
): Promise<{ status: number; text: string }> {
  const response = await openRequest(url, identity, headers);
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, text };
}
