import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { asObject, cloneJson } from '@orch/machinery/json';
import { typesAt } from '../../lifecycle.ts';
import type { ResourceType } from '../../resource-type.ts';
import { describeLensLaws } from '../../testing/lens-laws.ts';
import { setPath } from '../../testing/set-path.ts';
import { writePath } from '../../testing/write-path.ts';
import { events } from './index.ts';

const causes = (errors: readonly { readonly type: string; readonly field: string }[]): readonly string[] =>
  errors.map(({ type, field }) => `${type} ${field}`);

const core = writePath(undefined, '1.24', { version: 'v1' });
const v1 = writePath(undefined, '1.24', { version: 'events/v1' });
const v1beta1 = writePath(undefined, '1.24', { version: 'events/v1beta1' });

const seen = '2024-01-01T00:00:00.000001Z';
const time = '2024-01-01T00:00:00Z';
const reference = { kind: 'Pod', namespace: 'm', name: 'p', uid: 'u' };

/** The same event in both groups: each line of spec 9.4, and what has the same name in both. */
const older = {
  metadata: { name: 'e', namespace: 'm' },
  involvedObject: reference,
  reason: 'Started',
  message: 'it runs',
  source: { component: 'agent', host: 'n1' },
  firstTimestamp: time,
  lastTimestamp: '2024-01-01T00:00:09Z',
  count: 3,
  type: 'Normal',
  eventTime: seen,
  series: { count: 4, lastObservedTime: seen },
  action: 'Starting',
  related: { kind: 'Node', name: 'n1' },
  reportingComponent: 'a.io/agent',
  reportingInstance: 'agent-1',
};
const newer = {
  metadata: { name: 'e', namespace: 'm' },
  eventTime: seen,
  series: { count: 4, lastObservedTime: seen },
  reportingController: 'a.io/agent',
  reportingInstance: 'agent-1',
  action: 'Starting',
  reason: 'Started',
  regarding: reference,
  related: { kind: 'Node', name: 'n1' },
  note: 'it runs',
  type: 'Normal',
  deprecatedSource: { component: 'agent', host: 'n1' },
  deprecatedFirstTimestamp: time,
  deprecatedLastTimestamp: '2024-01-01T00:00:09Z',
  deprecatedCount: 3,
};

const bare = (object: ApiObject): unknown => {
  const copy = cloneJson(object);
  delete copy.metadata.creationTimestamp;
  return copy;
};

describe('events of both groups', () => {
  it('events of both groups are one event, read through its own group', () => {
    const { object, errors } = core.create(events, older);
    assert.deepEqual(errors, []);
    for (const path of [v1, v1beta1]) assert.deepEqual(bare(path.show(events, object)), newer);
  });

  it('events of both groups are one event, written through its own group', () => {
    const { object, errors } = v1beta1.create(events, newer);
    assert.deepEqual(errors, []);
    assert.deepEqual(bare(object), older);
  });

  it('events of both groups are stored as core events and are one resource', () => {
    for (const release of ['1.15', '1.19', '1.24', '1.27']) {
      const [definition] = typesAt(release, [events]);
      assert.deepEqual([definition?.stored.group, definition?.stored.version], [undefined, 'v1']);
    }
  });

  it('events of both groups are selected under the names that each group has', () => {
    const { object } = core.create(events, older);
    for (const { group, version, differs } of events.versions) {
      const labels = Object.entries(differs?.fields ?? {});
      assert.equal(labels.length, group === 'events' ? 10 : 0, version);
      for (const [, label] of labels) assert.ok(label in events.fields, label);
      const value = (label: string): unknown => events.fields[differs?.fields?.[label] ?? '']?.(object);
      if (group === undefined) continue;
      assert.deepEqual(
        [value('regarding.name'), value('regarding.namespace'), value('reportingController'), value('type')],
        ['p', 'm', 'a.io/agent', 'Normal'],
      );
    }
  });
});

describe('new events', () => {
  const minimal = {
    metadata: { name: 'e' },
    eventTime: seen,
    reportingController: 'a.io/b',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    type: 'Normal',
    regarding: { namespace: 'm' },
  };
  const withSet = (set: Readonly<Record<string, unknown>>) => {
    const input: Record<string, unknown> = cloneJson(minimal);
    for (const [at, value] of Object.entries(set)) setPath(input, at, value);
    return input;
  };

  for (const [title, set, inV1, inV1Beta1] of [
    ['say when they were first seen', { eventTime: undefined }, ['FieldValueRequired eventTime'], []],
    ['are Normal or Warning', { type: 'Odd' }, ['FieldValueInvalid type'], []],
    ['have a type', { type: undefined }, ['FieldValueInvalid type'], []],
    [
      'have empty deprecated fields: first',
      { deprecatedFirstTimestamp: time },
      ['FieldValueInvalid firstTimestamp'],
      [],
    ],
    [
      'have empty deprecated fields: last',
      { deprecatedLastTimestamp: time },
      ['FieldValueInvalid lastTimestamp'],
      [],
    ],
    ['have empty deprecated fields: count', { deprecatedCount: 2 }, ['FieldValueInvalid count'], []],
    [
      'have empty deprecated fields: source',
      { deprecatedSource: { host: 'n' } },
      ['FieldValueInvalid source'],
      [],
    ],
    [
      'are a series from two on',
      { series: { count: 1, lastObservedTime: seen } },
      ['FieldValueInvalid series.count'],
      [],
    ],
    ['have names as other objects have', { 'metadata.name': 'A_' }, ['FieldValueInvalid metadata.name'], []],
    [
      'say who reports them',
      { reportingController: undefined },
      ['FieldValueRequired reportingController', 'FieldValueInvalid reportingController'],
      ['FieldValueRequired reportingController', 'FieldValueInvalid reportingController'],
    ],
    [
      'say which of them reports',
      { reportingInstance: undefined },
      ['FieldValueRequired reportingInstance'],
      ['FieldValueRequired reportingInstance'],
    ],
    [
      'say what was done, and why',
      { action: undefined, reason: undefined },
      ['FieldValueRequired action', 'FieldValueRequired reason'],
      ['FieldValueRequired action', 'FieldValueRequired reason'],
    ],
    [
      'name the namespace of what they are about',
      { 'regarding.namespace': undefined },
      ['FieldValueInvalid involvedObject.namespace'],
      ['FieldValueInvalid involvedObject.namespace'],
    ],
  ] as const) {
    it(`new events: ${title} in v1${inV1Beta1.length > 0 ? ' and before' : ', not before'}`, () => {
      assert.deepEqual(causes(v1.create(events, withSet(set)).errors), inV1);
      assert.deepEqual(causes(v1beta1.create(events, withSet(set)).errors), inV1Beta1);
    });
  }
});

describe('events of the core group', () => {
  const errorsOf = (release: string, set: Readonly<Record<string, unknown>>): unknown => {
    const event = cloneJson(older);
    for (const [at, value] of Object.entries(set)) setPath(event, at, value);
    return causes(writePath(undefined, release).create(events, event).errors);
  };

  it('an event without a reporter has errors with the name of the field from release 1.25 on', () => {
    const absent = { reportingComponent: undefined };
    assert.deepEqual(
      ['1.24', '1.25'].map((release) => errorsOf(release, absent)),
      ['reportingController', 'reportingComponent'].map((name) => [
        `FieldValueRequired ${name}`,
        `FieldValueInvalid ${name}`,
      ]),
    );
  });

  it('the metadata of a core event is checked only where the rest is valid, and with fewer rules', () => {
    const made = (metadata: object, rest: object = {}): readonly string[] =>
      causes(core.create(events, { ...older, metadata: { namespace: 'm', ...metadata }, ...rest }).errors);
    assert.deepEqual(made({ name: 'e', finalizers: ['a'] }), []);
    assert.deepEqual(made({ name: 'a/b' }), ['FieldValueInvalid metadata.name']);
    assert.deepEqual(made({ name: 'a/b' }, { action: '' }), ['FieldValueRequired action']);
  });

  it('an event without a time is in the namespace of its object, and a new one may be in another', () => {
    const elsewhere = { 'involvedObject.namespace': 'other' };
    assert.deepEqual(errorsOf('1.36', elsewhere), []);
    assert.deepEqual(errorsOf('1.36', { ...elsewhere, eventTime: undefined }), [
      'FieldValueInvalid involvedObject.namespace',
    ]);
  });
});

describe('updates of events', () => {
  const typeOf = (release: string): ResourceType => {
    const [type] = typesAt(release, [events]);
    assert.ok(type);
    return type;
  };
  const { object: stored } = core.create(events, older);
  const change = (path: typeof v1, set: Readonly<Record<string, unknown>>, release = '1.24') => {
    const next = path.show(events, stored) as ApiObject & Record<string, unknown>;
    for (const [at, value] of Object.entries(set)) setPath(next, at, value);
    return causes(path.update(typeOf(release), stored, next).errors);
  };

  it('updates of events through v1 carry on a series and nothing else', () => {
    assert.deepEqual(change(v1, { 'series.count': 5, 'metadata.labels': { a: 'b' } }), []);
    assert.deepEqual(change(v1, { 'series.count': 1 }), ['FieldValueInvalid series.count']);
    for (const [name, path] of [
      ['note', 'message'],
      ['reason', 'reason'],
      ['action', 'action'],
      ['reportingController', 'reportingController'],
      ['related.name', 'related'],
      ['deprecatedSource.host', 'source'],
    ] as const) {
      assert.deepEqual(change(v1, { [name]: 'other' }), [`FieldValueInvalid ${path}`]);
    }
  });

  it('updates of events through older versions, and in older releases, may change anything', () => {
    assert.deepEqual(change(v1beta1, { note: 'other', type: 'Odd' }), []);
    assert.deepEqual(change(v1, { note: 'other' }, '1.20'), []);
  });

  it('updates of events through v1 may carry on what an older client began', () => {
    const { object } = core.create(events, {
      metadata: { name: 'e' },
      involvedObject: { namespace: 'm' },
      count: 1,
    });
    const next = v1.show(events, object);
    next.metadata.labels = { a: 'b' };
    assert.deepEqual(causes(v1.update(typeOf('1.24'), object, next).errors), []);
  });
});

describe('states of series', () => {
  const input = { ...older, series: { ...older.series, state: 'Ongoing' } };
  for (const [release, state] of [
    ['1.18', 'Ongoing'],
    ['1.19', undefined],
  ] as const) {
    it(`states of series are ${state === undefined ? 'gone' : 'there'} in ${release}, in both groups`, () => {
      const { object } = writePath(undefined, release).create(events, input);
      assert.equal(asObject(object['series'])['state'], state);
      const shown = writePath(undefined, release, { version: 'events/v1beta1' }).show(events, object);
      assert.equal(asObject(shown['series'])['state'], state);
    });
  }
});

// The newest version was added after states had been removed.
describeLensLaws(events, {
  tidy(object, { group }) {
    const { series } = object as { series?: Record<string, unknown> };
    if (group === undefined) delete series?.['state'];
  },
});
