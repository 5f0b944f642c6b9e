import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, type ApiObject } from '@orch/machinery';
import { AdmissionChain } from '../chain.ts';
import { handlesWrite, mutated, testWrite } from '../testing/plugin-calls.ts';
import { patchResponse, TestWebhooks } from '../testing/webhook-calls.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../types.ts';
import { mutatingAdmissionWebhook } from './mutating-webhooks.ts';

const label = (name: string, value: string): object => ({
  op: 'add',
  path: `/metadata/labels/${name}`,
  value,
});
const setLabel = (name: string, value: string) => () => patchResponse(label(name, value));
const pod = (): ApiObject => ({
  kind: 'Thing',
  apiVersion: 'hub',
  metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '7', labels: {} },
  spec: {},
});

/** Passes an object to the mutating plugins, as a write does. */
async function admitted(
  webhooks: TestWebhooks,
  write: Partial<AdmissionAttributes> = {},
  others: readonly AdmissionPlugin[] = [],
): Promise<ApiObject | undefined> {
  const plugins = [...others, mutatingAdmissionWebhook(webhooks.parts())];
  const chain = new AdmissionChain(plugins, webhooks.parts());
  const attributes = testWrite({ object: pod(), ...write });
  await chain.admissionOf(attributes)?.mutate(attributes);
  return attributes.object;
}

const refusal = async (call: Promise<unknown>): Promise<{ code: number; message: string }> => {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return { code: error.status.code, message: error.status.message ?? '' };
  }
  throw new Error('the write was admitted');
};

describe('mutating webhooks', () => {
  it('mutating webhooks are called in the order of the names of their configurations, each with the object that the one before left', async () => {
    const webhooks = new TestWebhooks();
    webhooks.configure('mutating', 'b', { 'third.b.io': { respond: setLabel('c', '3') } });
    webhooks.configure('mutating', 'a', {
      'second.a.io': { respond: setLabel('b', '2') },
      'first.a.io': { respond: setLabel('a', '1') },
    });
    const object = await admitted(webhooks);
    assert.deepEqual(webhooks.called, ['second.a.io', 'first.a.io', 'third.b.io']);
    assert.deepEqual(object?.metadata.labels, { b: '2', a: '1', c: '3' });
    const labels = webhooks.requests.map(
      ({ object: sent }) => (sent as unknown as ApiObject).metadata.labels,
    );
    assert.deepEqual(labels, [{}, { b: '2' }, { b: '2', a: '1' }]);
  });

  it('mutating webhooks do not handle writes that no rule matches', () => {
    const webhooks = new TestWebhooks();
    const plugin = mutatingAdmissionWebhook(webhooks.parts());
    const write = testWrite({ object: pod() });
    assert.equal(handlesWrite(plugin, write), false);
    const rule = { operations: ['DELETE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
    webhooks.configure('mutating', 'a', { 'a.a.io': { rules: [rule] } });
    assert.equal(handlesWrite(plugin, write), false);
    webhooks.configure('mutating', 'b', { 'b.a.io': {} });
    assert.equal(handlesWrite(plugin, write), true);
    webhooks.remove('mutating', 'b');
    assert.equal(handlesWrite(plugin, write), false);
  });

  it('mutating webhooks may handle any write until their configurations are loaded, for which writes wait', async () => {
    const webhooks = new TestWebhooks();
    const { promise, resolve } = Promise.withResolvers<void>();
    webhooks.source.loading = promise;
    const writing = admitted(webhooks);
    webhooks.configure('mutating', 'a', { 'a.a.io': { respond: setLabel('a', '1') } });
    webhooks.source.loading = undefined;
    resolve();
    assert.deepEqual((await writing)?.metadata.labels, { a: '1' });
  });

  it('mutating webhooks keep their connections when another webhook changes, and close those of webhooks that are removed', async () => {
    const webhooks = new TestWebhooks();
    webhooks.configure('mutating', 'a', { 'a.a.io': {} });
    webhooks.configure('mutating', 'b', { 'b.a.io': {} });
    const plugin = mutatingAdmissionWebhook(webhooks.parts());
    const call = async () => mutated(plugin, testWrite({ object: pod() }));
    await call();
    webhooks.configure('mutating', 'b', { 'b.a.io': { timeoutSeconds: 3 } });
    await call();
    assert.deepEqual([webhooks.opened.length, webhooks.closed], [3, 1]);
    webhooks.remove('mutating', 'a');
    await call();
    assert.deepEqual([webhooks.opened.length, webhooks.closed], [3, 2]);
  });
});

describe('second calls of mutating webhooks', () => {
  const table: readonly (readonly [
    what: string,
    policies: readonly string[],
    changes: readonly boolean[],
    called: readonly string[],
  ])[] = [
    [
      'IfNeeded is called again when a later webhook changed the object',
      ['IfNeeded', 'Never'],
      [false, true],
      ['0', '1', '0'],
    ],
    ['Never is called once', ['Never', 'Never'], [false, true], ['0', '1']],
    ['IfNeeded is called once when nothing changed later', ['IfNeeded', 'Never'], [true, false], ['0', '1']],
    [
      'the webhook that made the last change is not called again',
      ['Never', 'IfNeeded'],
      [false, true],
      ['0', '1'],
    ],
    [
      'of three, those before the last change are called again',
      ['IfNeeded', 'IfNeeded', 'IfNeeded'],
      [false, true, false],
      ['0', '1', '2', '0'],
    ],
  ];
  for (const [what, policies, changes, called] of table)
    it(what, async () => {
      const webhooks = new TestWebhooks();
      const entries = policies.map((reinvocationPolicy, i) => [
        `${i}.a.io`,
        { reinvocationPolicy, respond: changes[i] ? setLabel(`l${i}`, 'x') : () => ({}) },
      ]);
      webhooks.configure('mutating', 'a', Object.fromEntries(entries));
      await admitted(webhooks);
      assert.deepEqual(
        webhooks.called,
        called.map((i) => `${i}.a.io`),
      );
    });

  it('second calls of mutating webhooks follow changes that built-in plugins make in their own second call', async () => {
    const webhooks = new TestWebhooks();
    webhooks.configure('mutating', 'a', {
      'a.a.io': { reinvocationPolicy: 'IfNeeded', respond: setLabel('a', '1') },
    });
    const labelled: AdmissionPlugin = {
      name: 'Labels',
      handles: () => true,
      mutate({ object }) {
        if (object?.metadata.labels?.['a'] === '1') object.metadata.labels = { a: '1', b: '2' };
        return undefined;
      },
    };
    const object = await admitted(webhooks, {}, [labelled]);
    assert.deepEqual(object?.metadata.labels, { a: '1', b: '2' });
    assert.deepEqual(webhooks.called, ['a.a.io', 'a.a.io']);
  });

  it('second calls of mutating webhooks are annotated as the second round', async () => {
    const webhooks = new TestWebhooks();
    webhooks.configure('mutating', 'c', {
      'a.a.io': { reinvocationPolicy: 'IfNeeded' },
      'b.a.io': { respond: setLabel('a', '1') },
    });
    const annotations: Record<string, readonly [unknown, string | undefined]> = {};
    const report = {
      warn: () => {},
      annotate: (key: string, value: string, level?: string) => {
        annotations[key] = [JSON.parse(value), level];
      },
      exclude: () => {},
      step: () => {},
    };
    await admitted(webhooks, { report });
    const mutation = 'mutation.webhook.admission.orch.io/round_';
    const first = { configuration: 'c', webhook: 'a.a.io', mutated: false };
    const second = { configuration: 'c', webhook: 'b.a.io', mutated: true };
    assert.deepEqual(annotations, {
      [`${mutation}0_index_0`]: [first, undefined],
      [`${mutation}0_index_1`]: [second, undefined],
      [`${mutation}1_index_0`]: [first, undefined],
      'patch.webhook.admission.orch.io/round_0_index_1': [
        { configuration: 'c', webhook: 'b.a.io', patch: [label('a', '1')], patchType: 'JSONPatch' },
        'Request',
      ],
    });
  });
});

describe('service level indicators of writes with mutating webhooks', () => {
  it('service level indicators exclude the sum of the times of their calls, also of those that failed', async () => {
    const webhooks = new TestWebhooks();
    const taking = (ms: number, answer: () => object) => () => {
      webhooks.env.clock.advance(ms);
      return answer();
    };
    const fail = (): object => {
      throw new Error('connection refused');
    };
    webhooks.configure('mutating', 'c', {
      'a.a.io': { respond: taking(20, () => ({})) },
      'b.a.io': { respond: taking(30, fail), failurePolicy: 'Ignore' },
    });
    let excludedMs = 0;
    const exclude = (ms: number): void => {
      excludedMs += ms;
    };
    await admitted(webhooks, { report: { warn: () => {}, annotate: () => {}, exclude, step: () => {} } });
    assert.equal(excludedMs, 50);
  });
});

describe('patches of webhooks', () => {
  const set = (path: string, value: unknown): object => ({ op: 'add', path, value });
  const forbidden: readonly (readonly [what: string, patch: object])[] = [
    ['kind', set('/kind', 'Other')],
    ['apiVersion', set('/apiVersion', 'v2')],
    ['metadata.name', set('/metadata/name', 'other')],
    ['metadata.namespace', set('/metadata/namespace', 'other')],
    ['metadata.namespace', { op: 'remove', path: '/metadata/namespace' }],
    ['metadata.uid', set('/metadata/uid', 'other')],
    ['metadata.resourceVersion', set('/metadata/resourceVersion', '8')],
  ];
  const respond = (...operations: readonly object[]): TestWebhooks => {
    const webhooks = new TestWebhooks();
    // Connection failures of the webhook would be ignored; its response is not.
    webhooks.configure('mutating', 'a', {
      'w.a.io': { failurePolicy: 'Ignore', respond: () => patchResponse(...operations) },
    });
    return webhooks;
  };

  for (const [field, operation] of forbidden)
    it(`patches of webhooks must not change ${field}: ${JSON.stringify(operation)}`, async () => {
      assert.deepEqual(await refusal(admitted(respond(operation), { oldObject: pod() })), {
        code: 500,
        message: `Internal error occurred: admission webhook "w.a.io" attempted to modify ${field}, which it may not change`,
      });
    });

  for (const [what, operation, message] of [
    ['a missing path', { op: 'remove', path: '/spec/none' }, /cannot be applied/],
    ['the whole object', { op: 'replace', path: '', value: 'text' }, /not an object/],
    ['the metadata', { op: 'remove', path: '/metadata' }, /not an object/],
    ['an unknown operation', { op: 'merge', path: '/spec' }, /cannot be applied/],
  ] as const)
    it(`patches of webhooks that cannot be applied fail the write: ${what}`, async () => {
      const { code, message: text } = await refusal(admitted(respond(operation)));
      assert.equal(code, 500);
      assert.match(text, message);
    });

  for (const [what, operations, message] of [
    [
      'operations than permitted',
      Array.from({ length: 10_001 }, () => set('/spec/a', 1)),
      /at most 10000 operations/,
    ],
    [
      'copied bytes than permitted, by copies of copies',
      [
        set('/spec/list', ['x'.repeat(1000)]),
        ...Array.from({ length: 20 }, () => ({ op: 'copy', from: '/spec/list', path: '/spec/list/-' })),
      ],
      /copies more than \d+ bytes/,
    ],
    [
      'levels than permitted',
      [
        set('/spec/a', {}),
        ...Array.from({ length: 600 }, () => ({ op: 'move', from: '/spec/a', path: '/spec/b' })).flatMap(
          (move) => [move, set('/spec/a', {}), { op: 'move', from: '/spec/b', path: '/spec/a/b' }],
        ),
      ],
      /deeper than 500 levels/,
    ],
  ] as const)
    it(`patches with more ${what} fail the write`, async () => {
      const { code, message: text } = await refusal(admitted(respond(...operations)));
      assert.equal(code, 500);
      assert.match(text, message);
    });

  const undecodable: readonly (readonly [title: string, patch: string])[] = [
    ['a patch that is not JSON', '[{'],
    ['a patch that is not a list', '{"op":"add"}'],
    ['a patch with an operation that is not an object', '["add"]'],
    ['a patch with a number that no client can read', '[{"op":"add","path":"/spec/a","value":1e400}]'],
  ];
  for (const [title, patch] of undecodable)
    for (const failurePolicy of ['Ignore', 'Fail'] as const)
      it(`${title} is a failed call, on which the policy ${failurePolicy} decides`, async () => {
        const webhooks = new TestWebhooks();
        const response = { patchType: 'JSONPatch', patch: Buffer.from(patch).toString('base64') };
        webhooks.configure('mutating', 'a', { 'w.a.io': { failurePolicy, respond: () => response } });
        if (failurePolicy === 'Ignore') {
          assert.deepEqual(await admitted(webhooks), pod());
          return;
        }
        const { code, message } = await refusal(admitted(webhooks));
        assert.equal(code, 500);
        assert.match(message, /failed calling webhook "w\.a\.io": received invalid webhook response/);
      });

  it('a patch may name the last item of a list with -1', async () => {
    const operation = { op: 'add', path: '/list', value: ['a', 'b'] };
    const patched = await admitted(respond(operation, { op: 'replace', path: '/list/-1', value: 'c' }));
    assert.deepEqual(patched?.['list'], ['a', 'c']);
  });

  it('patches of webhooks may set the name of an object whose name would be generated', async () => {
    const object: ApiObject = { metadata: { generateName: 'p-', namespace: 'n' } };
    const named = await admitted(respond(set('/metadata/name', 'p-1')), { object });
    assert.equal(named?.metadata.name, 'p-1');
  });

  it('patches of webhooks do not change what the server sets: the uid of a new object, times, generation and managed fields', async () => {
    const patched = await admitted(
      respond(
        set('/metadata/uid', 'other'),
        set('/metadata/creationTimestamp', '2001-02-03T04:05:06Z'),
        set('/metadata/generation', 9),
      ),
    );
    assert.deepEqual(patched, pod());
  });

  it('patches of webhooks do not change managed fields', async () => {
    const object: ApiObject = { metadata: { name: 'p', namespace: 'n', managedFields: [{ manager: 'm' }] } };
    const patched = await admitted(respond(set('/metadata/managedFields', []), set('/data', 'x')), {
      object,
    });
    assert.deepEqual([patched?.metadata.managedFields, patched?.['data']], [[{ manager: 'm' }], 'x']);
  });

  it('patches for a deletion fail the write', async () => {
    const { code, message } = await refusal(
      admitted(respond(set('/data', 'x')), { object: undefined, oldObject: pod() }),
    );
    assert.equal(code, 500);
    assert.match(message, /attempted to modify the object, which is not supported for this operation/);
  });

  it('without operations change nothing', async () => {
    assert.deepEqual(await admitted(respond()), pod());
  });

  it('patches of webhooks that are decoded to the same object are not a change', async () => {
    const webhooks = respond(set('/spec', {}));
    webhooks.configure('mutating', '0', { 'before.a.io': { reinvocationPolicy: 'IfNeeded' } });
    await admitted(webhooks);
    assert.deepEqual(webhooks.called, ['before.a.io', 'w.a.io']);
  });
});
