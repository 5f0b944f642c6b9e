import { existsSync, readFileSync } from 'node:fs';
import type { Names } from '@orch/machinery';
import { systemClock } from '@orch/machinery/env';
import { files } from '../../../config/testing/files.ts';
import type { ExecConfig, ExecContext } from '../config.ts';

export const apiVersionOf = (names: Names, version: 'v1' | 'v1beta1' = 'v1'): string =>
  names.apiVersion('clientauthentication', version);

/** Small programs that act as plugins, in a folder that is deleted on disposal. */
export interface Plugins extends Disposable {
  readonly folder: string;
  path(name: string): string;
  write(name: string, content: string): string;
  /** Number of runs of the plugins of this folder. */
  runs(): number;
  /** A JavaScript program with `answer(status)`, `input` (the exec info) and `run`, the number of its run. */
  config(body: string, changes?: Partial<ExecConfig>): ExecConfig;
}

/** The start of every plugin; each run writes a line. */
const prologue = (names: Names, log: string): string => `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(log)}, process.pid + '\\n');
const run = readFileSync(${JSON.stringify(log)}, 'utf8').trim().split('\\n').length;
const input = JSON.parse(process.env.${names.environment.execInfo});
const answer = (status, changes) =>
  process.stdout.write(JSON.stringify({ apiVersion: input.apiVersion, kind: input.kind, status, ...changes }));
`;

export function plugins(names: Names): Plugins {
  const held = files();
  const log = held.path('runs');
  let written = 0;
  return {
    folder: held.folder,
    path: held.path,
    write: held.write,
    runs: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0),
    config: (body, changes = {}) => ({
      command: process.execPath,
      args: [held.write(`plugin-${written++}.mjs`, prologue(names, log) + body)],
      env: [],
      apiVersion: apiVersionOf(names),
      provideClusterInfo: false,
      interactiveMode: 'Never',
      ...changes,
    }),
    [Symbol.dispose]: () => held[Symbol.dispose](),
  };
}

export const contextWith = (names: Names, changes: Partial<ExecContext> = {}): ExecContext => ({
  env: { clock: systemClock },
  names,
  environment: { PATH: process.env['PATH'] },
  hasTerminal: false,
  ...changes,
});
