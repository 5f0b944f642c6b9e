import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, type ApiObject, namesFor } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { ConfigFileError, ConfigValue } from '@orch/machinery/yaml';
import { testWrite, validated } from '../testing/plugin-calls.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../types.ts';
import { eventRateLimit, type TakeEventTokens } from './event-rate-limit.ts';

const names = namesFor('orch');
const kind = 'apiVersion: eventratelimit.admission.orch.io/v1alpha1\nkind: Configuration\n';

const pluginOf = (text: string, clock = new FakeClock()): AdmissionPlugin =>
  eventRateLimit({ configuration: () => ConfigValue.parse(text, 'rates.yaml'), names, clock });

const pluginWith = (limits: readonly object[], clock?: FakeClock): AdmissionPlugin =>
  pluginOf(`${kind}limits: ${JSON.stringify(limits)}\n`, clock);

const event = (fields: object = {}, namespace = 'ns'): ApiObject => ({
  metadata: { name: 'e', namespace },
  ...fields,
});

const creating = (object = event(), rest: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  testWrite({ resource: 'events', object, ...rest });

const by = (name: string): AdmissionAttributes =>
  creating(event(), { user: { name, uid: '', groups: [], extra: {} } });

/** The type and key of the limit that refuses a write; `admitted` otherwise. */
function outcomeOf(plugin: AdmissionPlugin, write: AdmissionAttributes): string {
  try {
    validated(plugin, write);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status.code, error.status.reason], [429, 'TooManyRequests']);
    assert.equal(error.status.details?.retryAfterSeconds, 1);
    return String(error.status.message).replace('Too many requests: limit reached on type ', '');
  }
  return 'admitted';
}

const admitted = (count: number): readonly string[] => Array.from({ length: count }, () => 'admitted');
const about = (name: string, component = 'agent'): AdmissionAttributes =>
  creating(
    event({ source: { component, host: 'h' }, involvedObject: { kind: 'Pod', namespace: 'ns', name } }),
  );

describe('admission plugin EventRateLimit', () => {
  const cases: readonly [string, readonly object[], readonly AdmissionAttributes[], readonly string[]][] = [
    [
      'events of all namespaces and users share the limit of the server',
      [{ type: 'Server', qps: 1, burst: 2 }],
      [by('alice'), creating(event({}, 'other')), by('bert')],
      [...admitted(2), 'Server for key '],
    ],
    [
      'each namespace has a separate limit',
      [{ type: 'Namespace', qps: 1, burst: 1 }],
      [creating(), creating(event({}, 'other')), creating()],
      [...admitted(2), 'Namespace for key ns'],
    ],
    [
      'each user has a separate limit',
      [{ type: 'User', qps: 1, burst: 1 }],
      [by('alice'), by('bert'), by('alice')],
      [...admitted(2), 'User for key alice'],
    ],
    [
      'each source and object has a separate limit',
      [{ type: 'SourceAndObject', qps: 1, burst: 1 }],
      [about('a'), about('b'), about('a', 'scheduler'), about('a')],
      [...admitted(3), 'SourceAndObject for key ["agent","h","Pod","ns","a","",""]'],
    ],
    [
      'the reporting component identifies events without a source',
      [{ type: 'SourceAndObject', qps: 1, burst: 1 }],
      ['x', 'y', 'x'].map((reportingComponent) => creating(event({ reportingComponent }))),
      [...admitted(2), 'SourceAndObject for key ["x","","","","","",""]'],
    ],
    [
      'the first limit without a token refuses an event',
      [
        { type: 'Server', qps: 1, burst: 3 },
        { type: 'User', qps: 1, burst: 1 },
      ],
      [by('alice'), by('alice'), by('bert'), by('carl'), by('dora')],
      ['admitted', 'User for key alice', ...admitted(2), 'Server for key '],
    ],
    [
      'of too many buckets the one that was not used for the longest time is removed',
      [{ type: 'User', qps: 1, burst: 1, cacheSize: 2 }],
      [by('alice'), by('bert'), by('alice'), by('carl'), by('alice'), by('bert')],
      [...admitted(2), 'User for key alice', 'admitted', 'User for key alice', 'admitted'],
    ],
    [
      'dry runs are neither limited nor counted',
      [{ type: 'Server', qps: 1, burst: 1 }],
      [creating(event(), { dryRun: true }), creating(), creating(event(), { dryRun: true }), creating()],
      [...admitted(3), 'Server for key '],
    ],
    [
      'updates are limited as well',
      [{ type: 'Server', qps: 1, burst: 1 }],
      [creating(), creating(event(), { oldObject: event() })],
      ['admitted', 'Server for key '],
    ],
  ];
  for (const [title, limits, writes, outcomes] of cases)
    it(title, () => {
      const plugin = pluginWith(limits);
      assert.deepEqual(
        writes.map((write) => outcomeOf(plugin, write)),
        outcomes,
      );
    });

  it('tokens come back at the rate of the limit, up to its burst', async () => {
    const clock = new FakeClock();
    const plugin = pluginWith([{ type: 'Server', qps: 2, burst: 3 }], clock);
    const admittedOf = (count: number): number =>
      Array.from({ length: count }, () => outcomeOf(plugin, creating())).filter((each) => each === 'admitted')
        .length;
    assert.equal(admittedOf(9), 3);
    await clock.advance(499);
    assert.equal(admittedOf(9), 0);
    await clock.advance(1);
    assert.equal(admittedOf(9), 1);
    await clock.advance(1000);
    assert.equal(admittedOf(9), 2);
    await clock.advance(3_600_000);
    assert.equal(admittedOf(9), 3);
  });

  it('the names of an event with a megabyte are not kept', () => {
    const plugin = pluginWith([{ type: 'SourceAndObject', qps: 1, burst: 1 }]);
    const name = 'x'.repeat(1_000_000);
    assert.equal(outcomeOf(plugin, about(name)), 'admitted');
    assert.match(outcomeOf(plugin, about(name)), /^SourceAndObject for key [\w+/=]{44}$/);
    assert.equal(outcomeOf(plugin, about(`${name}y`)), 'admitted');
  });

  it('deletions and other resources are not handled', () => {
    const plugin = pluginWith([{ type: 'Server', qps: 1, burst: 1 }]);
    assert.equal(plugin.handles(testWrite({ resource: 'events', oldObject: event() })), false);
    assert.equal(plugin.handles(testWrite({ resource: 'pods', object: event() })), false);
    assert.equal(
      plugin.handles(testWrite({ group: 'example.com', resource: 'events', object: event() })),
      false,
    );
  });
});

describe('configuration of EventRateLimit', () => {
  const limit = (fields: string): string => `${kind}limits:\n- {${fields}}\n`;
  for (const [title, text, message] of [
    ['another kind', 'kind: Limits\n', /^line 1: kind: must be one of Configuration/],
    ['no limits', kind, /^line 1: limits: at least one limit is required$/],
    [
      'an unknown type',
      limit('type: Node, qps: 1, burst: 1'),
      /^line 4: limits\[0\]\.type: must be one of Server, /,
    ],
    ['no rate', limit('type: User, burst: 1'), /^line 4: limits\[0\]\.qps: is required$/],
    ['no burst', limit('type: User, qps: 1'), /^line 4: limits\[0\]\.burst: is required$/],
    [
      'a rate of 0',
      limit('type: User, qps: 0, burst: 1'),
      /^line 4: limits\[0\]\.qps: must be an integer from 1/,
    ],
    [
      'a burst that is not whole',
      limit('type: User, qps: 1, burst: 1.5'),
      /^line 4: limits\[0\]\.burst: must be an integer/,
    ],
    [
      'a negative size',
      limit('type: User, qps: 1, burst: 1, cacheSize: -1'),
      /\.cacheSize: must be an integer from 0/,
    ],
    [
      'an unknown field',
      limit('type: User, qps: 1, burst: 1, size: 1'),
      /^line 4: limits\[0\]\.size: unknown field/,
    ],
  ] as const)
    it(`a configuration file with ${title} is invalid`, () => {
      assert.throws(
        () => pluginOf(text),
        (error) => {
          assert.ok(error instanceof ConfigFileError);
          assert.match(error.message, message);
          return true;
        },
      );
    });

  it('threads that use the buckets of one of them admit together as many events as one thread', async () => {
    const configuration = () =>
      ConfigValue.parse(`${kind}limits: [{ type: User, qps: 1, burst: 3 }]\n`, 'rates.yaml');
    const parts = { configuration, names, clock: new FakeClock() };
    let takeOfFirst: TakeEventTokens | undefined;
    const first = eventRateLimit({
      ...parts,
      eventTokens(own) {
        takeOfFirst = own;
        return own;
      },
    });
    const further = eventRateLimit({ ...parts, eventTokens: () => async (keys) => takeOfFirst?.(keys) });
    const outcomes: string[] = [];
    for (const plugin of [first, further, further, first, further])
      outcomes.push(
        await Promise.resolve()
          .then(() => plugin.validate?.(by('alice')))
          .then(() => 'admitted', String),
      );
    const refused = 'ApiError: Too many requests: limit reached on type User for key alice';
    assert.deepEqual(outcomes, [...admitted(3), refused, refused]);
  });

  it('the plugin requires a configuration', () => {
    const create = (): AdmissionPlugin =>
      eventRateLimit({ configuration: () => undefined, names, clock: new FakeClock() });
    assert.throws(create, new ConfigFileError('', 'EventRateLimit is enabled and requires a configuration'));
  });
});
