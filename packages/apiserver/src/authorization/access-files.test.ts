import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { emptySource } from '@orch/auth';
import { namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { flagValues, splitCommandLine } from '@orch/program';
import { authenticationMethods } from '../authentication/authentication.ts';
import { ClientTrust } from '../authentication/client-trust.ts';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { Reloads } from '../reload/reloads.ts';
import { authorizationOf } from './authorization.ts';

const names = namesFor('orch');
const folder = mkdtempSync(join(tmpdir(), 'orch-access-'));
after(() => rmSync(folder, { recursive: true }));
const pathOf = (name: string): string => join(folder, name);
const write = (name: string, text: string): void => writeFileSync(pathOf(name), text);
const flagsOf = (...argv: readonly string[]) =>
  flagValues(apiServerFlags, splitCommandLine(apiServerFlags, argv).given);

/** Runs the reloads during `work`; `pass` lets them notice changed files. */
async function reloaded(
  { reloads, env }: { readonly reloads: Reloads; readonly env: ReturnType<typeof testEnv> },
  work: (pass: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const running = reloads.run(stop.signal);
  await work(() => env.clock.advanceAsync(1_000));
  stop.abort();
  await running;
}

describe('files of users and permissions', () => {
  it('a changed token file is used without a restart: removed tokens are refused, an invalid file has no effect', async () => {
    write('tokens.csv', 'old,alice,1\n');
    const flags = flagsOf(`--token-auth-file=${pathOf('tokens.csv')}`);
    const parts = { env: testEnv(), reloads: new Reloads() };
    const { tokenFile } = authenticationMethods(flags, {
      ...parts,
      names,
      trust: new ClientTrust(flags),
      audiences: [],
    });
    const connection = {};
    const userOf = async (token: string): Promise<string> => {
      const outcome = await tokenFile?.authenticate({
        headers: { authorization: `Bearer ${token}` },
        clientCertificate: undefined,
        connection,
        signal: new AbortController().signal,
      });
      return outcome?.kind === 'user' ? outcome.user.name : (outcome?.kind ?? 'absent');
    };
    await reloaded(parts, async (pass) => {
      assert.deepEqual([await userOf('old'), await userOf('new')], ['alice', 'rejected']);
      write('tokens.csv', 'new,bob,2\n');
      await pass();
      assert.deepEqual([await userOf('old'), await userOf('new')], ['rejected', 'bob']);
      write('tokens.csv', 'new');
      await pass();
      assert.deepEqual([await userOf('old'), await userOf('new')], ['rejected', 'bob']);
    });
  });

  it('a changed authorization policy is used without a restart, an invalid one has no effect', async () => {
    const apiVersion = `${names.groups.abac}/v1beta1`;
    const line = (user: string): string =>
      JSON.stringify({ apiVersion, kind: 'Policy', spec: { user, resource: 'pods', namespace: '*' } });
    write('policy', line('alice'));
    const flags = flagsOf('--authorization-mode=ABAC', `--authorization-policy-file=${pathOf('policy')}`);
    const parts = { env: testEnv(), reloads: new Reloads() };
    const { authorizer } = authorizationOf(flags, { ...parts, names, source: emptySource });
    const verdictOf = async (name: string): Promise<string> => {
      const user = { name, uid: '', groups: [], extra: {} };
      const attributes = {
        group: '',
        version: 'v1',
        resource: 'pods',
        subresource: '',
        namespace: 'a',
        name: '',
      };
      const { signal } = new AbortController();
      const asked = { user, isResource: true, verb: 'list', ...attributes } as const;
      return (await authorizer.authorize(asked, { signal })).verdict;
    };
    const rulesOf = (name: string): number | undefined =>
      authorizer.rules?.({ name, uid: '', groups: [], extra: {} }, 'a').resourceRules.length;
    await reloaded(parts, async (pass) => {
      assert.deepEqual([await verdictOf('alice'), await verdictOf('bob')], ['allow', 'noOpinion']);
      write('policy', line('bob'));
      await pass();
      assert.deepEqual([await verdictOf('alice'), await verdictOf('bob')], ['noOpinion', 'allow']);
      assert.deepEqual([rulesOf('alice'), rulesOf('bob')], [0, 1]);
      write('policy', '{');
      await pass();
      assert.deepEqual([await verdictOf('alice'), await verdictOf('bob')], ['noOpinion', 'allow']);
    });
  });
});
