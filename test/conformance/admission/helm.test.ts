import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Status } from '@orch/machinery';
import { admitting, patching, WebhookServer } from '@orch/server/testing';
import { buildHelm, HelmSession } from '../helm-session.ts';

const helm = await buildHelm();

const configMaps = '/api/v1/namespaces/default/configmaps';
const group = '/apis/admissionregistration.k8s.io/v1';
const mutating = `${group}/mutatingwebhookconfigurations`;
const validating = `${group}/validatingwebhookconfigurations`;

const configuration = (kind: string, phase: string): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}
metadata:
  name: {{ .Release.Name }}
webhooks:
  - name: ${phase}.example.com
    clientConfig:
      url: {{ .Values.${phase}.url }}
      caBundle: {{ .Values.${phase}.caBundle }}
    rules:
      - operations: [CREATE, UPDATE]
        apiGroups: [""]
        apiVersions: [v1]
        resources: [configmaps]
    failurePolicy: {{ .Values.failurePolicy }}
    sideEffects: None
    admissionReviewVersions: [v1]
`;

/** A chart with webhooks of both phases; where they listen is in its values. */
const guard = {
  'Chart.yaml': 'apiVersion: v2\nname: guard\nversion: 0.1.0\n',
  'values.yaml': 'failurePolicy: Fail\n',
  'templates/mutating.yaml': configuration('MutatingWebhookConfiguration', 'mutating'),
  'templates/validating.yaml': configuration('ValidatingWebhookConfiguration', 'validating'),
};

/** A chart of a user of the cluster, with an object that the webhooks review. */
const settings = {
  'Chart.yaml': 'apiVersion: v2\nname: settings\nversion: 0.1.0\n',
  'values.yaml': 'mode: safe\n',
  'templates/settings.yaml': `
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  mode: {{ .Values.mode }}
`,
};

const configMap = (name: string, mode: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { mode },
});

const marksReviewed = admitting(() => patching({ op: 'add', path: '/data/reviewed', value: 'yes' }));
const refusesUnsafe = admitting(({ object }) =>
  object.data?.mode === 'unsafe'
    ? { allowed: false, status: { code: 403, message: 'mode must not be unsafe' } }
    : undefined,
);
const denied = 'admission webhook "validating.example.com" denied the request: mode must not be unsafe';

if (helm.kind === 'missing') {
  describe('helm with a chart that has webhooks', () => {
    it.skip(`helm installs webhooks that are in effect: ${helm.reason}`, () => {});
  });
} else {
  const { program } = helm;

  describe('helm with a chart that has webhooks', { timeout: 120_000 }, () => {
    let session: HelmSession;
    let mutator: WebhookServer;
    let validator: WebhookServer;
    let chart: string;
    let values: string;
    let application: string;

    before(async () => {
      mutator = await WebhookServer.start(marksReviewed);
      validator = await WebhookServer.start(refusesUnsafe);
      session = await HelmSession.start(program, { release: 'latest' });
      const addressOf = ({ url, caBundle }: WebhookServer): object => ({ url, caBundle });
      const addresses = { mutating: addressOf(mutator), validating: addressOf(validator) };
      chart = session.write('guard', guard);
      values = join(
        session.write('values', { 'addresses.json': JSON.stringify(addresses) }),
        'addresses.json',
      );
      application = session.write('settings', settings);
    });
    after(async () => {
      await session[Symbol.asyncDispose]();
      await mutator.stop();
      await validator.stop();
    });

    /** Runs a command that changes configurations, and waits until the server has them: it applies those in its cache. */
    const change = async (...args: readonly string[]): Promise<string> => {
      const output = await session.ok(...args, '--wait', '--timeout=50s');
      for (const collection of [mutating, validating]) await session.get(collection);
      return output;
    };
    const create = (name: string, mode: string) =>
      session.server.client.post(configMaps, configMap(name, mode));
    const assertRefused = async (name: string, message: string | RegExp, status = 403): Promise<void> => {
      const answer = await create(name, 'unsafe');
      assert.equal(answer.status, status, answer.text);
      const { message: found = '' } = answer.json as Status;
      if (typeof message === 'string') assert.equal(found, message);
      else assert.match(found, message);
    };

    it('helm install creates webhooks with the authorities of its values, and they review writes', async () => {
      assert.match(await change('install', 'guard', chart, '--values', values), /^STATUS: deployed$/m);
      for (const [collection, { caBundle }] of [
        [mutating, mutator],
        [validating, validator],
      ] as const) {
        const { webhooks } = await session.get(`${collection}/guard`);
        const [{ clientConfig }] = webhooks as readonly [{ readonly clientConfig: object }];
        assert.equal((clientConfig as { readonly caBundle: string }).caBundle, caBundle);
      }
      await assertRefused('a', denied);
      assert.equal((await create('b', 'safe')).status, 201);
      const { data } = await session.get(`${configMaps}/b`);
      assert.deepEqual(data, { mode: 'safe', reviewed: 'yes' });
    });

    it('helm prints the message of a webhook that refuses an object of a chart, and the release failed', async () => {
      await session.ok('install', 'app', application);
      const { code, stderr } = await session.raw('upgrade', 'app', application, '--set=mode=unsafe');
      assert.equal(code, 1);
      assert.ok(stderr.includes(denied), stderr);
      assert.match(await session.ok('history', 'app'), /^2\s.*failed/m);
      const { data } = await session.get(`${configMaps}/app`);
      assert.deepEqual(data, { mode: 'safe', reviewed: 'yes' });
      await session.ok('uninstall', 'app');
    });

    it('helm upgrade changes the failure policy of webhooks: writes are admitted while they do not run', async () => {
      await change('upgrade', 'guard', chart, '--reuse-values', '--set=failurePolicy=Ignore');
      await assertRefused('c', denied);
      await mutator.stop();
      await validator.stop();
      assert.equal((await create('c', 'unsafe')).status, 201);
    });

    it('helm rollback restores the failure policy: writes are refused while the webhooks do not run', async () => {
      await change('rollback', 'guard', '1');
      const failed = /^Internal error occurred: failed calling webhook "mutating\.example\.com": /;
      await assertRefused('d', failed, 500);
      await mutator.start();
      await validator.start();
      await assertRefused('d', denied);
    });

    it('helm uninstall removes the webhooks, and writes are no longer reviewed', async () => {
      await change('uninstall', 'guard');
      for (const collection of [mutating, validating])
        assert.deepEqual((await session.get(collection))['items'], []);
      const reviewed = [mutator.reviews.length, validator.reviews.length];
      assert.equal((await create('e', 'unsafe')).status, 201);
      assert.deepEqual([mutator.reviews.length, validator.reviews.length], reviewed);
    });
  });
}
