import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { writePath } from '../testing/write-path.ts';
import { causes } from '../testing/writes.ts';
import { evictions } from './eviction/index.ts';
import { evictionRequests } from './eviction-request/index.ts';

const path = writePath(undefined, '1.37');
const { now } = path.context;
const after = (seconds: number): string =>
  new Date(Date.parse(now) + seconds * 1000).toISOString().replace('.000', '');
const metadata = { name: 'e', namespace: 'default' };
const pod = { name: 'p', uid: '0b9dcf3c-1d5c-4b1f-8a67-9f1b8f2ad9d4' };
const requested = (fields: object): object => ({
  metadata,
  spec: { target: { pod }, requester: 'example.com/drainer', intent: 'Eviction', ...fields },
});

describe('requests for evictions', () => {
  for (const [title, fields, ...expected] of [
    ['of a pod', {}],
    ['of nothing', { target: {} }, 'FieldValueInvalid spec.target'],
    [
      'of a pod without identity',
      { target: { pod: { name: 'p' } } },
      'FieldValueRequired spec.target.pod.uid',
    ],
    [
      'of a pod whose identity is none',
      { target: { pod: { name: 'p', uid: 'P' } } },
      'FieldValueInvalid spec.target.pod.uid',
    ],
    ['of a requester without a domain', { requester: 'drainer' }, 'FieldValueInvalid spec.requester'],
    ['of the system', { requester: 'drain.orch.io/x' }, 'FieldValueInvalid spec.requester'],
    ['of the system itself', { requester: 'orch.io/x' }, 'FieldValueInvalid spec.requester'],
    ['with another intent', { intent: 'Maybe' }, 'FieldValueNotSupported spec.intent'],
  ] as const)
    it(`the errors of requests ${title} are reported`, () =>
      assert.deepEqual(causes(path.create(evictionRequests, requested(fields))), expected));

  it('requests are withdrawn, and keep requester and target', () => {
    const { object } = path.create(evictionRequests, requested({}));
    const change = (fields: object) => causes(path.update(evictionRequests, object, requested(fields)));
    assert.deepEqual(change({ intent: 'Withdrawn' }), []);
    assert.deepEqual(change({ requester: 'example.com/x', target: { pod: { ...pod, name: 'q' } } }), [
      'FieldValueInvalid spec.target',
      'FieldValueInvalid spec.requester',
    ]);
  });

  it('the observed generation does not decrease', () => {
    const { object } = path.create(evictionRequests, requested({}));
    const seen = (observedGeneration?: number): ApiObject => ({ ...object, status: { observedGeneration } });
    const report = (next?: number) => causes(path.update(evictionRequests, seen(2), seen(next), 'status'));
    const refused = ['FieldValueInvalid status.observedGeneration'];
    assert.deepEqual([report(3), report(1), report()], [[], refused, refused]);
  });

  it('requests are rows with target and state', () => {
    const { object } = path.create(evictionRequests, requested({}));
    const cells = (status: object) =>
      evictionRequests.table?.cells({ ...object, status }, path.names).slice(1, 6);
    const rest = ['example.com/drainer', 'Eviction'];
    assert.deepEqual(cells({}), ['p', 'Pod', 'Pending', ...rest]);
    assert.deepEqual(cells({ observedGeneration: 1 }), ['p', 'Pod', 'Progressing', ...rest]);
    const conditions = [{ type: 'Failed', status: 'True', reason: 'NoFurtherResponder' }];
    assert.deepEqual(cells({ conditions }), ['p', 'Pod', 'Failed (NoFurtherResponder)', ...rest]);
  });
});

const own = { name: 'example.com/a', priority: 10_000 };
const evictor = { name: 'imperative-eviction.orch.io/evictor', priority: 100 };
const began = { startTime: now };
const inState = (responder: object, state: string): object => ({ ...responder, state });
const progress = ({ name }: { readonly name: string }, fields: object = {}): object => ({ name, ...fields });
const [active, completed, waiting] = [
  inState(own, 'Active'),
  inState(own, 'Completed'),
  inState(evictor, 'Inactive'),
];
/** The first responder is at work. */
const started = {
  targetResponders: [active, waiting],
  responders: [progress(own, began), progress(evictor)],
};
/** As `started`, a long time ago. */
const silent = {
  ...started,
  responders: [progress(own, { startTime: after(-3600), heartbeatTime: after(-1300) }), progress(evictor)],
};
const finished = {
  targetResponders: [completed, inState(evictor, 'Active')],
  responders: [progress(own, { ...began, completionTime: now }), progress(evictor, began)],
};
/** The first responder has reported its end. */
const reported = { ...started, responders: [finished.responders[0], progress(evictor)] };
const condition = { type: 'TargetEvicted', reason: 'PodDeleted', message: '', lastTransitionTime: now };
const evicted = { conditions: [{ ...condition, status: 'True' }] };
const [turnOf, partOf] = ['status.targetResponders', 'status.responders'];

describe('progress of evictions', () => {
  const { object: eviction } = path.create(evictions, { metadata, spec: { target: { pod } } });
  for (const [title, before, next, ...expected] of [
    ['the first responder begins', {}, started],
    [
      'the second responder waits for the first',
      {},
      { ...started, targetResponders: [inState(own, 'Inactive'), inState(evictor, 'Active')] },
      `FieldValueInvalid ${turnOf}[0].state`,
      `FieldValueInvalid ${turnOf}[1].state`,
      `FieldValueRequired ${partOf}[1].startTime`,
    ],
    ['a responder completes', started, reported],
    ['the next responder begins when one has completed', reported, finished],
    [
      'a responder that is at work keeps its turn',
      started,
      {
        targetResponders: [inState(own, 'Interrupted'), inState(evictor, 'Active')],
        responders: [progress(own, began), progress(evictor, began)],
      },
      `FieldValueForbidden ${turnOf}[0].state`,
    ],
    [
      'a responder that is silent is interrupted',
      silent,
      {
        targetResponders: [inState(own, 'Interrupted'), inState(evictor, 'Active')],
        responders: [silent.responders[0], progress(evictor, began)],
      },
    ],
    [
      'the states of responders are final',
      finished,
      started,
      `FieldValueInvalid ${turnOf}[0].state`,
      `FieldValueInvalid ${turnOf}[1].state`,
      `FieldValueInvalid ${partOf}[0].completionTime`,
      `FieldValueInvalid ${partOf}[1]`,
      `FieldValueInvalid ${partOf}[1].startTime`,
    ],
    [
      'responders are not removed',
      started,
      { targetResponders: [active], responders: [progress(own, began)] },
      `FieldValueInvalid ${turnOf}`,
    ],
    [
      'low priorities are those of the system',
      {},
      {
        targetResponders: [inState({ ...own, priority: 999 }, 'Active')],
        responders: [progress(own, began)],
      },
      `FieldValueInvalid ${turnOf}[0].priority`,
    ],
    [
      'each responder reports its progress',
      {},
      { targetResponders: [active] },
      `FieldValueInvalid ${turnOf}[0]`,
      `FieldValueInvalid ${partOf}`,
    ],
    [
      'a report is about the present',
      started,
      { ...started, responders: [progress(own, { ...began, heartbeatTime: after(60) }), progress(evictor)] },
      `FieldValueInvalid ${partOf}[0].heartbeatTime`,
    ],
    [
      'an end is expected within ten years',
      started,
      {
        ...started,
        responders: [
          progress(own, { ...began, expectedCompletionTime: after(400_000_000) }),
          progress(evictor),
        ],
      },
      `FieldValueInvalid ${partOf}[0].expectedCompletionTime`,
    ],
    [
      'only the active responder reports progress',
      started,
      { ...started, responders: [progress(own, began), progress(evictor, { message: 'soon' })] },
      `FieldValueInvalid ${partOf}[1]`,
    ],
    [
      'an eviction has one condition of a type',
      {},
      { conditions: [...evicted.conditions, ...evicted.conditions] },
      'FieldValueDuplicate status.conditions[1]',
    ],
    [
      'an eviction is not undone',
      evicted,
      { conditions: [{ ...condition, status: 'False' }] },
      'FieldValueInvalid status.conditions',
    ],
    [
      'an active responder ends before its eviction does',
      started,
      { ...started, ...evicted },
      `FieldValueInvalid ${turnOf}[0].state`,
    ],
  ] as const)
    it(title, () => {
      const errors = causes(
        path.update(evictions, { ...eviction, status: before }, { ...eviction, status: next }, 'status'),
      );
      assert.deepEqual(errors.toSorted(), [...expected].sort());
    });

  it('evictions are rows with their active responder', () => {
    const cells = (status: object) => evictions.table?.cells({ ...eviction, status }, path.names).slice(4, 8);
    assert.deepEqual(cells({}), ['<unset> (0/0)', '<unset>', '<unknown>', '<none>']);
    const requesters = [
      { name: 'b/b', intent: 'Eviction' },
      { name: 'a/a', intent: 'Eviction' },
    ];
    const working = [progress(own, { ...began, expectedCompletionTime: after(5) }), progress(evictor)];
    assert.deepEqual(cells({ ...started, responders: working, requesters }), [
      'example.com/a (1/2)',
      { age: now, prefix: 'Started (', suffix: ' ago)' },
      after(5),
      'a/a + 1 more...',
    ]);
  });
});
