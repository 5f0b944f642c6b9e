import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cloneJson } from '@orch/machinery/json';
import { typesAt } from '../../lifecycle.ts';
import { setPath } from '../../testing/set-path.ts';
import { writePath } from '../../testing/write-path.ts';
import { auditregistrationGroup } from '../group.ts';
import { auditSinks } from './index.ts';

const path = writePath();
const valid = {
  metadata: { name: 's' },
  spec: { policy: { level: 'Metadata' }, webhook: { clientConfig: { url: 'https://audit.example/events' } } },
};
const create = (set: Readonly<Record<string, unknown>>) => {
  const input: Record<string, unknown> = cloneJson(valid);
  for (const [at, value] of Object.entries(set)) setPath(input, at, value);
  return path.create(auditSinks, input);
};
const config = 'spec.webhook.clientConfig';
const service = (fields: object) => ({ [config]: { service: { namespace: 'n', name: 's', ...fields } } });

describe('audit sinks', () => {
  for (const [title, set, expected] of [
    ['are valid', {}, []],
    ['may be services', service({ path: '/a/b/' }), []],
    [
      'say how much is recorded',
      { 'spec.policy.level': undefined },
      ['FieldValueRequired spec.policy.level'],
    ],
    [
      'record what can be recorded',
      { 'spec.policy.level': 'All' },
      ['FieldValueNotSupported spec.policy.level'],
    ],
    [
      'record when it can be recorded',
      { 'spec.policy.stages': ['Panic', 'Later'] },
      ['FieldValueNotSupported spec.policy.stages[1]'],
    ],
    ['are reached somehow', { [config]: {} }, [`FieldValueRequired ${config}`]],
    [
      'are reached in one way',
      { [`${config}.service`]: { namespace: 'n', name: 's' } },
      [`FieldValueRequired ${config}`],
    ],
    [
      'name their service',
      { [config]: { service: {} } },
      [`FieldValueRequired ${config}.service.namespace`, `FieldValueRequired ${config}.service.name`],
    ],
    ['listen on a port', service({ port: 65_536 }), [`FieldValueInvalid ${config}.service.port`]],
    ['have an absolute path', service({ path: 'a' }), [`FieldValueInvalid ${config}.service.path`]],
    ['have a plain path', service({ path: '/a//b' }), [`FieldValueInvalid ${config}.service.path`]],
    [
      'take events at some rate',
      { 'spec.webhook.throttle': { qps: 0, burst: -1 } },
      ['FieldValueInvalid spec.webhook.throttle.qps', 'FieldValueInvalid spec.webhook.throttle.burst'],
    ],
    ...(['', 'nothing', 'ftp://a/', 'https://u:p@a/', 'https://a/?q', 'https://a/#f', 'https://'] as const)
      .filter((url) => url !== '')
      .map(
        (url) =>
          [
            `are not reached at ${url}`,
            { [`${config}.url`]: url },
            [`FieldValueInvalid ${config}.url`],
          ] as const,
      ),
  ] as const) {
    it(title, () => {
      assert.deepEqual(
        create(set).errors.map(({ type, field }) => `${type} ${field}`),
        expected,
      );
    });
  }

  it('audit sinks are sent some events in a second, and to the usual port', () => {
    assert.deepEqual(create(service({})).object['spec'], {
      policy: { level: 'Metadata', stages: null },
      webhook: {
        throttle: { qps: 10, burst: 15 },
        clientConfig: { service: { namespace: 'n', name: 's', port: 443 } },
      },
    });
    const { object } = create({ 'spec.webhook.throttle': { qps: 1 } });
    assert.deepEqual((object['spec'] as typeof valid.spec & { webhook: object }).webhook, {
      throttle: { qps: 1, burst: 15 },
      clientConfig: { url: 'https://audit.example/events' },
    });
  });

  it('audit sinks are not served from 1.19 on, and before only when enabled', () => {
    assert.deepEqual(typesAt('1.18', auditregistrationGroup.types), []);
    assert.equal(typesAt('1.18', auditregistrationGroup.types, () => true).length, 1);
    assert.deepEqual(
      typesAt('1.19', auditregistrationGroup.types, () => true),
      [],
    );
  });
});
