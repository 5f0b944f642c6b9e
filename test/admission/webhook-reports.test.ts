import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { poll } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import { admitting, patching, webhookEntry } from '@orch/server/testing';
import { findKubectls, run } from '@orch/testkit';
import { configMaps, jsonOf, WebhookCluster } from './webhook-cluster.ts';

const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

interface AuditEvent {
  readonly verb: string;
  readonly objectRef?: { readonly resource: string; readonly name?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

describe('what webhooks report about a write', { timeout: 120_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-webhook-reports-'));
  const log = join(work, 'audit.log');
  let cluster: WebhookCluster;
  before(async () => {
    const policy = join(work, 'policy.yaml');
    const rules = [
      { level: 'Metadata', namespaces: ['default'], resources: [{ group: '', resources: ['secrets'] }] },
      { level: 'Request', namespaces: ['default'] },
      { level: 'None' },
    ];
    writeFileSync(policy, encodeYaml({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
    const token = join(work, 'clients.yaml');
    writeFileSync(
      token,
      encodeYaml({
        users: [
          { name: '127.0.0.1:*', user: {} },
          { name: '*', user: { token: 'hunter2' } },
        ],
      }),
    );
    const admission = join(work, 'admission.yaml');
    const kubeConfigFile = 'clients.yaml';
    writeFileSync(
      admission,
      encodeYaml({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AdmissionConfiguration',
        plugins: [
          {
            name: 'MutatingAdmissionWebhook',
            configuration: {
              apiVersion: 'apiserver.config.k8s.io/v1',
              kind: 'WebhookAdmissionConfiguration',
              kubeConfigFile,
            },
          },
        ],
      }),
    );
    cluster = await WebhookCluster.start({
      naming: 'kubernetes',
      args: [
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${log}`,
        '--audit-log-mode=blocking',
        `--admission-control-config-file=${admission}`,
      ],
    });
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    rmSync(work, { recursive: true });
  });

  /** The annotations of the request that created an object. */
  const annotationsOf = async (resource: string, name: string) => {
    const find = (): AuditEvent | undefined =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as AuditEvent)
        .find(
          ({ verb, objectRef }) =>
            verb === 'create' && objectRef?.resource === resource && objectRef.name === name,
        );
    const { annotations = {} } = await poll(`an audit event of ${name}`, 10_000, find);
    return Object.fromEntries(
      Object.entries(annotations).filter(([key]) => !key.startsWith('authorization.')),
    );
  };

  it('the report of webhooks about a write is in the audit event of the request, and patches only from the level Request on', async () => {
    const { client, webhook } = cluster;
    const label = { op: 'add', path: '/metadata/labels', value: { a: '1' } };
    webhook.answer = admitting(() => ({
      ...patching(label),
      auditAnnotations: { why: 'policy 7', 'not/a/name': 'x' },
    }));
    const rule = { resources: ['configmaps', 'secrets'] };
    await using _mutating = await cluster.configure('mutating', 'labels', [webhookEntry(webhook, { rule })]);
    await using _broken = await cluster.configure('validating', 'broken', [
      webhookEntry(webhook, {
        rule,
        name: 'broken.example.com',
        failurePolicy: 'Ignore',
        clientConfig: { url: 'https://127.0.0.1:1/' },
      }),
    ]);
    jsonOf(await client.post(configMaps, configMap('seen')), 201);
    const mutation = {
      'mutation.webhook.admission.k8s.io/round_0_index_0':
        '{"configuration":"labels","webhook":"w.example.com","mutated":true}',
      'failed-open.validating.webhook.admission.k8s.io/round_0_index_0': 'broken.example.com',
      'w.example.com/why': 'policy 7',
    };
    const patch = `{"configuration":"labels","webhook":"w.example.com","patch":[${JSON.stringify(label)}],"patchType":"JSONPatch"}`;
    assert.deepEqual(await annotationsOf('configmaps', 'seen'), {
      ...mutation,
      'patch.webhook.admission.k8s.io/round_0_index_0': patch,
    });
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'seen' } };
    jsonOf(await client.post('/api/v1/namespaces/default/secrets', secret), 201);
    assert.deepEqual(await annotationsOf('secrets', 'seen'), mutation);
    assert.deepEqual(new Set(webhook.authorizations), new Set(['Bearer hunter2']));
    webhook.answer = admitting();
  });

  it('the report of webhooks about a write cannot replace annotations of the server', async () => {
    const { client, webhook } = cluster;
    webhook.answer = admitting(() => ({ auditAnnotations: { decision: 'forbid' } }));
    const name = 'authorization.k8s.io';
    await using _validating = await cluster.configure('validating', 'forges', [
      webhookEntry(webhook, { name }),
    ]);
    jsonOf(await client.post(configMaps, configMap('forged')), 201);
    const events = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"name":"forged"'));
    assert.ok(events.some((line) => line.includes('"authorization.k8s.io/decision":"allow"')));
    assert.ok(events.every((line) => !line.includes('"forbid"')));
    webhook.answer = admitting();
  });

  it('the report of webhooks about a write is counted in the metrics of the server', async () => {
    const { client, webhook } = cluster;
    webhook.answer = admitting(() => ({ allowed: false, status: { code: 418 } }));
    const name = 'counted.example.com';
    await using _validating = await cluster.configure('validating', 'counted', [
      webhookEntry(webhook, { name }),
    ]);
    jsonOf(await client.post(configMaps, configMap('counted')), 418);
    const { text } = await client.get('/metrics');
    const series = `{error_type="no_error",name="${name}",operation="CREATE",rejection_code="418",type="validating"} 1`;
    assert.ok(
      text.includes(`apiserver_admission_webhook_rejection_count${series}`),
      text.match(/.*rejection_count.*/g)?.join('\n'),
    );
    assert.match(
      text,
      /apiserver_admission_webhook_admission_duration_seconds_count\{name="counted\.example\.com",operation="CREATE",rejected="true",type="validating"\} 1/,
    );
    for (const [metric, labels] of [
      [
        'webhook_request_total',
        `code="418",name="${name}",operation="CREATE",rejected="true",type="validating"`,
      ],
      ['step_admission_duration_seconds_count', 'operation="CREATE",rejected="true",type="validate"'],
      [
        'controller_admission_duration_seconds_count',
        'name="ValidatingAdmissionWebhook",operation="CREATE",rejected="true",type="validate"',
      ],
    ] as const)
      assert.ok(text.includes(`\napiserver_admission_${metric}{${labels}} `), metric);
    webhook.answer = admitting();
  });

  it('the report of webhooks about a write is counted as a failure of the call, or as an ignored one, in metrics of mutating webhooks', async () => {
    const { client, webhook } = cluster;
    webhook.answer = (_review, response) => void response.writeHead(500).end();
    for (const [name, failurePolicy, code] of [
      ['closed.example.com', 'Fail', 500],
      ['open.example.com', 'Ignore', 201],
    ] as const) {
      const entry = webhookEntry(webhook, { name, failurePolicy });
      await using _mutating = await cluster.configure('mutating', 'fails', [entry]);
      jsonOf(await client.post(configMaps, configMap(failurePolicy.toLowerCase())), code);
    }
    webhook.answer = admitting();
    const { text } = await client.get('/metrics');
    for (const series of [
      'rejection_count{error_type="calling_webhook_error",name="closed.example.com",operation="CREATE",rejection_code="500",type="admit"} 1',
      'fail_open_count{name="open.example.com",type="admit"} 1',
    ])
      assert.ok(
        text.includes(`\napiserver_admission_webhook_${series}`),
        text.match(/.*_webhook_.*/g)?.join('\n'),
      );
  });

  it('the report of webhooks about a write is not a part of the time that service level indicators count', async () => {
    const { client, webhook } = cluster;
    const { promise: held, resolve: hold } = Promise.withResolvers<number>();
    webhook.answer = (review, response) => {
      const began = performance.now();
      setTimeout(() => {
        hold((performance.now() - began) / 1000);
        admitting()(review, response);
      }, 100);
    };
    const rule = { resources: ['podtemplates'] };
    await using _slow = await cluster.configure('validating', 'slow', [webhookEntry(webhook, { rule })]);
    const template = { spec: { containers: [{ name: 'c', image: 'i' }] } };
    const body = { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'slow' }, template };
    jsonOf(await client.post('/api/v1/namespaces/default/podtemplates', body), 201);
    const { text } = await client.get('/metrics');
    const sumOf = (metric: string): number => {
      const pattern = `^${metric}_sum\\{[^}]*resource="podtemplates"[^}]*verb="POST"[^}]*\\} (.*)$`;
      const [, sum] = new RegExp(pattern, 'm').exec(text) ?? [];
      assert.ok(sum !== undefined, metric);
      return Number(sum);
    };
    const excluded =
      sumOf('apiserver_request_duration_seconds') - sumOf('apiserver_request_sli_duration_seconds');
    // The sums of the text are rounded.
    assert.ok(excluded > (await held) - 1e-6, `${excluded}`);
    webhook.answer = admitting();
  });

  it('the report of webhooks about a write reaches the user of a client as warnings, within limits, also with a refusal', async () => {
    const { client, webhook } = cluster;
    const warnings = [
      'too old\r\nX-Injected: yes',
      'x'.repeat(5000),
      'für alle ✓',
      ...Array(100).fill('y'.repeat(200)),
    ];
    webhook.answer = admitting(() => ({ allowed: false, warnings }));
    await using _validating = await cluster.configure('validating', 'warns', [webhookEntry(webhook)]);
    const refused = await client.post(configMaps, configMap('warned'));
    assert.equal(refused.status, 400, refused.text);
    const header = String(refused.headers['warning']);
    assert.ok(header.length < 8192, `${header.length}`);
    assert.equal(refused.headers['x-injected'], undefined);
    assert.match(header, /^299 - "too old X-Injected: yes", 299 - "x{256}", /);
    assert.ok(header.includes(Buffer.from('"für alle ✓"').toString('latin1')), header);
    webhook.answer = admitting();
  });

  it('kubectl shows the report of webhooks about a write', async () => {
    const { webhook, server } = cluster;
    webhook.answer = admitting(() => ({ warnings: ['field x is deprecated'] }));
    await using _validating = await cluster.configure('validating', 'warns', [webhookEntry(webhook)]);
    const kubectl = (await findKubectls(`${import.meta.dirname}/../..`)).at(-1);
    assert.ok(kubectl !== undefined, 'kubectl is not installed');
    const args = ['--kubeconfig', server.adminConfig, '--server', server.url, 'create', 'configmap', 'k'];
    const created = await run(kubectl.path, args);
    assert.equal(created.code, 0, created.stderr);
    assert.match(created.stderr, /^Warning: field x is deprecated$/m);
    webhook.answer = admitting(() => ({ allowed: false, status: { code: 403, message: 'not today' } }));
    const denied = await run(kubectl.path, [...args.slice(0, -1), 'l']);
    assert.match(denied.stderr, /admission webhook "w\.example\.com" denied the request: not today/);
    webhook.answer = admitting();
  });
});
