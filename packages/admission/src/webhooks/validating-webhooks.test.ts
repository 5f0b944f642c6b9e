import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, type ApiObject } from '@orch/machinery';
import { testWrite } from '../testing/plugin-calls.ts';
import { testResource } from '../testing/versioned-resources.ts';
import { patchResponse, type Respond, TestWebhooks } from '../testing/webhook-calls.ts';
import type { AdmissionAttributes } from '../types.ts';
import { validatingAdmissionWebhook } from './validating-webhooks.ts';

const object: ApiObject = { metadata: { name: 'p', namespace: 'n', labels: { a: '1' } } };

/** The outcome of a write: `admitted`, or the code and the message of the refusal. */
async function outcomeOf(webhooks: TestWebhooks, write: Partial<AdmissionAttributes> = {}): Promise<string> {
  const plugin = validatingAdmissionWebhook(webhooks.parts());
  try {
    await plugin.validate?.(testWrite({ object, ...write }));
    return 'admitted';
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return `${error.status.code} ${error.status.message}`;
  }
}

const deny =
  (status?: object): Respond =>
  () => ({ allowed: false, ...(status === undefined ? {} : { status }) });
const raw =
  (value: unknown): Respond =>
  () => ({ raw: value });
const DENIED = 'admission webhook "w.a.io" denied the request';
const FAILED = 'Internal error occurred: failed calling webhook "w.a.io":';
const INVALID = `${FAILED} received invalid webhook response:`;
const broken: Respond = () => Promise.reject(new Error('connection refused'));

interface Row {
  readonly what: string;
  readonly respond?: Respond;
  readonly fields?: object;
  readonly write?: Partial<AdmissionAttributes>;
  /** The beginning of the outcome. */
  readonly outcome: string;
}

const table: readonly Row[] = [
  { what: 'an answer that allows the write', outcome: 'admitted' },
  { what: 'a denial without a status', respond: deny(), outcome: `400 ${DENIED} without explanation` },
  {
    what: 'a denial with a message',
    respond: deny({ code: 403, message: 'no' }),
    outcome: `403 ${DENIED}: no`,
  },
  {
    what: 'a denial with a reason only',
    respond: deny({ code: 409, reason: 'Conflict' }),
    outcome: `409 ${DENIED}: Conflict`,
  },
  {
    what: 'a denial with the code of a success',
    respond: deny({ code: 200, message: 'no' }),
    outcome: `400 ${DENIED}: no`,
  },
  {
    what: 'a denial with a code that is none',
    respond: deny({ code: 7000 }),
    outcome: `400 ${DENIED} without`,
  },
  {
    what: 'a denial is not subject to the failure policy',
    respond: deny(),
    fields: { failurePolicy: 'Ignore' },
    outcome: '400 ',
  },
  {
    what: 'a webhook that cannot be called',
    respond: broken,
    outcome: `500 ${FAILED} failed to call webhook: connection refused`,
  },
  {
    what: 'a failure that is ignored',
    respond: broken,
    fields: { failurePolicy: 'Ignore' },
    outcome: 'admitted',
  },
  {
    what: 'an answer that is not an object',
    respond: raw('x'),
    outcome: `500 ${INVALID} it is not an object`,
  },
  {
    what: 'an answer that is ignored as invalid',
    respond: raw('x'),
    fields: { failurePolicy: 'Ignore' },
    outcome: 'admitted',
  },
  {
    what: 'an answer of another kind',
    respond: raw({ kind: 'Status', apiVersion: 'v1' }),
    outcome: `500 ${INVALID} expected webhook response of admission.orch.io/v1, Kind=AdmissionReview`,
  },
  {
    what: 'an answer without a response',
    respond: raw({ kind: 'AdmissionReview', apiVersion: 'admission.orch.io/v1' }),
    outcome: `500 ${INVALID} webhook response was absent`,
  },
  {
    what: 'an answer to another request',
    respond: () => ({ uid: 'other' }),
    outcome: `500 ${INVALID} expected response.uid=`,
  },
  {
    what: 'an answer without a decision is a denial',
    respond: ({ uid }) => ({
      raw: { kind: 'AdmissionReview', apiVersion: 'admission.orch.io/v1', response: { uid } },
    }),
    outcome: '400 ',
  },
  {
    what: 'a decision that is a string',
    respond: () => ({ allowed: 'true' }),
    outcome: `500 ${INVALID} response.allowed`,
  },
  {
    what: 'a patch of a validating webhook',
    respond: () => patchResponse({}),
    outcome: `500 ${INVALID} validating webhook may not return response.patch`,
  },
  {
    what: 'a patch of a validating webhook in the older version',
    fields: { admissionReviewVersions: ['v1beta1'] },
    respond: () => patchResponse({}),
    outcome: 'admitted',
  },
  {
    what: 'an answer in the older version without uid, kind and apiVersion',
    fields: { admissionReviewVersions: ['v2', 'v1beta1'] },
    respond: raw({ response: { allowed: true } }),
    outcome: 'admitted',
  },
  {
    what: 'no version that is known',
    fields: { admissionReviewVersions: ['v2'] },
    outcome: `500 ${FAILED} it accepts no known version of AdmissionReview`,
  },
  {
    what: 'no known version, ignored',
    fields: { admissionReviewVersions: ['v2'], failurePolicy: 'Ignore' },
    outcome: 'admitted',
  },
  {
    what: 'a dry run with a webhook that has side effects',
    fields: { sideEffects: 'Some', failurePolicy: 'Ignore' },
    write: { dryRun: true },
    outcome: '400 admission webhook "w.a.io" does not support dry run',
  },
  {
    what: 'a dry run with unknown side effects',
    fields: { sideEffects: 'Unknown' },
    write: { dryRun: true },
    outcome: '400 ',
  },
  {
    what: 'a dry run without side effects then',
    fields: { sideEffects: 'NoneOnDryRun' },
    write: { dryRun: true },
    outcome: 'admitted',
  },
  {
    what: 'a webhook whose side effects do not matter',
    fields: { sideEffects: 'Some' },
    outcome: 'admitted',
  },
  {
    what: 'match conditions that hold',
    fields: { matchConditions: [{ name: 'c', expression: "object.metadata.name == 'p'" }] },
    respond: deny(),
    outcome: '400 ',
  },
  {
    what: 'match conditions that do not hold',
    fields: { matchConditions: [{ name: 'c', expression: "request.operation == 'DELETE'" }] },
    respond: deny(),
    outcome: 'admitted',
  },
  {
    what: 'match conditions that cannot be evaluated',
    fields: { matchConditions: [{ name: 'c', expression: 'object.none == 1' }] },
    outcome: '403 pods "p" is forbidden: expression',
  },
  {
    what: 'match conditions that cannot be evaluated, ignored',
    fields: { failurePolicy: 'Ignore', matchConditions: [{ name: 'c', expression: 'object.none == 1' }] },
    respond: deny(),
    outcome: 'admitted',
  },
  {
    what: 'an object selector that does not select',
    fields: { objectSelector: { matchLabels: { a: '2' } } },
    respond: deny(),
    outcome: 'admitted',
  },
  {
    what: 'a stored selector that cannot be read',
    fields: { failurePolicy: 'Ignore', objectSelector: { matchLabels: { '-': '2' } } },
    outcome: '500 the selectors of the webhook "w.a.io" are invalid',
  },
];

describe('answers of validating webhooks', () => {
  for (const { what, respond, fields, write, outcome } of table)
    it(`${what} has the outcome ${outcome}`, async () => {
      const webhooks = new TestWebhooks();
      webhooks.configure('validating', 'a', {
        'w.a.io': { ...(respond === undefined ? {} : { respond }), ...fields },
      });
      const found = await outcomeOf(webhooks, write);
      assert.equal(found.slice(0, outcome.length), outcome);
    });

  it('the error of a match condition shows no value of an object that holds credentials', async () => {
    const webhooks = new TestWebhooks();
    const expression = 'int(object.data.pin) > 0';
    webhooks.configure('validating', 'a', { 'w.a.io': { matchConditions: [{ name: 'c', expression }] } });
    const requested = testResource({ path: 'v1/pods', holdsCredentials: true });
    const write = { object: { ...object, data: { pin: 'canary' } }, requested };
    const outcome = await outcomeOf(webhooks, write);
    assert.equal(outcome, `403 pods "p" is forbidden: expression '${expression}' resulted in error`);
  });

  it('reason and details of a denial are passed on', async () => {
    const webhooks = new TestWebhooks();
    const details = {
      name: 'x',
      causes: [{ reason: 'R', message: 'm', field: 'f', other: 1 }],
      retryAfterSeconds: 3,
      uid: 4,
    };
    webhooks.configure('validating', 'a', {
      'w.a.io': { respond: deny({ code: 429, reason: 'TooManyRequests', details }) },
    });
    const plugin = validatingAdmissionWebhook(webhooks.parts());
    await assert.rejects(
      async () => plugin.validate?.(testWrite({ object })),
      (error) => {
        assert.ok(error instanceof ApiError);
        assert.equal(error.status.reason, 'TooManyRequests');
        assert.deepEqual(error.status.details, {
          name: 'x',
          causes: [{ reason: 'R', message: 'm', field: 'f' }],
          retryAfterSeconds: 3,
        });
        return true;
      },
    );
  });

  it('conditions are ignored in releases that do not have them', async () => {
    const webhooks = new TestWebhooks();
    const matchConditions = [{ name: 'c', expression: 'false' }];
    webhooks.configure('validating', 'a', { 'w.a.io': { respond: deny(), matchConditions } });
    const plugin = validatingAdmissionWebhook(webhooks.parts({ hasMatchConditions: false }));
    await assert.rejects(async () => plugin.validate?.(testWrite({ object })));
  });
});

describe('calls of validating webhooks', () => {
  it('calls of validating webhooks run in parallel for each write', async () => {
    const webhooks = new TestWebhooks();
    const all = Promise.withResolvers<object>();
    const respond: Respond = () => {
      if (webhooks.called.length === 3) all.resolve({});
      return all.promise;
    };
    webhooks.configure('validating', 'a', {
      'a.a.io': { respond },
      'b.a.io': { respond },
      'c.a.io': { respond },
    });
    assert.equal(await outcomeOf(webhooks), 'admitted');
  });

  it('calls of validating webhooks end with the first rejection, without waiting for others', async () => {
    const webhooks = new TestWebhooks();
    webhooks.configure('validating', 'a', {
      'slow.a.io': { respond: () => new Promise(() => {}) },
      'w.a.io': { respond: deny() },
    });
    assert.equal(await outcomeOf(webhooks), `400 ${DENIED} without explanation`);
  });

  it('calls of validating webhooks have the timeout of their webhook only', async () => {
    const webhooks = new TestWebhooks();
    webhooks.configure('validating', 'a', {
      'w.a.io': { timeoutSeconds: 3, respond: () => new Promise(() => {}) },
    });
    const writing = outcomeOf(webhooks);
    await new Promise(setImmediate);
    webhooks.env.clock.advance(3000);
    assert.equal(
      await writing,
      `500 ${FAILED} failed to call webhook: it did not respond within 3 s (deadline exceeded)`,
    );
  });

  it('calls of validating webhooks end with the request, regardless of the failure policy', async () => {
    const webhooks = new TestWebhooks();
    webhooks.configure('validating', 'a', {
      'w.a.io': { failurePolicy: 'Ignore', respond: () => new Promise(() => {}) },
    });
    const controller = new AbortController();
    const reason = new Error('the request has ended');
    const plugin = validatingAdmissionWebhook(webhooks.parts());
    const writing = plugin.validate?.(testWrite({ object, signal: controller.signal }));
    await new Promise(setImmediate);
    controller.abort(reason);
    await assert.rejects(async () => writing, reason);
  });

  it('calls of validating webhooks receive an equivalent version when the rule names another one', async () => {
    const webhooks = new TestWebhooks();
    const rule = { operations: ['*'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
    webhooks.configure('validating', 'a', { 'w.a.io': { rules: [rule] } });
    const requested = testResource({
      path: 'extensions/v1beta1/deployments',
      kind: 'Deployment',
      equivalents: ['apps/v1'],
    });
    assert.equal(
      await outcomeOf(webhooks, { group: 'extensions', resource: 'deployments', requested }),
      'admitted',
    );
    const [request] = webhooks.requests;
    assert.ok(request !== undefined);
    const { kind, resource, requestKind, requestResource, object: sent } = request;
    assert.deepEqual(
      { kind, resource, requestKind, requestResource, apiVersion: sent?.['apiVersion'] },
      {
        kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
        resource: { group: 'apps', version: 'v1', resource: 'deployments' },
        requestKind: { group: 'extensions', version: 'v1beta1', kind: 'Deployment' },
        requestResource: { group: 'extensions', version: 'v1beta1', resource: 'deployments' },
        apiVersion: 'apps/v1',
      },
    );
  });

  it('calls of validating webhooks report warnings, annotations with the name of the webhook, and failures that are ignored', async () => {
    const webhooks = new TestWebhooks();
    webhooks.configure('validating', 'a', {
      'bad.a.io': { failurePolicy: 'Ignore', respond: broken },
      'w.a.io': {
        respond: () => ({ warnings: ['careful'], auditAnnotations: { seen: 'yes', 'a/b': 'x', ä: 'x' } }),
      },
    });
    const warnings: string[] = [];
    const annotations: Record<string, string> = {};
    const report = {
      warn: (text: string) => void warnings.push(text),
      annotate: (key: string, value: string) => {
        annotations[key] = value;
      },
      exclude: () => {},
      step: () => {},
    };
    assert.equal(await outcomeOf(webhooks, { report }), 'admitted');
    assert.deepEqual(warnings, ['careful']);
    assert.deepEqual(annotations, {
      'failed-open.validating.webhook.admission.orch.io/round_0_index_0': 'bad.a.io',
      'w.a.io/seen': 'yes',
    });
  });

  it('calls of validating webhooks are excluded from service level indicators until the slowest has answered', async () => {
    const webhooks = new TestWebhooks();
    const { clock } = webhooks.env;
    const [first, second] = [Promise.withResolvers<object>(), Promise.withResolvers<object>()];
    webhooks.configure('validating', 'a', {
      'a.a.io': { respond: () => first.promise },
      'b.a.io': { respond: () => second.promise },
    });
    const excluded: number[] = [];
    const exclude = (ms: number): void => void excluded.push(ms);
    const writing = outcomeOf(webhooks, {
      report: { warn: () => {}, annotate: () => {}, exclude, step: () => {} },
    });
    for (const answer of [second, first]) {
      await new Promise(setImmediate);
      clock.advance(20);
      answer.resolve({});
    }
    assert.equal(await writing, 'admitted');
    assert.deepEqual(excluded, [40]);
  });

  it('calls of validating webhooks are counted by outcome', async () => {
    const webhooks = new TestWebhooks();
    const outcomes: Parameters<TestWebhooks['configure']>[2] = {
      'allows.a.io': {},
      'fails.a.io': { respond: broken },
      'ignored.a.io': { respond: broken, failurePolicy: 'Ignore' },
      'denies.a.io': { respond: deny({ code: 403 }) },
      'dry.a.io': { sideEffects: 'Some' },
    };
    for (const [name, fields] of Object.entries(outcomes)) {
      webhooks.configure('validating', 'a', { [name]: { ...fields } });
      await outcomeOf(webhooks, { dryRun: name === 'dry.a.io' });
    }
    const lines = webhooks.env.metrics
      .text()
      .split('\n')
      .filter((line) => /webhook_(rejection|fail_open|request)/.test(line) && !line.startsWith('#'))
      .map((line) => line.replace('apiserver_admission_webhook_', ''))
      .toSorted();
    const of = (name: string): string => `name="${name}.a.io",operation="CREATE"`;
    assert.deepEqual(lines, [
      'fail_open_count{name="ignored.a.io",type="validating"} 1',
      `rejection_count{error_type="apiserver_internal_error",${of('dry')},rejection_code="0",type="validating"} 1`,
      `rejection_count{error_type="calling_webhook_error",${of('fails')},rejection_code="503",type="validating"} 1`,
      `rejection_count{error_type="no_error",${of('denies')},rejection_code="403",type="validating"} 1`,
      `request_total{code="0",${of('dry')},rejected="true",type="validating"} 1`,
      `request_total{code="200",${of('allows')},rejected="false",type="validating"} 1`,
      `request_total{code="403",${of('denies')},rejected="true",type="validating"} 1`,
      `request_total{code="503",${of('fails')},rejected="true",type="validating"} 1`,
      `request_total{code="503",${of('ignored')},rejected="false",type="validating"} 1`,
    ]);
  });
});
