import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { writePath } from '../testing/write-path.ts';
import { causes, edited } from '../testing/writes.ts';
import { mutatingWebhookConfigurations } from './mutating-webhook-configuration.ts';
import { checkWebhookUrl } from './shared/validation/service-address.ts';
import { validatingWebhookConfigurations } from './validating-webhook-configuration.ts';

const now = writePath();
const older = writePath(undefined, '1.20', { version: 'admissionregistration/v1beta1' });

const webhook = (rest: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  name: 'a.b.io',
  clientConfig: { service: { namespace: 'x', name: 'y' } },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...rest,
});
const configuration = (...webhooks: readonly unknown[]): Record<string, unknown> => ({
  metadata: { name: 'w' },
  webhooks,
});

describe('webhook configurations of the older version', () => {
  const lenient = configuration(
    webhook({ sideEffects: 'Some' }),
    webhook({ sideEffects: undefined, admissionReviewVersions: undefined }),
  );

  it('webhook configurations of the older version may have duplicate names, side effects, and no review versions', () => {
    const written = older.create(validatingWebhookConfigurations, lenient);
    assert.deepEqual(causes(written), []);
    const [, second] = written.object['webhooks'] as readonly Record<string, unknown>[];
    assert.deepEqual(
      [second?.['sideEffects'], second?.['admissionReviewVersions'], second?.['failurePolicy']],
      ['Unknown', ['v1beta1'], 'Ignore'],
    );
  });

  it('webhook configurations of the older version stay writable in the newer one, which tolerates their stored violations', () => {
    const { object } = older.create(validatingWebhookConfigurations, lenient);
    const next = edited(object, { 'webhooks[0].timeoutSeconds': 5 });
    assert.deepEqual(causes(now.update(validatingWebhookConfigurations, object, next)), []);
    assert.deepEqual(causes(now.create(validatingWebhookConfigurations, lenient)), [
      'FieldValueNotSupported webhooks[0].sideEffects',
      'FieldValueRequired webhooks[1].sideEffects',
      'FieldValueRequired webhooks[1].admissionReviewVersions',
      'FieldValueDuplicate webhooks[1].name',
    ]);
  });

  it('webhook configurations of the older version that were strict stay strict in the newer one', () => {
    const { object } = now.create(validatingWebhookConfigurations, configuration(webhook()));
    const next = edited(object, { 'webhooks[0].sideEffects': 'Some' });
    assert.deepEqual(causes(now.update(validatingWebhookConfigurations, object, next)), [
      'FieldValueNotSupported webhooks[0].sideEffects',
    ]);
    assert.deepEqual(causes(older.update(validatingWebhookConfigurations, object, next)), []);
  });
});

describe('rules of webhooks', () => {
  const of = (rule: Readonly<Record<string, unknown>>): readonly string[] =>
    causes(
      now.create(
        validatingWebhookConfigurations,
        configuration(
          webhook({
            rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], ...rule }],
          }),
        ),
      ),
    );
  const path = 'webhooks[0].rules[0].resources';

  for (const [resources, errors] of [
    [['*/*'], []],
    [['*', '*/status'], []],
    [['pods', 'pods/status'], []],
    [['pods/*', 'nodes/status'], []],
    [['*/status', 'pods/status'], [`FieldValueInvalid ${path}[1]`]],
    [['pods/*', 'pods/log'], [`FieldValueInvalid ${path}[1]`]],
    [['*', 'pods'], [`FieldValueInvalid ${path}`]],
    [['*/*', '*'], [`FieldValueInvalid ${path}`]],
    [[''], [`FieldValueRequired ${path}[0]`]],
  ] as const) {
    it(`rules of webhooks are validated for ${JSON.stringify(resources)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(of({ resources }), errors));
  }
});

describe('addresses of webhooks', () => {
  for (const [url, isFine] of [
    ['https://example.com', true],
    ['https://example.com:8443/path/', true],
    ['https://[2001:db8::1]/x', true],
    ['HTTPS://example.com', true],
    ['http://example.com', false],
    ['https:/example.com', false],
    ['https:example.com', false],
    ['https:///example.com', false],
    ['https://', false],
    ['https://@example.com', false],
    ['https://user:secret@example.com', false],
    ['https://example.com\\@evil.example', false],
    ['https://example.com/a?b', false],
    ['https://example.com#', true],
    ['https://example.com#x', false],
    [' https://example.com', false],
    ['https://exa\nmple.com', false],
    ['//example.com', false],
    ['', false],
  ] as const) {
    it(`the webhook URL ${JSON.stringify(url)} is ${isFine ? 'valid' : 'rejected'}`, () =>
      assert.equal(checkWebhookUrl('url', url).length === 0, isFine));
  }
});

describe('conditions of webhooks', () => {
  const withCondition = configuration(
    webhook({
      matchConditions: [
        { name: 'a', expression: 'true' },
        { name: 'a', expression: '' },
      ],
    }),
  );

  it('conditions of webhooks are there with their gate only', () => {
    const closed = writePath(undefined, '1.27').create(mutatingWebhookConfigurations, withCondition);
    assert.equal(JSON.stringify(closed.object).includes('matchConditions'), false);
    const openGates = new Set(['AdmissionWebhookMatchConditions']);
    const open = writePath(undefined, '1.27', { openGates }).create(
      mutatingWebhookConfigurations,
      withCondition,
    );
    assert.deepEqual(causes(open), [
      'FieldValueRequired webhooks[0].matchConditions[1].expression',
      'FieldValueDuplicate webhooks[0].matchConditions[1].name',
    ]);
  });

  const openGates = new Set(['AdmissionWebhookMatchConditions']);
  const gated = writePath(undefined, '1.27', { openGates });
  const conditionOf = (expression: string) =>
    configuration(webhook({ matchConditions: [{ name: 'a', expression }] }));

  for (const [expression, isFine] of [
    ["object.metadata.name == 'a' || oldObject == null", true],
    ["request.userInfo.username != 'a' && authorizer.path('/a').check('get').allowed()", true],
    ['object.metadata.name', false],
    ['object.metadata.name ==', false],
    ['params == null', false],
    ['namespaceObject == null', false],
    ['variables.a == null', false],
  ] as const) {
    it(`the condition ${expression} of a webhook is ${isFine ? 'valid' : 'rejected'}`, () =>
      assert.deepEqual(
        causes(gated.create(validatingWebhookConfigurations, conditionOf(expression))),
        isFine ? [] : ['FieldValueInvalid webhooks[0].matchConditions[0].expression'],
      ));
  }

  it('conditions of webhooks that were valid once do not prevent other changes', () => {
    const { object } = gated.create(validatingWebhookConfigurations, conditionOf('true'));
    const stored = edited(object, { 'webhooks[0].matchConditions[0].expression': 'removedFunction()' });
    const next = edited(stored, { 'webhooks[0].timeoutSeconds': 5 });
    assert.deepEqual(causes(gated.update(validatingWebhookConfigurations, stored, next)), []);
    const wrong = edited(object, { 'webhooks[0].matchConditions[0].expression': 'removedFunction()' });
    assert.deepEqual(causes(gated.update(validatingWebhookConfigurations, object, wrong)), [
      'FieldValueInvalid webhooks[0].matchConditions[0].expression',
    ]);
  });
});

describe('webhook configurations', () => {
  it('webhook configurations show how many webhooks they hold', () => {
    const { object } = now.create(
      mutatingWebhookConfigurations,
      configuration(webhook(), webhook({ name: 'c.b.io' })),
    );
    assert.deepEqual(mutatingWebhookConfigurations.table?.cells(object, namesFor('orch')).slice(0, 2), [
      'w',
      2,
    ]);
  });

  it('webhook configurations end after a hundred errors, however many webhooks there are', () => {
    const many = Array.from({ length: 2000 }, () => webhook({ rules: [{}] }));
    const { errors } = now.create(validatingWebhookConfigurations, configuration(...many));
    assert.ok(errors.length > 100 && errors.length < 2000, String(errors.length));
  });

  it('webhook configurations end after a hundred errors, however many rules a webhook has', () => {
    const rules = Array.from({ length: 2000 }, () => ({}));
    const { errors } = now.create(validatingWebhookConfigurations, configuration(webhook({ rules })));
    assert.ok(errors.length >= 100 && errors.length < 2000, String(errors.length));
  });

  it('webhook configurations with more errors in one rule than a call has arguments are refused', () => {
    const resources = Array.from({ length: 300_000 }, () => '');
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources }];
    const { errors } = now.create(validatingWebhookConfigurations, configuration(webhook({ rules })));
    assert.equal(errors[0]?.field, 'webhooks[0].rules[0].resources[0]');
  });
});

describe('webhook configurations', () => {
  const create = (input: unknown) => causes(now.create(validatingWebhookConfigurations, input));

  it('webhook configurations may have finalizers without a domain', () => {
    const input = { ...configuration(webhook()), metadata: { name: 'w', finalizers: ['a'] } };
    assert.deepEqual(create(input), []);
  });

  it('webhook configurations do not take an empty string for a missing policy', () => {
    const empty = { failurePolicy: '', matchPolicy: '' };
    assert.deepEqual(create(configuration(webhook(empty))), [
      'FieldValueNotSupported webhooks[0].failurePolicy',
      'FieldValueNotSupported webhooks[0].matchPolicy',
    ]);
  });

  it('webhook configurations report a missing name once', () =>
    assert.deepEqual(create(configuration(webhook({ name: '' }), webhook({ name: '' }))), [
      'FieldValueRequired webhooks[0].name',
      'FieldValueRequired webhooks[1].name',
    ]));
});
