import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { poll } from '@orch/machinery/testing';
import { ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';

const core = '/api/v1/namespaces/default';
const extras = 'authentication.kubernetes.io';
const authentication = { apiVersion: 'authentication.k8s.io/v1' };

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any form.
type Json = any;

describe('credentials of service account tokens', { timeout: 120_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-token-credentials-'));
  const auditLog = join(work, 'audit.log');
  let server: LaunchedServer;
  let nodeUid: string;

  const created = async (path: string, object: object): Promise<Json> => {
    const answer = await server.client.post(path, object);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  };
  const requested = async (kind: string, name: string): Promise<string> => {
    const spec = { boundObjectRef: { apiVersion: 'v1', kind, name } };
    const request = { ...authentication, kind: 'TokenRequest', spec };
    return (await created(`${core}/serviceaccounts/robot/token`, request)).status.token;
  };
  /** The answer to a SelfSubjectReview with a token. */
  const selfReview = async (token: string) => {
    using client = new ApiClient({ ...server.config, cert: undefined, key: undefined, token });
    return await client.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      ...authentication,
      kind: 'SelfSubjectReview',
    });
  };
  const claimsOf = (token: string): Json =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const auditEvents = (): readonly Json[] =>
    readFileSync(auditLog, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  before(async () => {
    const policy = join(work, 'policy.yaml');
    writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
    server = await launchServer({
      naming: 'kubernetes',
      args: ['--emulated-version=1.34', `--audit-policy-file=${policy}`, `--audit-log-path=${auditLog}`],
    });
    const object = { apiVersion: 'v1', metadata: { name: 'robot' } };
    await created(`${core}/serviceaccounts`, { ...object, kind: 'ServiceAccount' });
    const node = await created('/api/v1/nodes', { ...object, kind: 'Node', metadata: { name: 'n1' } });
    nodeUid = node.metadata.uid;
    await created(`${core}/pods`, {
      ...object,
      kind: 'Pod',
      spec: { serviceAccountName: 'robot', nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  it('a self review with the token of a pod shows the credential id, the pod and its node', async () => {
    const token = await requested('Pod', 'robot');
    const claims = claimsOf(token);
    assert.deepEqual(claims[`kubernetes.io`].node, { name: 'n1', uid: nodeUid });
    const { extra } = ((await selfReview(token)).json as Json).status.userInfo;
    assert.deepEqual(extra, {
      [`${extras}/credential-id`]: [`JTI=${claims.jti}`],
      [`${extras}/node-name`]: ['n1'],
      [`${extras}/node-uid`]: [nodeUid],
      [`${extras}/pod-name`]: ['robot'],
      [`${extras}/pod-uid`]: [claims['kubernetes.io'].pod.uid],
    });
  });

  it('a self review with a client certificate shows the digest of the certificate as the credential id', async () => {
    const review = await server.client.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      ...authentication,
      kind: 'SelfSubjectReview',
    });
    assert.equal(review.status, 201, review.text);
    const { raw } = new X509Certificate(server.config.cert ?? '');
    const digest = createHash('sha256').update(raw).digest('hex');
    assert.deepEqual((review.json as Json).status.userInfo.extra, {
      [`${extras}/credential-id`]: [`X509SHA256=${digest}`],
    });
  });

  it('the audit log leads from a request with a token to the request for the token', async () => {
    const token = await requested('Pod', 'robot');
    await selfReview(token);
    const id = `JTI=${claimsOf(token).jti}`;
    await poll('the audit events', 20_000, () => {
      const events = auditEvents();
      const issued = events.filter(
        ({ annotations }) => annotations?.[`${extras}/issued-credential-id`] === id,
      );
      assert.deepEqual(
        issued.map(({ objectRef }) => [objectRef.resource, objectRef.subresource, objectRef.name]),
        [['serviceaccounts', 'token', 'robot']],
      );
      const used = events.filter(({ user }) => user?.extra?.[`${extras}/credential-id`]?.[0] === id);
      assert.ok(used.some(({ objectRef }) => objectRef.resource === 'selfsubjectreviews'));
      return true;
    });
  });

  it('a dry run of a token request issues no credential id', async () => {
    const before = auditEvents().length;
    const request = { ...authentication, kind: 'TokenRequest', spec: {} };
    await created(`${core}/serviceaccounts/robot/token?dryRun=All`, request);
    await poll('the audit event', 20_000, () => {
      const event = auditEvents()
        .slice(before)
        .find(({ requestURI, stage }) => requestURI.includes('dryRun') && stage === 'ResponseComplete');
      assert.equal(event?.responseStatus?.code, 201);
      assert.equal(event.annotations[`${extras}/issued-credential-id`], undefined);
      return true;
    });
  });

  it('a token that is bound to a node gets 401 after the node was deleted and created again', async () => {
    const token = await requested('Node', 'n1');
    const review = await selfReview(token);
    assert.equal(review.status, 201, review.text);
    assert.deepEqual((review.json as Json).status.userInfo.extra[`${extras}/node-uid`], [nodeUid]);
    const ofPod = await requested('Pod', 'robot');
    assert.equal((await server.client.delete('/api/v1/nodes/n1')).status, 200);
    await created('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
    assert.equal((await selfReview(token)).status, 401);
    assert.equal((await selfReview(ofPod)).status, 201, 'a token of a pod does not depend on the node');
  });
});

describe('credentials of client certificates', { timeout: 120_000 }, () => {
  for (const [naming, release, key] of [
    ['kubernetes', '1.31', undefined],
    ['orch', '1.32', 'authentication.orch.io/credential-id'],
  ] as const)
    it(`credentials of client certificates have ${key === undefined ? 'no id' : `their id as ${key}`} in release ${release} with the naming ${naming}`, async () => {
      await using server = await launchServer({ naming, args: [`--emulated-version=${release}`] });
      const group = naming === 'orch' ? 'authentication.orch.io' : 'authentication.k8s.io';
      const review = await server.client.post(`/apis/${group}/v1/selfsubjectreviews`, {
        apiVersion: `${group}/v1`,
        kind: 'SelfSubjectReview',
      });
      assert.equal(review.status, 201, review.text);
      const { extra } = (review.json as Json).status.userInfo;
      if (key === undefined) return assert.equal(extra, undefined);
      assert.deepEqual(Object.keys(extra), [key]);
      assert.match(extra[key][0], /^X509SHA256=[0-9a-f]{64}$/);
    });
});
