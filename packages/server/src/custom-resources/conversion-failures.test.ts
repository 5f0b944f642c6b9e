import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import {
  convertGate,
  convertGates,
  GATE_GROUP,
  gate1,
  gate2,
  gatesPath,
} from '../testing/gate-definition.ts';
import { Gates, ok } from '../testing/gates.ts';
import { type AnswerReview, type Review, reviewAnswer, sendJson } from '../testing/webhook-server.ts';

describe('a conversion webhook', () => {
  for (const [reviewVersions, expected] of [
    [['v1'], 'v1'],
    [['v1beta1', 'v1'], 'v1beta1'],
    [['v3', 'v1', 'v1beta1'], 'v1'],
  ] as const) {
    it(`a conversion webhook of a definition with review versions ${reviewVersions.join(', ')} is sent ${expected}`, async () => {
      await using gates = await Gates.open({ reviewVersions });
      ok(await gates.api.post(gatesPath('v1'), gate1('a')), 201);
      const apiVersions = new Set(gates.webhook.reviews.map(({ apiVersion }) => apiVersion));
      assert.deepEqual([...apiVersions], [gates.api.names.apiVersion('apiextensions', expected)]);
    });
  }

  it('a conversion webhook that is not there fails the requests that need it, and none of the stored version', async () => {
    await using gates = await Gates.open();
    const { api, webhook } = gates;
    ok(await api.post(gatesPath('v2'), gate2('a')), 201);
    await webhook.stop();
    for (const answer of [
      await api.get(gatesPath('v1', 'a')),
      await api.get(gatesPath('v1')),
      await api.post(gatesPath('v1'), gate1('b')),
      await api.put(gatesPath('v1', 'a'), gate1('a')),
      await api.patch(gatesPath('v1', 'a'), { spec: { port: 2 } }),
      await api.get(gatesPath('v1', 'a', '/scale')),
    ]) {
      assert.equal(answer.status, 500, answer.text);
      assert.match(
        answer.json.message,
        /^conversion webhook for net\.example\.com\/v[12], Kind=Gate failed: Post "https:\/\/127\.0\.0\.1:\d+\/convert": /,
      );
    }
    const watch = await api.watch(`${gatesPath('v1')}?watch=true`);
    await watch.ended;
    assert.deepEqual(
      [watch.events.length, watch.events[0].type, watch.events[0].object.code],
      [1, 'ERROR', 500],
    );
    ok(await api.get(gatesPath('v2', 'a')));
    ok(await api.get(gatesPath('v2')));
    ok(await api.patch(gatesPath('v2', 'a'), { spec: { address: 'i:2' } }));
    assert.equal(ok(await api.get(`${gatesPath('v1', 'none')}`), 404).json.reason, 'NotFound');
    await webhook.start();
    assert.deepEqual(ok(await api.get(gatesPath('v1', 'a'))).json.spec, { host: 'i', port: 2 });
    ok(await api.delete(gatesPath('v2', 'a')));
  });

  it('a conversion webhook that is not there fails a deletion through the other version that finalizers delay, before it starts', async () => {
    await using gates = await Gates.open();
    const { api, webhook } = gates;
    const held = gate2('a', 'h:1', { finalizers: ['example.com/hold'] });
    for (const object of [held, gate2('b')]) ok(await api.post(gatesPath('v2'), object), 201);
    await webhook.stop();
    assert.equal((await api.delete(gatesPath('v1', 'a'))).status, 500);
    assert.equal(ok(await api.get(gatesPath('v2', 'a'))).json.metadata.deletionTimestamp, undefined);
    // The reply to a deletion that takes place contains no object.
    ok(await api.delete(gatesPath('v1', 'b')));
    await webhook.start();
    const started = ok(await api.delete(gatesPath('v1', 'a')));
    assert.deepEqual(
      [started.json.spec, typeof started.json.metadata.deletionTimestamp],
      [{ host: 'h', port: 1 }, 'string'],
    );
  });

  it('a conversion webhook that hangs is given up after 30 s', async () => {
    await using gates = await Gates.open();
    const { api, webhook } = gates;
    ok(await api.post(gatesPath('v2'), gate2('a')), 201);
    webhook.answer = () => undefined;
    const answer = api.get(gatesPath('v1', 'a'));
    await until(async () => webhook.reviews.length === 1, 'the webhook was asked');
    await api.env.clock.advanceAsync(30_000);
    assert.match(ok(await answer, 500).json.message, /failed: it did not respond within 30 s$/);
  });

  it('a conversion webhook is measured by definition, versions and success', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    ok(await api.post(gatesPath('v1'), gate1('a')), 201);
    const text = api.env.metrics.text();
    assert.match(
      text,
      /apiserver_crd_webhook_conversion_duration_seconds_count\{crd_name="gates\.net\.example\.com",from_version="v1",succeeded="true",to_version="v2"\} 1/,
    );
  });

  it('an object whose conversion violates the schema is shown as it is by reads, and refused by writes', async () => {
    await using gates = await Gates.open();
    const { api, webhook } = gates;
    ok(await api.post(gatesPath('v2'), gate2('a')), 201);
    webhook.answer = returning((object) => ({ ...object, spec: { host: 7 } }));
    assert.deepEqual(ok(await api.get(gatesPath('v1', 'a'))).json.spec, { host: 7 });
    const refused = await api.post(gatesPath('v1'), gate1('b'));
    assert.deepEqual(
      [refused.status, refused.json.details.causes[0].field],
      [422, 'spec.host'],
      refused.text,
    );
  });

  const failed = /^conversion webhook for net\.example\.com\/v2, Kind=Gate /;
  const returning = (change: (converted: Review, index: number) => Review): AnswerReview => {
    let index = 0;
    return (review, response) =>
      sendJson(
        response,
        reviewAnswer(review, (object, to) => change(convertGate(object, to), index++)),
      );
  };
  const withResponse =
    (change: (answer: Review) => void): AnswerReview =>
    (review, response) => {
      const answer = reviewAnswer(review, convertGate);
      change(answer);
      sendJson(response, answer);
    };
  const withMetadata = (metadata: object): AnswerReview =>
    returning((object) => ({ ...object, metadata: { ...object.metadata, ...metadata } }));
  const raw =
    (text: string): AnswerReview =>
    (_review, response) =>
      response.end(text);
  const REORDERED = 'objects in another order';
  const answers: readonly (readonly [title: string, answer: AnswerReview, problem: RegExp])[] = [
    ['another name', withMetadata({ name: 'z' }), /index 0: must have the same name: a != z$/],
    ['another namespace', withMetadata({ namespace: 'z' }), /must have the same namespace: default != z$/],
    ['another uid', withMetadata({ uid: 'z' }), /must have the same uid: .* != z$/],
    [
      'a label that is a number',
      withMetadata({ labels: { a: 1 } }),
      /invalid metadata in object at index 0: metadata.labels/,
    ],
    [
      'annotations that are a list',
      withMetadata({ annotations: [] }),
      /metadata.annotations is not an object$/,
    ],
    [
      'metadata that is text',
      returning((object) => ({ ...object, metadata: 'none' })),
      /metadata is not an object$/,
    ],
    [
      'the wrong version',
      returning((object) => ({ ...object, apiVersion: `${GATE_GROUP}/v2` })),
      /invalid groupVersion \(expected net\.example\.com\/v1, received net\.example\.com\/v2\)$/,
    ],
    [
      'another kind',
      returning((object) => ({ ...object, kind: 'Wall' })),
      /invalid kind \(expected Gate, received Wall\)$/,
    ],
    ['a list instead of an object', returning(() => []), /it is not an object$/],
    ['a number instead of an object', returning(() => 7), /it is not an object$/],
    [
      'too few objects',
      withResponse(({ response }) => response.convertedObjects.pop()),
      /returned 1 objects, expected 2$/,
    ],
    [
      'too many objects',
      withResponse(({ response }) => response.convertedObjects.push({})),
      /returned 3 objects, expected 2$/,
    ],
    [
      REORDERED,
      withResponse(({ response }) => response.convertedObjects.reverse()),
      /index 0: must have the same name: a != b$/,
    ],
    [
      'no objects',
      withResponse(({ response }) => delete response.convertedObjects),
      /returned 0 objects, expected 2$/,
    ],
    ['no response', withResponse((answer) => delete answer.response), /failed: no response provided$/],
    [
      'the uid of another request',
      withResponse(({ response }) => {
        response.uid = 'z';
      }),
      /failed: expected response.uid=".*", got "z"$/,
    ],
    [
      'another version of the review',
      withResponse((answer) => {
        answer.apiVersion = 'z/v9';
      }),
      /failed: expected webhook response of apiextensions\.orch\.io\/v1, Kind=ConversionReview, got z\/v9, Kind=ConversionReview$/,
    ],
    [
      'a failure with a message',
      withResponse(({ response }) => {
        response.result = { status: 'Failure', message: 'no such gate' };
      }),
      /failed: no such gate$/,
    ],
    [
      'a failure without a message',
      withResponse(({ response }) => {
        response.result = { status: 'Failure' };
      }),
      /failed: response\.result\.status was 'Failure', not 'Success'$/,
    ],
    [
      'a megabyte of message',
      withResponse(({ response }) => {
        response.result = { message: 'x'.repeat(1_000_000) };
      }),
      /failed: x{1024}\.\.\.$/,
    ],
    ['a list', raw('[]'), /failed: expected webhook response to be an object$/],
    ['what is not JSON', raw('{"response":'), /its answer is not JSON$/],
    ['nothing', raw(''), /its answer is not JSON$/],
    ['nesting without end', raw('['.repeat(100_000)), /its answer is not JSON$/],
    ['status 500', (_review, response) => sendJson(response, {}, 500), /it answered 500$/],
    [
      'a redirect',
      (_review, response) => {
        response.writeHead(307, { location: 'https://127.0.0.1:1/' });
        response.end();
      },
      /it answered 307$/,
    ],
    [
      'a gigabyte',
      (_review, response) => {
        const part = Buffer.alloc(1024 * 1024, 0x20);
        const more = (): void => {
          while (!response.destroyed && response.write(part));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
      /its answer is too large$/,
    ],
    [
      'half an answer',
      (_review, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{');
        setImmediate(() => response.destroy());
      },
      /failed: Post .*the connection was closed before the end of its answer$/,
    ],
    [
      '__proto__ fields',
      returning((object) =>
        JSON.parse(
          JSON.stringify(object)
            .replace('"kind"', '"__proto__":{"kind":"Wall"},"kind"')
            .replace('"kind":"Gate"', '"kinds":"Gate"'),
        ),
      ),
      /invalid kind \(expected Gate, received \)$/,
    ],
  ];
  for (const [title, answer, problem] of answers) {
    it(`a conversion webhook that answers with ${title} is refused, and what is stored stays as it is`, async () => {
      await using gates = await Gates.open();
      const { api, webhook } = gates;
      for (const name of ['a', 'b']) ok(await api.post(gatesPath('v2'), gate2(name)), 201);
      const before = ok(await api.get(gatesPath('v2')));
      webhook.answer = answer;
      const list = await api.get(gatesPath('v1'));
      assert.equal(list.status, 500, list.text.slice(0, 300));
      assert.match(list.json.message, failed);
      assert.match(list.json.message, problem);
      const patched = await api.patch(gatesPath('v1', 'a'), { spec: { port: 3 } });
      // One object has no order.
      assert.equal(patched.status, title === REORDERED ? 200 : 500, patched.text);
      if (title !== REORDERED) assert.equal(ok(await api.get(gatesPath('v2'))).text, before.text);
      webhook.answer = convertGates;
      assert.equal(ok(await api.get(gatesPath('v1'))).json.items.length, 2);
    });
  }
});
