import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { encodeYaml } from '@orch/machinery/yaml';
import { type CommandResult, type CommandSurroundings, runCommandLine } from '../testing/index.ts';

const names = namesFor('orch');
const terminal: NonNullable<CommandSurroundings['terminal']> = { onResize: () => () => {}, setRaw: () => {} };

describe('credential plugins of orchctl', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchctl-plugins-'));
  const ran = join(folder, 'ran');
  let server: Server;
  let sent: string[];

  before(async () => {
    server = createServer((request, response) => {
      sent.push(request.headers.authorization ?? '');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"kind":"APIGroupList","apiVersion":"v1","groups":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    sent = [];
    rmSync(ran, { force: true });
    for (const path of ['.orch', '.kube', 'bin', 'evil'])
      rmSync(join(folder, path), { recursive: true, force: true });
    plugin('bin/get-token');
    plugin('evil/get-token');
  });

  const write = (name: string, content: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  /** A plugin whose token is its own folder, and whether it may use the terminal. */
  function plugin(name: string): void {
    const path = write(
      name,
      `#!${process.execPath}
const { writeFileSync } = require('node:fs');
writeFileSync(${JSON.stringify(ran)}, '');
const input = JSON.parse(process.env.${names.environment.execInfo});
const token = [__dirname.split('/').at(-1), input.spec.interactive].join('_');
console.log(JSON.stringify({ ...input, spec: {}, status: { token } }));
`,
    );
    chmodSync(path, 0o755);
  }
  const preferences = (content: object): string =>
    encodeYaml({ apiVersion: 'v1beta1', kind: 'Preference', ...content }).toString();
  const listed = (...entries: object[]): string =>
    preferences({ credentialPluginPolicy: 'Allowlist', credentialPluginAllowlist: entries });
  const allowlist = (...allowed: string[]): string => listed(...allowed.map((name) => ({ name })));

  interface Options {
    readonly exec?: object;
    readonly argv?: readonly string[];
    readonly environment?: Record<string, string>;
    readonly hasTerminal?: boolean;
  }

  /** Sends a request as a user with the plugin. */
  function request({
    exec = {},
    argv = [],
    environment = {},
    hasTerminal = false,
  }: Options = {}): Promise<CommandResult> {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const apiVersion = names.apiVersion('clientauthentication', 'v1');
    const path = write(
      'config',
      encodeYaml({
        'current-context': 'here',
        contexts: [{ name: 'here', context: { cluster: 'one', user: 'ann' } }],
        clusters: [{ name: 'one', cluster: { server: address } }],
        users: [
          {
            name: 'ann',
            user: { exec: { apiVersion, command: 'get-token', interactiveMode: 'Never', ...exec } },
          },
        ],
      }).toString(),
    );
    return runCommandLine(['get', '--raw', '/apis', `--client-config=${path}`, ...argv], {
      folder,
      homeFolder: folder,
      environment: { PATH: join(folder, 'bin'), ...environment },
      ...(hasTerminal && { terminal }),
    });
  }

  const refusals: readonly (readonly [string, string, RegExp])[] = [
    [
      'every plugin under DenyAll',
      preferences({ credentialPluginPolicy: 'DenyAll' }),
      /orchrc is DenyAll\n$/,
    ],
    [
      'a plugin that is not on the list',
      allowlist('other'),
      /is not in credentialPluginAllowlist of \S+orchrc\n$/,
    ],
    [
      'a list with paths relative to a folder',
      allowlist('bin/get-token'),
      /\[0\].name must be a name or an absolute/,
    ],
    [
      'a list with a command relative to a folder',
      listed({ command: 'bin/get-token' }),
      /\[0\].command must be a name or an absolute/,
    ],
    [
      'a list whose entry has two programs',
      listed({ command: 'get-token', name: 'other' }),
      /\[0\] has two programs, as command and as name/,
    ],
    ['a list with an empty entry', listed({}), /\[0\].command must be a name or an absolute/],
    ['an empty list', allowlist(), /credentialPluginAllowlist is empty; no credential plugin is run/],
    [
      'a list without its policy',
      preferences({ credentialPluginAllowlist: [{ name: 'get-token' }] }),
      /is for the credentialPluginPolicy Allowlist; no credential plugin is run/,
    ],
    [
      'an unknown policy',
      preferences({ credentialPluginPolicy: 'Some' }),
      /must be one of AllowAll, DenyAll, Allowlist/,
    ],
    ['preferences of another kind', 'kind: Config\n', /kind must be Preference; no credential plugin is run/],
    ['preferences that are not YAML', 'kind: [\n', /cannot be read, and no credential plugin is run/],
  ];
  for (const [title, content, problem] of refusals)
    it(`no plugin runs and no request is sent: ${title}`, async () => {
      write('.orch/orchrc', content);
      const { status, err } = await request();
      assert.equal(status, 1);
      assert.match(err, problem);
      assert.deepEqual([existsSync(ran), sent], [false, []]);
    });

  it('a plugin on the list runs, by its name in the path and by its absolute path', async () => {
    for (const allowed of ['get-token', join(folder, 'bin', 'get-token')]) {
      write('.orch/orchrc', allowlist(allowed));
      const { err } = await request();
      assert.deepEqual([err, sent.at(-1)], ['', 'Bearer bin_false']);
    }
  });

  it('an entry of the list names its program as command, as name, or as both', async () => {
    for (const entry of [
      { command: 'get-token' },
      { command: join(folder, 'bin', 'get-token') },
      { command: 'get-token', name: 'get-token' },
    ]) {
      write('.orch/orchrc', listed(entry));
      const { err } = await request();
      assert.deepEqual([err, sent.at(-1)], ['', 'Bearer bin_false']);
    }
  });

  it('a path of the client configuration cannot put another program in the place of one on the list', async () => {
    write('.orch/orchrc', allowlist('get-token'));
    const PATH = [join(folder, 'evil'), join(folder, 'bin')].join(delimiter);
    for (const exec of [{ env: [{ name: 'PATH', value: PATH }] }, { command: './evil/get-token' }]) {
      const { err } = await request({ exec });
      assert.match(err, /is not in credentialPluginAllowlist/);
      assert.deepEqual([existsSync(ran), sent], [false, []]);
    }
  });

  it('preferences come from the flag, then the environment of both namings, then the home folder', async () => {
    const deny = write('deny', preferences({ credentialPluginPolicy: 'DenyAll' }));
    const allow = write('allow', preferences({ credentialPluginPolicy: 'AllowAll' }));
    write('.kube/kuberc', preferences({ credentialPluginPolicy: 'DenyAll' }));
    const runs = async (options: Options): Promise<boolean> => (await request(options)).status === 0;
    assert.equal(await runs({}), false);
    assert.equal(await runs({ environment: { KUBERC: allow } }), true);
    assert.equal(await runs({ environment: { KUBERC: allow, ORCHRC: deny } }), false);
    assert.equal(await runs({ environment: { ORCHRC: deny }, argv: ['--kuberc=allow'] }), true);
    assert.equal(await runs({ argv: ['--preferences=off'] }), true);
    assert.equal(await runs({ argv: ['--preferences=missing'] }), false);
    write('.orch/orchrc', preferences({}));
    assert.equal(await runs({}), true);
  });

  for (const [mode, hasTerminal, token] of [
    ['Never', false, 'bin_false'],
    ['Never', true, 'bin_false'],
    ['IfAvailable', false, 'bin_false'],
    ['IfAvailable', true, 'bin_true'],
    ['Always', true, 'bin_true'],
  ] as const)
    it(`a plugin with interactiveMode ${mode} ${token === 'bin_true' ? 'may use' : 'does not use'} standard input that is ${hasTerminal ? 'a' : 'no'} terminal`, async () => {
      const { err } = await request({ exec: { interactiveMode: mode }, hasTerminal });
      assert.deepEqual([err, sent.at(-1)], ['', `Bearer ${token}`]);
    });

  it('a plugin with interactiveMode Always does not run without a terminal', async () => {
    const { status, err } = await request({ exec: { interactiveMode: 'Always' } });
    assert.equal(status, 1);
    assert.match(err, /its interactiveMode is Always, and there is no terminal to read from\n$/);
    assert.deepEqual([existsSync(ran), sent], [false, []]);
  });
});
