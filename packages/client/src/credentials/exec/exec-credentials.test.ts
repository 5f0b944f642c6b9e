import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { namesFor } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { clients } from '../../transport/testing/certificates.ts';
import { CredentialError } from '../credential-error.ts';
import type { Credentials } from '../types.ts';
import type { ExecCluster, InteractiveMode } from './config.ts';
import { execCredentials } from './exec-credentials.ts';
import { apiVersionOf, contextWith, plugins } from './testing/plugins.ts';

const { signal } = new AbortController();
const orch = namesFor('orch');
const tokenOf = async (credentials: Credentials): Promise<string> => {
  const { headers } = await credentials.current(signal);
  return String(headers['authorization']).replace(/^Bearer /, '');
};
/** A plugin that returns its input, arguments and environment as a token. */
const mirror = `
const { env, argv } = process;
const seen = { input, args: argv.slice(2), one: env.ONE, inherited: env.INHERITED, both: env.BOTH };
answer({ token: Buffer.from(JSON.stringify(seen)).toString('base64url') });`;
const seenBy = async (credentials: Credentials) =>
  JSON.parse(Buffer.from(await tokenOf(credentials), 'base64url').toString());
const cluster: ExecCluster = {
  server: 'https://api.test:6443',
  'certificate-authority-data': 'Q0E=',
  config: { audience: 'a', __proto__: null, nested: [1, 'ü'] },
};

describe('the input of exec plugins', () => {
  for (const naming of ['orch', 'kubernetes'] as const)
    for (const version of ['v1', 'v1beta1'] as const)
      it(`an exec plugin gets an ExecCredential of ${version} in the naming ${naming}`, async () => {
        const names = namesFor(naming);
        using held = plugins(names);
        const apiVersion = apiVersionOf(names, version);
        const config = held.config(mirror, { apiVersion });
        const { input } = await seenBy(execCredentials(config, contextWith(names)));
        const group = { orch: 'client.authentication.orch.io', kubernetes: 'client.authentication.k8s.io' };
        assert.deepEqual(input, {
          apiVersion: `${group[naming]}/${version}`,
          kind: 'ExecCredential',
          spec: { interactive: false },
        });
      });

  for (const [title, provideClusterInfo, given, expected] of [
    [
      'an exec plugin with provideClusterInfo gets the cluster',
      true,
      { cluster },
      { cluster, interactive: false },
    ],
    ['an exec plugin without provideClusterInfo gets no cluster', false, { cluster }, { interactive: false }],
  ] as const)
    it(title, async () => {
      using held = plugins(orch);
      const config = held.config(mirror, { provideClusterInfo });
      const { input } = await seenBy(execCredentials(config, contextWith(orch, given)));
      assert.deepEqual(input.spec, JSON.parse(JSON.stringify(expected)));
    });

  it('an exec plugin gets its arguments, and variables with precedence over inherited ones', async () => {
    using held = plugins(orch);
    const config = held.config(mirror, {
      env: [
        { name: 'ONE', value: '1 $PATH' },
        { name: 'BOTH', value: 'first' },
        { name: 'BOTH', value: 'own' },
        { name: '__proto__', value: 'x' },
        { name: orch.environment.execInfo, value: 'forged' },
      ],
    });
    const args = [...config.args, '--flag', '', '$HOME; echo "x"'];
    const environment = { INHERITED: 'yes', BOTH: 'inherited', UNSET: undefined };
    const seen = await seenBy(execCredentials({ ...config, args }, contextWith(orch, { environment })));
    assert.equal(seen.input.kind, 'ExecCredential');
    assert.deepEqual(
      [seen.args, seen.one, seen.inherited, seen.both],
      [['--flag', '', '$HOME; echo "x"'], '1 $PATH', 'yes', 'own'],
    );
  });
});

describe('terminals of exec plugins', () => {
  for (const [interactiveMode, hasTerminal, interactive] of [
    ['Never', false, false],
    ['Never', true, false],
    ['IfAvailable', false, false],
    ['IfAvailable', true, true],
    ['Always', true, true],
  ] as const satisfies readonly (readonly [InteractiveMode, boolean, boolean])[])
    it(`an exec plugin with the mode ${interactiveMode} and ${hasTerminal ? 'a' : 'no'} terminal ${interactive ? 'can' : 'cannot'} use it`, () => {
      using held = plugins(orch);
      // The first line of the standard input of the program that uses the plugin, or of an empty input.
      const config = held.config(
        `answer({ token: input.spec.interactive + '-' + (readFileSync(0, 'utf8').trim() || 'nothing') });`,
        { interactiveMode },
      );
      const program = held.write(
        'program.mjs',
        `import { namesFor } from ${JSON.stringify(import.meta.resolve('@orch/machinery'))};
         import { systemClock } from ${JSON.stringify(import.meta.resolve('@orch/machinery/env'))};
import { execCredentials } from ${JSON.stringify(pathToFileURL(`${import.meta.dirname}/index.ts`).href)};
const context = { env: { clock: systemClock }, names: namesFor('orch'), environment: {}, hasTerminal: ${hasTerminal} };
const credentials = execCredentials(${JSON.stringify(config)}, context);
const { headers } = await credentials.current(new AbortController().signal);
console.log(headers.authorization);`,
      );
      const { stdout } = spawnSync(process.execPath, [program], { input: 'typed', encoding: 'utf8' });
      assert.equal(stdout, `Bearer ${interactive}-${interactive ? 'typed' : 'nothing'}\n`);
    });

  it('an exec plugin with the mode Always does not run without a terminal', async () => {
    using held = plugins(orch);
    const config = held.config(mirror, { interactiveMode: 'Always' });
    await assert.rejects(
      execCredentials(config, contextWith(orch)).current(signal),
      new CredentialError(
        `exec plugin ${process.execPath} was not run: its interactiveMode is Always, and there is no terminal to read from`,
      ),
    );
    assert.equal(held.runs(), 0);
  });
});

describe('credentials of exec plugins', () => {
  it('concurrent and later callers share the credentials of one run', async () => {
    using held = plugins(orch);
    const credentials = execCredentials(held.config('answer({ token: "t" + run })'), contextWith(orch));
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => tokenOf(credentials))), ['t1', 't1', 't1']);
    assert.equal(await tokenOf(credentials), 't1');
    assert.equal(held.runs(), 1);
  });

  it('a plugin runs again after expiration and rejection, and a new certificate is notified', async () => {
    using held = plugins(orch);
    const clock = new FakeClock(Date.UTC(2026, 10, 22));
    const statuses = [
      { token: 't1', expirationTimestamp: '2026-11-22T00:10:00Z' },
      { clientCertificateData: clients.one.cert, clientKeyData: clients.one.key },
      { clientCertificateData: clients.one.cert, clientKeyData: clients.one.key, token: 't3' },
      { clientCertificateData: clients.two.cert, clientKeyData: clients.two.key },
    ];
    const config = held.config(`answer(${JSON.stringify(statuses)}[run - 1]);`);
    const credentials = execCredentials(config, contextWith(orch, { env: { clock } }));
    let changes = 0;
    credentials.onTlsChange(() => changes++);
    const first = await credentials.current(signal);
    clock.advance(599_999);
    assert.equal(await credentials.current(signal), first);
    clock.advance(1);
    const second = await credentials.current(signal);
    assert.deepEqual([second, changes], [{ headers: {}, tls: clients.one }, 1]);
    assert.equal(credentials.rejected(second), true);
    const third = await credentials.current(signal);
    assert.deepEqual([third, changes], [{ headers: { authorization: 'Bearer t3' }, tls: clients.one }, 1]);
    assert.equal(credentials.rejected(third), true);
    assert.deepEqual([await credentials.current(signal), changes], [{ headers: {}, tls: clients.two }, 2]);
    assert.equal(held.runs(), 4);
  });

  it('a plugin runs again after a failure', async () => {
    using held = plugins(orch);
    const config = held.config('if (run === 1) process.exit(3); answer({ token: "t" + run });');
    const credentials = execCredentials(config, contextWith(orch));
    await assert.rejects(credentials.current(signal), CredentialError);
    assert.equal(await tokenOf(credentials), 't2');
  });

  it('the output of a plugin must have the requested version', async () => {
    using held = plugins(orch);
    const apiVersion = apiVersionOf(orch, 'v1beta1');
    const config = held.config(`answer({ token: 's3cret' }, { apiVersion: ${JSON.stringify(apiVersion)} });`);
    await assert.rejects(
      execCredentials(config, contextWith(orch)).current(signal),
      (error: Error) =>
        error.message.endsWith(`apiVersion must be ${apiVersionOf(orch)}, and is ${apiVersion}`) &&
        !error.message.includes('s3cret'),
    );
  });
});

describe('timeouts of exec plugins', () => {
  for (const [title, interactiveMode, timeout, ms, limit] of [
    ['an exec plugin has a timeout of one minute', 'Never', {}, 60_000, '1m0s'],
    ['an interactive exec plugin has a timeout of five minutes', 'IfAvailable', {}, 300_000, '5m0s'],
    ['an exec plugin has the configured timeout', 'IfAvailable', { timeoutMs: 1500 }, 1500, '1.5s'],
  ] as const)
    it(title, async () => {
      using held = plugins(orch);
      const clock = new FakeClock();
      const config = held.config('setInterval(() => {}, 1000);', { interactiveMode });
      const context = contextWith(orch, { env: { clock }, hasTerminal: true, ...timeout });
      const current = execCredentials(config, context).current(signal);
      let isOver = false;
      const rejected = assert
        .rejects(
          current,
          new CredentialError(`exec plugin ${process.execPath} has not ended within ${limit}`),
        )
        .finally(() => {
          isOver = true;
        });
      await clock.advanceAsync(ms - 1);
      assert.equal(isOver, false);
      clock.advance(1);
      await rejected;
    });
});

describe('invalid commands of exec plugins', () => {
  for (const [title, changes, problem] of [
    ['the command', { command: 'a\0b' }, 'the command holds a NUL character'],
    ['an argument', { args: ['a', 's3cret\0'] }, 'args[1] holds a NUL character'],
    [
      'the name of a variable',
      { env: [{ name: 'A=s3cret', value: '' }] },
      'env[0] cannot be an environment variable',
    ],
    [
      'an empty name of a variable',
      { env: [{ name: '', value: 's3cret' }] },
      'env[0] cannot be an environment variable',
    ],
    [
      'the value of a variable',
      { env: [{ name: 'A', value: 's3cret\0' }] },
      'env[0] cannot be an environment variable',
    ],
  ] as const)
    it(`a command with a NUL character is rejected without its content: ${title}`, async () => {
      using held = plugins(orch);
      const config = { ...held.config(mirror), ...changes };
      await assert.rejects(
        execCredentials(config, contextWith(orch)).current(signal),
        (error: Error) =>
          error instanceof CredentialError && error.message.endsWith(`was not run: ${problem}`),
      );
    });
});
