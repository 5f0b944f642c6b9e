import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import {
  ca,
  curve,
  first,
  otherCa,
  rsaKey,
  type SigningKey,
  signToken,
  startProvider,
} from '../testing/identity-provider.ts';
import {
  adminOf,
  get,
  type Identity,
  type Run,
  settingsOfArguments,
  startInProcess,
} from '../testing/run-in-process.ts';

const names = namesFor('orch');
const work = mkdtempSync(join(tmpdir(), 'orch-authn-'));
const path = join(work, 'authn.yaml');

function write(content: object): void {
  const document = {
    apiVersion: names.apiVersion('apiserverconfig', 'v1beta1'),
    kind: 'AuthenticationConfiguration',
    ...content,
  };
  writeFileSync(`${path}.next`, encodeYaml(document));
  renameSync(`${path}.next`, path);
}

type Provider = Awaited<ReturnType<typeof startProvider>>;

describe('a server with an authentication configuration', { timeout: 60_000 }, () => {
  let staff: Provider;
  let machines: Provider;
  let run: Run;
  let ca509: string;
  /** The URL of the second issuer, which only the discovery URL reaches. */
  const machineIssuer = 'https://machines.example';

  const entries = () => [
    {
      issuer: {
        url: staff.issuer,
        audiences: ['orch', 'other'],
        audienceMatchPolicy: 'MatchAny',
        certificateAuthority: ca.cert,
      },
      claimMappings: {
        username: { claim: 'sub', prefix: 'staff:' },
        groups: { expression: "claims.roles.map(role, 'staff:' + role)" },
        uid: { claim: 'jti' },
        extra: [{ key: 'example.com/team', valueExpression: 'claims.?team.orValue("")' }],
      },
      claimValidationRules: [{ claim: 'hd', requiredValue: 'example.com' }],
      userValidationRules: [{ expression: "!user.username.endsWith(':root')", message: 'root is reserved' }],
    },
    {
      issuer: {
        url: machineIssuer,
        discoveryURL: `${machines.address}/.well-known/openid-configuration`,
        audiences: ['machines'],
        certificateAuthority: ca.cert,
      },
      claimMappings: { username: { claim: 'sub', prefix: 'machine:' } },
    },
  ];

  before(async () => {
    staff = await startProvider();
    machines = await startProvider({ issuer: machineIssuer });
    write({ jwt: entries(), anonymous: { enabled: true, conditions: [{ path: '/livez' }] } });
    run = await startInProcess(
      join(work, 'server'),
      `--authentication-config=${path}`,
      '--authorization-mode=RBAC',
    );
    ca509 = adminOf(run).ca;
  });
  after(async () => {
    await run.stop();
    staff.close();
    machines.close();
    rmSync(work, { recursive: true });
  });

  const now = Math.floor(Date.now() / 1000);
  const staffToken = (changes: object = {}, key: SigningKey = first): Promise<string> =>
    signToken(
      {
        iss: staff.issuer,
        aud: 'other',
        sub: 'ann',
        hd: 'example.com',
        roles: ['dev'],
        jti: '7',
        exp: now + 600,
        ...changes,
      },
      key,
    );
  const machineToken = (changes: object = {}): Promise<string> =>
    signToken({ iss: machineIssuer, aud: 'machines', sub: 'm1', exp: now + 600, ...changes }, curve);

  const send = (at: string, token?: string) => {
    const identity: Identity = { ca: ca509 };
    return get(`${run.url}${at}`, identity, token === undefined ? {} : { authorization: `Bearer ${token}` });
  };
  const forbidden = '/api/v1/namespaces/default/secrets/a';
  /** The name of the user whom the server recognizes, from the message of a refusal; else the status. */
  const userOf = async (token: string): Promise<string | number> => {
    const { status, text } = await send(forbidden, token);
    return status === 403 ? (/User \\"([^"\\]+)\\"/.exec(text)?.[1] ?? text) : status;
  };

  it('a server with an authentication configuration accepts the tokens of several issuers, each with its keys, audiences and mapping', async () => {
    assert.equal(await userOf(await staffToken()), 'staff:ann');
    assert.equal(await userOf(await machineToken()), 'machine:m1');
  });

  for (const [what, token] of [
    ['another audience', () => staffToken({ aud: 'machines' })],
    ['the issuer of another entry and its own key', () => machineToken({ iss: staff.issuer, aud: 'orch' })],
    ['an unknown key', () => staffToken({}, rsaKey('stranger'))],
    ['another value of a required claim', () => staffToken({ hd: 'example.org' })],
    ['a user that a rule refuses', () => staffToken({ sub: 'root' })],
    ['claims that an expression cannot use', () => staffToken({ roles: 7 })],
    ['an unknown issuer', () => staffToken({ iss: 'https://elsewhere' })],
  ] as const)
    it(`a server with an authentication configuration refuses tokens with ${what}`, async () => {
      assert.equal(await userOf(await token()), 401);
    });

  it('anonymous requests are permitted for the paths of the file only, as they are spelled there', async () => {
    const outcomes = [];
    for (const at of [
      '/livez',
      '/livez?verbose',
      '/livez/ping',
      '/livez/',
      '//livez',
      '/%6civez',
      '/readyz',
      '/version',
    ])
      outcomes.push([at, (await send(at)).status]);
    assert.deepEqual(outcomes, [
      ['/livez', 200],
      ['/livez?verbose', 200],
      ['/livez/ping', 401],
      ['/livez/', 401],
      ['//livez', 401],
      ['/%6civez', 401],
      ['/readyz', 401],
      ['/version', 401],
    ]);
    assert.equal((await send('/livez', 'unknown')).status, 401);
  });

  it('a server with an authentication configuration uses the changed file without a restart, and keeps the last valid one', async () => {
    const reloads = async (status: string): Promise<number> => {
      const { text } = await get(`${run.url}/metrics`, adminOf(run));
      const name = `apiserver_authentication_config_controller_automatic_reloads_total{status="${status}"} `;
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(name))
          ?.slice(name.length) ?? 0,
      );
    };
    const [token, machine] = [await staffToken(), await machineToken()];
    const [staffEntry] = entries();
    write({ jwt: [{ ...staffEntry, claimMappings: { username: { claim: 'sub', prefix: 'people:' } } }] });
    await eventually(
      () => reloads('success'),
      (count) => count === 1,
    );
    assert.deepEqual([await userOf(token), await userOf(machine)], ['people:ann', 401]);
    // Without the field, --anonymous-auth decides.
    assert.equal((await send('/readyz')).status, 200);

    write({ jwt: [{ ...staffEntry, issuer: { url: 'http://x' } }] });
    await eventually(
      () => reloads('failure'),
      (count) => count === 1,
    );
    assert.equal(await userOf(token), 'people:ann');
    const identity = adminOf(run);
    const { status } = await get(`${run.url}/readyz/authentication-config`, identity);
    assert.deepEqual([status, (await get(`${run.url}/readyz`, identity)).status], [500, 200]);
  });

  it('a provider whose certificate another authority has signed is not used', async () => {
    const [staffEntry] = entries();
    write({
      jwt: [{ ...staffEntry, issuer: { ...staffEntry?.issuer, certificateAuthority: otherCa.cert } }],
    });
    const token = await staffToken();
    await eventually(
      () => userOf(token),
      (user) => user === 401,
    );
  });
});

describe('flags beside an authentication configuration', () => {
  for (const flag of ['--oidc-issuer-url=https://a', '--oidc-username-claim=sub'])
    it(`${flag} is refused together with the file`, () => {
      const name = flag.split('=')[0];
      assert.throws(() => settingsOfArguments('--authentication-config=x', flag), {
        name: 'UsageError',
        message: `--authentication-config and ${name} cannot be used together`,
      });
    });

  it('--anonymous-auth is refused when the file contains anonymous', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orch-authn-'));
    try {
      const file = join(folder, 'authn.yaml');
      const apiVersion = names.apiVersion('apiserverconfig', 'v1');
      writeFileSync(
        file,
        encodeYaml({ apiVersion, kind: 'AuthenticationConfiguration', anonymous: { enabled: true } }),
      );
      await assert.rejects(
        startInProcess(folder, `--authentication-config=${file}`, '--anonymous-auth=true'),
        {
          name: 'StartError',
          message: `--authentication-config ${file}: anonymous: cannot be used with --anonymous-auth`,
        },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
