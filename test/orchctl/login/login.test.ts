import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { encodeYaml, parseYaml } from '@orch/machinery/yaml';
import { type CommandResult, runCommandLine } from '@orch/orchctl/testing';
import { type LaunchedServer, launchServer, run } from '@orch/testkit';
import { kubectlIn } from '../cluster.ts';
import { clientSecret, type LoginProvider, loginProvider } from './login-provider.ts';
import { browse, load } from './user-agent.ts';

const main = join(import.meta.dirname, '..', '..', '..', 'packages', 'orchctl', 'src', 'main.ts');

describe('orchctl login at a real OpenID Connect provider', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchctl-login-'));
  const path = join(folder, 'config');
  const lines: CommandResult[] = [];
  let provider: LoginProvider;
  let server: LaunchedServer;

  before(async () => {
    provider = await loginProvider();
    writeFileSync(join(folder, 'issuer.crt'), provider.ca);
    writeFileSync(join(folder, 'secret'), `${clientSecret}\n`);
    server = await launchServer({
      naming: 'kubernetes',
      args: [
        '--authorization-mode=RBAC',
        `--oidc-issuer-url=${provider.issuer}`,
        '--oidc-client-id=orch',
        '--oidc-username-claim=sub',
        '--oidc-username-prefix=oidc:',
        `--oidc-ca-file=${join(folder, 'issuer.crt')}`,
      ],
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** A configuration with a context without a user. */
  const writeConfig = (): void => {
    const data = Buffer.from(server.config.ca).toString('base64');
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'here' },
      clusters: [{ name: 'one', cluster: { server: server.url, 'certificate-authority-data': data } }],
      contexts: [{ name: 'here', context: { cluster: 'one' } }],
    };
    writeFileSync(path, `# mine\n${encodeYaml(config)}`, { mode: 0o644 });
  };
  const stored = (): Record<string, string> =>
    (
      parseYaml(readFileSync(path)) as {
        users: { user: Record<string, { config: Record<string, string> }> }[];
      }
    ).users[0]?.user['auth-provider']?.config ?? {};

  /** Runs a command line; `onAddress` gets each address that it prints on standard error. */
  async function orchctl(
    argv: readonly string[],
    onAddress: (url: string) => void = () => {},
    signal = new AbortController().signal,
  ): Promise<CommandResult> {
    const seen = new Set<string>();
    const result = await runCommandLine([...argv, `--client-config=${path}`], {
      folder,
      homeFolder: folder,
      signal,
      onErrorOutput: (text) => {
        for (const [, url = ''] of text.matchAll(/(?:Log in at|[Oo]pen) (https:\S+)(?=\s)/g)) {
          if (seen.has(url)) continue;
          seen.add(url);
          onAddress(url);
        }
      },
    });
    lines.push(result);
    return result;
  }
  const first = (clientId = 'orch'): string[] => [
    ...['login', '--user=ann', `--issuer-url=${provider.issuer}`, `--client-id=${clientId}`],
    '--issuer-ca-file=issuer.crt',
  ];
  const asUser = (url: string): void => void browse(url, { ca: provider.ca, name: 'ann' });
  const loggedIn = async (): Promise<void> => {
    writeConfig();
    const result = await orchctl([...first(), '--method=browser'], asUser);
    assert.deepEqual([result.status, result.out], [0, 'User "ann" logged in.\n'], result.err);
  };

  it('a login in the browser stores tokens that orchctl and kubectl use, in a file of mode 0600', async () => {
    await loggedIn();
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.match(readFileSync(path, 'utf8'), /^# mine\n/);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.lock')),
      [],
    );
    for (const { err } of [
      await orchctl(['get', 'pods']),
      await kubectlIn(folder, ['get', 'pods', `--kubeconfig=${path}`]),
    ])
      assert.match(err, /User "oidc:ann" cannot list/);
  });

  it('a login by device code stores tokens, and needs no flags the next time', async () => {
    await loggedIn();
    const before = stored();
    const seen: string[] = [];
    const result = await orchctl(['login', '--method=device'], (url) => {
      seen.push(url);
      if (url.includes('user_code=')) asUser(url);
    });
    assert.deepEqual([result.status, result.out], [0, 'User "ann" logged in.\n'], result.err);
    assert.match(result.err, /^Open https:\S+ and enter the code [A-Z]{4}-[A-Z]{4}\n/);
    assert.equal(seen.length, 2);
    assert.notEqual(stored()['id-token'], before['id-token']);
    assert.equal(provider.grants.at(-1), 'urn:ietf:params:oauth:grant-type:device_code');
  });

  it('a client with a secret logs in, and its secret is not shown by config view', async () => {
    writeConfig();
    const argv = [...first('secret'), '--client-secret-file=secret', '--method=browser'];
    const result = await orchctl(argv, asUser);
    assert.equal(result.status, 0, result.err);
    assert.equal(stored()['client-secret'], clientSecret);
    const view = await orchctl(['config', 'view']);
    for (const field of ['client-secret', 'id-token', 'refresh-token'])
      assert.ok(!view.out.includes(stored()[field] ?? ''), field);
  });

  it('redirections with another state, of another page, host or issuer are refused and do not end the login', async () => {
    writeConfig();
    const answers: number[] = [];
    const result = await orchctl([...first(), '--method=browser'], async (start) => {
      const stopAt = (url: string): boolean => url.startsWith('http:');
      const { url } = await browse(start, { ca: provider.ca, name: 'ann', stopAt });
      const changed = (change: (query: URLSearchParams) => void): string => {
        const other = new URL(url);
        change(other.searchParams);
        return other.href;
      };
      const host = new URL(url).host;
      for (const [attack, headers] of [
        [changed((query) => query.set('state', 'x')), {}],
        [changed((query) => query.delete('state')), {}],
        [changed((query) => query.append('state', 'x')), {}],
        [changed((query) => query.set('iss', 'https://evil.test')), {}],
        [changed((query) => query.delete('iss')), {}],
        [url, { origin: 'https://evil.test' }],
        [url, { 'sec-fetch-mode': 'no-cors' }],
        [url, { host: `evil.test:${host.split(':')[1]}` }],
        [url.replace('/callback', '/'), {}],
      ] as const)
        answers.push((await load(attack, { headers })).status);
      answers.push((await load(url)).status);
    });
    assert.equal(result.status, 0, result.err);
    assert.deepEqual(answers, [400, 400, 400, 400, 400, 404, 404, 404, 404, 200]);
  });

  it('a code of another login is useless, because it belongs to another secret', async () => {
    writeConfig();
    let code = '';
    const stopAt = (url: string): boolean => url.startsWith('http:');
    const stop = new AbortController();
    const steal = async (start: string): Promise<void> => {
      const { url } = await browse(start, { ca: provider.ca, name: 'eve', stopAt });
      code = new URL(url).searchParams.get('code') ?? '';
      stop.abort(new Error('received SIGINT'));
    };
    const stolen = await orchctl([...first(), '--method=browser'], (url) => void steal(url), stop.signal);
    assert.equal(stolen.status, 130);
    assert.notEqual(code, '');
    const result = await orchctl([...first(), '--method=browser'], async (start) => {
      const { url } = await browse(start, { ca: provider.ca, name: 'ann', stopAt });
      const injected = new URL(url);
      injected.searchParams.set('code', code);
      await load(injected.href);
    });
    assert.equal(result.status, 1);
    assert.match(result.err, /error: OIDC provider \S+: the login failed \(invalid_grant\)\n$/);
    assert.ok(!readFileSync(path, 'utf8').includes('id-token'));
  });

  it('processes that refresh at the same time share one refresh, and the rotated token is stored', async () => {
    await loggedIn();
    const before = stored();
    await orchctl(['config', 'unset', 'users.ann.auth-provider.config.id-token']);
    const refreshes = (): number => provider.grants.filter((grant) => grant === 'refresh_token').length;
    const start = refreshes();
    const argv = ['get', 'pods', `--client-config=${path}`];
    const results = await Promise.all(
      [1, 2, 3].map(() => run(process.execPath, [main, ...argv], { cwd: folder, env: { HOME: folder } })),
    );
    for (const { stderr } of results) assert.match(stderr, /User "oidc:ann" cannot list/);
    assert.equal(refreshes() - start, 1);
    assert.notEqual(stored()['refresh-token'], before['refresh-token']);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('logout removes and revokes the tokens, and a refused refresh says what to do', async () => {
    await loggedIn();
    const before = stored();
    const out = await orchctl(['logout']);
    assert.deepEqual([out.status, out.out, out.err], [0, 'User "ann" logged out.\n', '']);
    assert.deepEqual(Object.keys(stored()).toSorted(), [
      'client-id',
      'idp-certificate-authority-data',
      'idp-issuer-url',
    ]);
    const without = await orchctl(['get', 'pods']);
    assert.match(without.err, /there is no id token, and there is no refresh token; run "orchctl login"\n$/);
    // A token may begin with a dash.
    const revoked = `--auth-provider-arg=refresh-token=${before['refresh-token']}`;
    assert.equal((await orchctl(['config', 'set-credentials', 'ann', revoked])).status, 0);
    const refused = await orchctl(['get', 'pods']);
    assert.equal(refused.status, 1);
    assert.match(refused.err, /refused \(invalid_grant\): a new login is needed; run "orchctl login"\n$/);
  });

  it('a user with other credentials is not replaced, and a secret is not sent to another issuer', async () => {
    writeConfig();
    await orchctl(['config', 'set-credentials', 'robot', '--token=abc']);
    const other = await orchctl([...first(), '--user=robot']);
    assert.match(other.err, /^error: user "robot" has other credentials \(token\)/);
    await orchctl([...first('secret'), '--client-secret-file=secret', '--method=browser'], asUser);
    const moved = await orchctl(['login', '--issuer-url=https://evil.test']);
    assert.match(moved.err, /--client-id is required/);
  });

  it('no output of a command has a token or secret, regardless of its verbosity', async () => {
    await loggedIn();
    const tokens = [stored()];
    await orchctl(['config', 'unset', 'users.ann.auth-provider.config.id-token']);
    await orchctl(['get', 'pods', '--v=10']);
    tokens.push(stored());
    await orchctl(['login', '--method=browser', '--v=10'], asUser);
    tokens.push(stored());
    const all = lines.map(({ out, err }) => out + err).join('\n');
    const refreshTokens = tokens.map((one) => one['refresh-token'] ?? '');
    assert.equal(new Set(refreshTokens).size, 3);
    const idTokens = tokens.map((one) => one['id-token'] ?? '');
    for (const secret of [...refreshTokens, ...idTokens, clientSecret])
      assert.ok(secret !== '' && !all.includes(secret));
  });
});
