import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readCompactToken } from '@orch/auth';
import { StartError } from '@orch/program';
import { adminOf, get, type Identity, type Run, startInProcess } from '../../testing/run-in-process.ts';
import { FakeSigner, fakeKey } from './testing/fake-signer.ts';

const account = '/api/v1/namespaces/default/serviceaccounts';
const reviews = '/apis/authentication.orch.io/v1/selfsubjectreviews';
const review = { apiVersion: 'authentication.orch.io/v1', kind: 'SelfSubjectReview' };

/** The status and the decoded body of an answer. */
async function post(
  run: Run,
  { headers = {}, ...identity }: Identity & { readonly headers?: object },
  path: string,
  object: object,
) {
  const body = JSON.stringify(object);
  return await new Promise<{ status: number; json: Record<string, Record<string, unknown>> }>(
    (resolve, reject) => {
      const sent = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...headers,
      };
      request(
        `${run.url}${path}`,
        { ...identity, agent: false, method: 'POST', headers: sent },
        (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += String(chunk);
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) }));
        },
      )
        .on('error', reject)
        .end(body);
    },
  );
}

describe('tokens of a server with an external signer', { timeout: 120_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-signed-'));
  const socket = join(work, 'signer.sock');
  const endpoint = [`--service-account-signing-endpoint=${socket}`, '--emulated-version=1.34', '--threads=1'];
  let fake: FakeSigner;
  let run: Run;
  let admin: Required<Identity>;

  before(async () => {
    fake = await FakeSigner.start(socket);
    fake.keys = [fakeKey('new'), fakeKey('old', { isUnpublished: true })];
    run = await startInProcess(join(work, 'main'), ...endpoint);
    admin = adminOf(run);
    const robot = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
    assert.equal((await post(run, admin, account, robot)).status, 201);
  });
  after(async () => {
    await run?.stop();
    await fake?.[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  const tokenRequest = (expirationSeconds: number) =>
    post(run, admin, `${account}/robot/token`, {
      apiVersion: 'authentication.orch.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds },
    });
  const userOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await post(run, { ca: admin.ca, headers }, reviews, review);
    const { userInfo } = (answer.json['status'] ?? {}) as { userInfo?: { username: string } };
    return { status: answer.status, name: userInfo?.username };
  };
  const tokenOf = async () => {
    const { status, json } = await tokenRequest(3600);
    assert.equal(status, 201, JSON.stringify(json));
    return String(json['status']?.['token']);
  };

  it('a token that the external signer signed is accepted', async () => {
    const token = await tokenOf();
    assert.equal(readCompactToken(token)?.header['kid'], 'new');
    assert.deepEqual(await userOf(token), { status: 201, name: 'system:serviceaccount:default:robot' });
  });

  it('a token of a key that the external signer has added since is accepted', async () => {
    fake.keys = [fakeKey('newer'), ...fake.keys];
    const token = await tokenOf();
    assert.equal(readCompactToken(token)?.header['kid'], 'newer');
    assert.equal((await userOf(token)).status, 201);
  });

  it('a token with a key of the external signer and the signature of another is refused', async () => {
    const signing = { ...fakeKey('new'), id: 'new' };
    fake.signing = signing;
    try {
      assert.equal((await userOf(await tokenOf())).status, 401);
    } finally {
      fake.signing = undefined;
    }
  });

  it('the lifetime of tokens is limited to that which the external signer permits', async () => {
    const { json } = await tokenRequest(100_000);
    assert.equal(json['spec']?.['expirationSeconds'], 7200);
  });

  it('the documents for verifiers have the published keys of the external signer', async () => {
    const { status, text } = await get(`${run.url}/openid/v1/jwks`, admin);
    assert.equal(status, 200);
    const { keys } = JSON.parse(text) as { keys: { kid: string }[] };
    assert.deepEqual(
      keys.map(({ kid }) => kid),
      ['newer', 'new'],
    );
  });

  it('no token is issued while the external signer fails, and earlier ones are accepted', async () => {
    const token = await tokenOf();
    fake.isFailing = true;
    try {
      assert.equal((await tokenRequest(3600)).status, 503);
      assert.equal((await userOf(token)).status, 201);
    } finally {
      fake.isFailing = false;
    }
  });

  it('a server whose tokens may live longer than the external signer permits does not start', async () => {
    await assert.rejects(
      startInProcess(join(work, 'long'), ...endpoint, '--service-account-max-token-expiration=3h'),
      (error) => error instanceof StartError && /is longer than the 7200 s/.test(error.message),
    );
  });

  it('releases before 1.34 call the external signer by the first version of its protocol', async () => {
    const early = await startInProcess(
      join(work, 'early'),
      endpoint[0] ?? '',
      '--emulated-version=1.32',
      '--threads=1',
      '--feature-gates=ExternalServiceAccountTokenSigner=true',
    );
    await early.stop();
    assert.ok(fake.calls.includes('/v1alpha1.ExternalJWTSigner/FetchKeys'));
  });
});
