import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { signingKey, signToken } from '@orch/pki/jws';
import { startEtcd } from '@orch/storage/testing';
import { ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';

const path = '/api/v1/namespaces/default/serviceaccounts';

describe('replicas that share nothing but etcd', { timeout: 180_000 }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let replicas: LaunchedServer[];
  const launch = (): Promise<LaunchedServer> =>
    launchServer({ etcd: etcd.endpoints, args: ['--separate-credentials'] });

  before(async () => {
    etcd = await startEtcd();
    replicas = [await launch(), await launch()];
  });
  after(async () => {
    await Promise.all(replicas.map((one) => one[Symbol.asyncDispose]()));
    await etcd[Symbol.asyncDispose]();
  });

  const replica = (index: number): LaunchedServer => {
    const found = replicas[index];
    assert.ok(found);
    return found;
  };

  /** The response of a replica to a client that has only a token. */
  async function statusWith({ config }: LaunchedServer, token: string): Promise<number> {
    using client = new ApiClient({ ...config, cert: undefined, key: undefined, token });
    return (await client.get(path)).status;
  }

  /** Makes an account and a token of it through one replica. */
  async function tokenOf({ client }: LaunchedServer, name: string): Promise<string> {
    const made = await client.post(path, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name } });
    assert.equal(made.status, 201, made.text);
    const answer = await client.post(`${path}/${name}/token`, {
      kind: 'TokenRequest',
      apiVersion: 'authentication.orch.io/v1',
      spec: {},
    });
    assert.equal(answer.status, 201, answer.text);
    return (answer.json as { status: { token: string } }).status.token;
  }

  it('replicas accept the tokens of each other immediately, also of accounts that were just created', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const token = await tokenOf(replica(turn % 2), `robot-${turn}`);
      assert.equal(await statusWith(replica((turn + 1) % 2), token), 200);
    }
  });

  it('replicas refuse the tokens of each other immediately after the service account is deleted', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const name = `short-lived-${turn}`;
      const [one, other] = [replica(turn % 2), replica((turn + 1) % 2)];
      const token = await tokenOf(one, name);
      assert.equal(await statusWith(other, token), 200);
      await one.client.delete(`${path}/${name}`);
      assert.equal(await statusWith(one, token), 401);
    }
  });

  it('replicas accept tokens of a replica that started later and of one that has stopped', async () => {
    let token: string;
    {
      await using late = await launch();
      token = await tokenOf(late, 'late');
      assert.equal(await statusWith(replica(0), token), 200);
    }
    assert.equal(await statusWith(replica(1), token), 200);
    await using later = await launch();
    assert.equal(await statusWith(later, token), 200);
  });

  it('every replica publishes the token keys of all replicas', async () => {
    const { json } = await replica(1).client.get('/openid/v1/jwks');
    const ids = (json as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    const header = (await tokenOf(replica(0), 'shown')).split('.')[0] ?? '';
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    assert.ok(ids.includes(kid));
  });

  it('replicas refuse tokens that are signed with an unknown key', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const good = await tokenOf(replica(0), 'victim');
    const claims = JSON.parse(Buffer.from(good.split('.')[1] ?? '', 'base64url').toString());
    assert.equal(await statusWith(replica(1), await signToken(claims, signingKey(privateKey))), 401);
    assert.equal(await statusWith(replica(1), good), 200);
  });
});
