import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readClientConfig, systemEnv } from '@orch/client';
import type { FuzzTarget } from '../target.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-client-config-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const env = systemEnv();
const file = join(folder, 'config');

/** A client configuration is read, or refused with a ConfigError; its contexts too. */
export const target: FuzzTarget = {
  seeds: [
    'apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts:\n- name: c\n  context: {cluster: k, user: u, namespace: n}\nclusters:\n- name: k\n  cluster: {server: "https://a:6443", insecure-skip-tls-verify: true}\nusers:\n- name: u\n  user: {token: t}\n',
    '{"kind":"Config","contexts":[{"name":"c","context":{"cluster":"k","user":"u"}}],"clusters":[{"name":"k","cluster":{"server":"http://[::1]:80/p","certificate-authority-data":"AAAA","proxy-url":"socks5://x"}}],"users":[{"name":"u","user":{"client-certificate-data":"AAAA","client-key-data":"AAAA"}}],"current-context":"c"}',
    'users:\n- name: u\n  user:\n    username: a\n    password: b\n    as: c\n    as-groups: [d]\n    exec: {command: e, apiVersion: f, args: [g], env: [{name: h, value: i}]}\n',
  ],
  words: [
    'current-context',
    'certificate-authority-data: ',
    'tls-server-name: ',
    'auth-provider: ',
    'exec: ',
    'server: ',
  ],
  async check(data) {
    writeFileSync(file, data);
    try {
      const config = await readClientConfig({
        ...{
          env,
          files: [file],
          environment: {},
          pluginPolicy: () => Promise.reject(new ConfigError('no plugins')),
        },
      });
      for (const { name } of [{ name: undefined }, ...config.contexts]) config.settings({ context: name });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
    }
  },
};
