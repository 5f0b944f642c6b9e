import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

const privileged = { name: 'c', image: 'a', securityContext: { privileged: true } };
const podNamed = (name: string, spec: object = { containers: [privileged] }) => ({
  metadata: { name },
  spec,
});

/** A server for one test. */
const serverWith = (...args: readonly string[]): Promise<LaunchedServer> => launchServer({ args });

async function good(answering: Promise<ApiResponse>): Promise<ApiResponse> {
  const answer = await answering;
  assert.ok(answer.status < 300, answer.text);
  return answer;
}

const warningsOf = ({ headers }: ApiResponse): readonly string[] =>
  [headers['warning'] ?? []].flat().flatMap((text) => text.split(/, (?=299 - )/));

describe('pod security by release', { timeout: 120_000 }, () => {
  for (const [title, args, status] of [
    ['1.21 ignores its labels', ['--emulated-version=1.21'], 201],
    ['1.22 ignores its labels', ['--emulated-version=1.22'], 201],
    [
      '1.22 enforces it with its feature gate',
      ['--emulated-version=1.22', '--feature-gates=PodSecurity=true'],
      403,
    ],
    ['1.23 enforces it', ['--emulated-version=1.23'], 403],
    [
      '1.24 does not enforce it without its feature gate',
      ['--emulated-version=1.24', '--feature-gates=PodSecurity=false'],
      201,
    ],
    [
      '1.27 does not enforce it without its plugin',
      ['--emulated-version=1.27', '--disable-admission-plugins=PodSecurity'],
      201,
    ],
  ] as const)
    it(`a server of release ${title}`, async () => {
      await using server = await serverWith(...args);
      const labels = { [namesFor('orch').labels.podSecurityEnforce]: 'baseline' };
      await good(server.client.post('/api/v1/namespaces', { metadata: { name: 'ns', labels } }));
      const answer = await server.client.post('/api/v1/namespaces/ns/pods', podNamed('p'));
      assert.equal(answer.status, status, answer.text);
    });
});

describe('pod security with a configuration file', { timeout: 120_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'pod-security-'));
  const log = join(work, 'audit.log');
  let server: LaunchedServer;

  before(async () => {
    writeFileSync(
      join(work, 'admission.yaml'),
      `apiVersion: apiserver.config.orch.io/v1
kind: AdmissionConfiguration
plugins:
  - name: PodSecurity
    configuration:
      apiVersion: pod-security.admission.config.orch.io/v1
      kind: PodSecurityConfiguration
      defaults: {enforce: baseline, audit: restricted}
      exemptions: {namespaces: [orch-system], runtimeClasses: [vm]}
`,
    );
    writeFileSync(
      join(work, 'policy.yaml'),
      'apiVersion: audit.orch.io/v1\nkind: Policy\nrules: [{level: Metadata, resources: [{group: "", resources: [pods]}]}]\n',
    );
    server = await serverWith(
      `--admission-control-config-file=${join(work, 'admission.yaml')}`,
      `--audit-policy-file=${join(work, 'policy.yaml')}`,
      `--audit-log-path=${log}`,
    );
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  const create = (namespace: string, pod: object): Promise<ApiResponse> =>
    server.client.post(`/api/v1/namespaces/${namespace}/pods`, pod);

  /** The annotations of the audit event about a pod. */
  const annotationsOf = (name: string): Promise<Readonly<Record<string, string>>> =>
    poll('an audit event', 20_000, () => {
      const events = readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      for (const event of events.map((line) => JSON.parse(line)))
        if (event.objectRef?.name === name && event.stage === 'ResponseComplete') return event.annotations;
      return undefined;
    });

  it('the default level is enforced in namespaces without labels, and audited', async () => {
    const refused = await create('default', podNamed('refused'));
    assert.equal(refused.status, 403);
    assert.match(
      refused.text,
      /pods \\"refused\\" is forbidden: violates PodSecurity \\"baseline:latest\\": privileged/,
    );
    await good(create('default', podNamed('admitted', { containers: [{ name: 'c', image: 'a' }] })));
    const annotations = await annotationsOf('admitted');
    assert.equal(annotations['pod-security.orch.io/enforce-policy'], 'baseline:latest');
    assert.match(
      annotations['pod-security.orch.io/audit-violations'] ?? '',
      /^would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false/,
    );
  });

  it('an exempt namespace is not evaluated, which is audited', async () => {
    await good(create('orch-system', podNamed('exempt')));
    assert.equal((await annotationsOf('exempt'))['pod-security.orch.io/exempt'], 'namespace');
  });

  it('evaluations and exemptions are counted', async () => {
    const { text } = await good(server.client.get('/metrics'));
    assert.match(
      text,
      /^pod_security_evaluations_total\{decision="deny",policy_level="baseline",policy_version="latest",mode="enforce",request_operation="create",resource="pod",subresource=""\} 1$/m,
    );
    assert.match(text, /^pod_security_exemptions_total\{.*resource="pod",subresource=""\} 1$/m);
  });
});

describe('a namespace with pods that gets a level', { timeout: 120_000 }, () => {
  const { podSecurityEnforce } = namesFor('orch').labels;

  it('a namespace with pods that gets a level warns about its pods that violate the level, also when the label is set as a dry run only', async () => {
    await using server = await serverWith();
    const { client } = server;
    await good(client.post('/api/v1/namespaces', { metadata: { name: 'ns' } }));
    for (const name of ['b', 'a', 'good']) {
      const spec = name === 'good' ? { containers: [{ name: 'c', image: 'a' }] } : undefined;
      await good(client.post('/api/v1/namespaces/ns/pods', podNamed(name, spec)));
    }
    const label = (query: string): Promise<ApiResponse> =>
      client.send('PATCH', `/api/v1/namespaces/ns${query}`, {
        body: { metadata: { labels: { [podSecurityEnforce]: 'baseline' } } },
        contentType: 'application/merge-patch+json',
      });
    const expected = [
      '299 - "existing pods in namespace \\"ns\\" violate the new PodSecurity enforce level \\"baseline:latest\\""',
      '299 - "a (and 1 other pod): privileged"',
    ];
    for (const query of ['?dryRun=All', '']) assert.deepEqual(warningsOf(await good(label(query))), expected);
    assert.deepEqual(warningsOf(await good(label(''))), []);
  });
});
