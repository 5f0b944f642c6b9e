import { namesFor } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import type { ConnectionSettings } from '../../transport/connection-settings.ts';
import { type ContextChoice, loadClientConfig } from '../client-config.ts';
import { files } from './files.ts';

export const signal: AbortSignal = new AbortController().signal;
export const server = 'https://one.test:6443';
export const base64 = (text: string): string => Buffer.from(text).toString('base64');

export interface Entries {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
}

/** A file with one context, `here`, of the cluster `one` and the user `ann`. */
export const simple = ({ cluster = {}, user = {}, context = {} }: Entries = {}): string =>
  encodeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'one', user: 'ann', ...context } }],
    clusters: [{ name: 'one', cluster: { server, ...cluster } }],
    users: [{ name: 'ann', user }],
  }).toString();

export const load = (paths: readonly string[], choice: ContextChoice = {}): Promise<ConnectionSettings> =>
  loadClientConfig({
    env: { clock: new FakeClock() },
    names: namesFor('orch'),
    files: paths,
    environment: {},
    ...choice,
  });

/** Loads one file from a folder with other files. */
export async function loadOne(text: string, others: Readonly<Record<string, string>> = {}) {
  using folder = files({ ...others, config: text });
  const settings = await load([folder.path('config')]);
  return { settings, identity: await settings.credentials.current(signal) };
}
