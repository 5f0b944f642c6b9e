import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findKind } from '@orch/apis';
import { type ApiObject, errors, namesFor } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { settle } from '@orch/machinery/testing';
import { chunkPayload, localRequest } from '@orch/request';
import {
  codecCompiler,
  EnvelopeWriter,
  f,
  fieldHead,
  messageField,
  openEnvelope,
  protobufCompiler,
  struct,
} from '@orch/schema';
import { ProtobufEncodings } from '../encode/protobuf-encodings.ts';
import type { Answered } from '../testing/answers.ts';
import { configMap, pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const orch = namesFor('orch');
const protobuf = orch.mediaTypes.protobuf;
const codecs = codecCompiler(orch);
const messages = protobufCompiler(orch);

const schemaOf = (kind: string, group = '') =>
  (findKind(group, 'v1', kind) ?? assert.fail(`no kind ${kind}`)).schema;

/** A request body in Protobuf. */
function enveloped(kind: string, value: object, apiVersion = 'v1', group = ''): Buffer {
  const field = messageField(messages.compile(schemaOf(kind, group)), { ...value });
  return new EnvelopeWriter(kind, apiVersion).wrap(field);
}

/** The content of an answer in Protobuf, as JSON. */
function opened(bytes: Buffer, group = ''): ApiObject {
  const { kind, apiVersion, raw } = openEnvelope(bytes);
  const schema = schemaOf(kind, group);
  return codecs.compile(schema).decode({ kind, apiVersion, ...messages.compile(schema).decode(raw) }).value;
}

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;
const accept = protobuf;
const contentType = protobuf;
const partial = (list = '') => ({
  accept: `${protobuf};as=PartialObjectMetadata${list};g=meta.orch.io;v=v1`,
});

/** The list and its items, read by hand: fields 1 and 2 of the message. */
function listOf(answered: Answered, itemKind: string, group = '') {
  const { kind, apiVersion, raw } = openEnvelope(answered.bytes);
  const generic = messages.compile(schemaOf('PartialObjectMetadataList', 'meta'));
  const { metadata } = generic.decode(raw);
  const schema = schemaOf(itemKind, group);
  const items: unknown[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = raw[at++] ?? assert.fail('cut');
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < raw.length) {
    const tag = varint();
    const size = varint();
    if (tag === 0x12) {
      const message = messages.compile(schema).decode(raw.subarray(at, at + size));
      items.push(codecs.compile(schema).decode(message).value);
    } else assert.equal(tag, 0x0a);
    at += size;
  }
  return { kind, apiVersion, metadata, items };
}

/** WatchEvent with the bytes of its object. */
const EVENT = struct('test.v1.Event', 'An event.', {
  type: f.string(1),
  object: f.struct(2, struct('test.v1.Raw', 'Bytes.', { raw: f.bytes(1) })),
});

const withoutType = ({ kind: _kind, apiVersion: _apiVersion, ...rest }: Record<string, unknown>) => rest;

describe('bodies in Protobuf (spec 4.7)', () => {
  it('a Protobuf body creates and updates with any response encoding', async () => {
    await using api = await RegistryFixture.open();
    const body = enveloped('Pod', pod('a', { terminationGracePeriodSeconds: 5 }));
    const created = await api.send('POST', `${ns}/pods`, { body, contentType });
    assert.equal(created.status, 201, created.text);
    assert.equal(created.headers['Content-Type'], 'application/json');
    const twin = (await api.post(`${ns}/pods`, pod('b', { terminationGracePeriodSeconds: 5 }))).json;
    assert.deepEqual(created.json.spec, twin.spec);
    assert.deepEqual(created.json.status, twin.status);

    const changed = { ...created.json, metadata: { ...created.json.metadata, labels: { x: 'y' } } };
    const updated = await api.send('PUT', `${ns}/pods/a`, {
      body: enveloped('Pod', changed),
      contentType: `${contentType}; charset=utf-8`,
      accept,
    });
    assert.equal(updated.status, 200, updated.text);
    assert.equal(updated.headers['Content-Type'], protobuf);
    assert.deepEqual(opened(updated.bytes), (await api.get(`${ns}/pods/a`)).json);
    assert.deepEqual(opened(updated.bytes).metadata.labels, { x: 'y' });
  });

  it('strict field validation reports unknown Protobuf fields', async () => {
    await using api = await RegistryFixture.open({ release: '1.25' });
    const field = messageField(messages.compile(schemaOf('ConfigMap')), { metadata: { name: 'a' } });
    // Field 99 with a value, field 98 without, and `immutable` twice.
    const rest = Buffer.from('9806059006002001' + '2000', 'hex');
    const message = Buffer.concat([field.subarray(2), rest]);
    const body = new EnvelopeWriter('ConfigMap', 'v1').wrap(
      Buffer.concat([Buffer.from([0x12, message.length]), message]),
    );
    const send = (query: string) => api.send('POST', `${cms}${query}`, { body, contentType });
    const remarks = ['unknown field "<field 99>"', 'duplicate field "immutable"'];
    const strict = await send('?fieldValidation=Strict');
    assert.equal(strict.status, 400, strict.text);
    for (const remark of remarks) assert.ok(strict.json.message.includes(remark), strict.json.message);
    const quiet = await send('?fieldValidation=Ignore&dryRun=All');
    assert.deepEqual([quiet.status, quiet.headers['Warning']], [201, undefined]);
    const warned = await send('');
    assert.equal(warned.status, 201);
    assert.deepEqual(
      warned.headers['Warning'],
      remarks.map((remark) => `299 - ${JSON.stringify(remark)}`),
    );
  });

  it('Protobuf bodies delete, bind and evict', async () => {
    await using api = await RegistryFixture.open();
    for (const name of ['a', 'b']) await api.post(`${ns}/pods`, pod(name));
    const bound = await api.send('POST', `${ns}/pods/a/binding`, {
      body: enveloped('Binding', { metadata: { name: 'a' }, target: { kind: 'Node', name: 'n' } }),
      contentType,
      accept,
    });
    assert.equal(bound.status, 201, bound.text);
    assert.deepEqual(opened(bound.bytes, 'meta')['status'], 'Success');
    assert.equal((await api.get(`${ns}/pods/a`)).json.spec.nodeName, 'n');

    const evicted = await api.send('POST', `${ns}/pods/b/eviction`, {
      body: enveloped('Eviction', { metadata: { name: 'b' }, deleteOptions: {} }, 'policy/v1', 'policy'),
      contentType,
    });
    assert.equal(evicted.status, 201, evicted.text);
    const refused = await api.send('DELETE', `${ns}/pods/a`, {
      body: enveloped('DeleteOptions', { preconditions: { uid: 'other' } }, 'v1', 'meta'),
      contentType,
      accept,
    });
    assert.equal(refused.status, 409);
    const status = opened(refused.bytes, 'meta');
    assert.deepEqual([status['reason'], status['code']], ['Conflict', 409]);
    const deleted = await api.send('DELETE', `${ns}/pods/a`, {
      body: enveloped('DeleteOptions', { gracePeriodSeconds: 7 }, 'v1', 'meta'),
      contentType,
    });
    assert.equal(deleted.json.metadata.deletionGracePeriodSeconds, 7);
  });

  it('Protobuf bodies of Scale are accepted', async () => {
    await using api = await RegistryFixture.open();
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await api.post(`${ns}/replicationcontrollers`, {
      metadata: { name: 'r' },
      spec: { replicas: 1, selector: { a: 'b' }, template },
    });
    const scaled = await api.send('PUT', `${ns}/replicationcontrollers/r/scale`, {
      body: enveloped(
        'Scale',
        { metadata: { name: 'r', namespace: 'default' }, spec: { replicas: 3 } },
        'autoscaling/v1',
        'autoscaling',
      ),
      contentType,
      accept,
    });
    assert.equal(scaled.status, 200, scaled.text);
    assert.deepEqual(opened(scaled.bytes, 'autoscaling')['spec'], { replicas: 3 });
  });

  const body = enveloped('ConfigMap', configMap('a'));
  const refused: readonly (readonly [title: string, body: Buffer | string, code: number, message: RegExp])[] =
    [
      ['nothing', '', 400, /no body/],
      ['JSON under a false name', '{"kind":"ConfigMap"}', 400, /does not begin with the bytes 107 56 115 0/],
      [
        'a body that is cut',
        body.subarray(0, body.length - 6),
        400,
        /as Protobuf: the message ends too early/,
      ],
      ['another kind', enveloped('Secret', { metadata: { name: 'a' } }), 400, /of kind "Secret"/],
      ['another version', enveloped('ConfigMap', configMap('a'), 'v2'), 400, /\("v2"\) does not match/],
      [
        'a field of another type, with its place',
        new EnvelopeWriter('ConfigMap', 'v1').wrap(
          Buffer.concat([fieldHead(2, 4), Buffer.from('0a020801', 'hex')]),
        ),
        400,
        /metadata\.name: wire type 0 where 2 is due/,
      ],
      [
        'a length of some exabytes',
        Buffer.from('6b387300' + '12ffffffffffffffff7f', 'hex'),
        400,
        /the message ends too early/,
      ],
      ['too much', Buffer.alloc(4 * 1024 * 1024, 0x6b), 413, /limit/],
    ];
  for (const [title, bytes, code, message] of refused) {
    it(`a Protobuf body is refused: ${title}`, async () => {
      await using api = await RegistryFixture.open();
      const { status, json } = await api.send('POST', cms, { body: bytes, contentType });
      assert.equal(status, code, JSON.stringify(json));
      assert.match(json.message, message);
    });
  }

  it('a Protobuf body may omit its kind, and unknown fields of the envelope pass strict validation', async () => {
    await using api = await RegistryFixture.open();
    const field = messageField(messages.compile(schemaOf('ConfigMap')), { metadata: { name: 'a' } });
    const extended = Buffer.concat([field.subarray(2), Buffer.from('9a0601ff', 'hex')]);
    const anonymous = Buffer.concat([
      Buffer.from('6b387300', 'hex'),
      fieldHead(2, extended.length),
      extended,
    ]);
    const { status, json, headers } = await api.send('POST', `${cms}?fieldValidation=Strict`, {
      body: anonymous,
      contentType,
    });
    assert.deepEqual([status, json.kind, json.apiVersion], [201, 'ConfigMap', 'v1'], JSON.stringify(json));
    assert.equal(headers['Warning'], undefined);
  });

  it('the Protobuf media type of the other naming is refused with 415, and so are Protobuf patches', async () => {
    await using api = await RegistryFixture.open();
    const other = await api.send('POST', cms, { body, contentType: 'application/vnd.kubernetes.protobuf' });
    assert.equal(other.status, 415);
    assert.match(other.json.message, /application\/vnd\.orch\.protobuf/);
    assert.equal((await api.send('PATCH', `${cms}/a`, { body, contentType })).status, 415);
  });
});

describe('responses in Protobuf (spec 2.7, 4.7)', () => {
  it('a Protobuf get equals the JSON get', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${ns}/pods`, pod('a', {}, { annotations: { k: '<é>' }, finalizers: ['x/y'] }));
    const { json } = await api.get(`${ns}/pods/a`);
    for (const query of ['', '?resourceVersion=0', '?pretty=true']) {
      const { headers, bytes, status } = await api.get(`${ns}/pods/a${query}`, { accept });
      assert.deepEqual([status, headers['Content-Type']], [200, protobuf]);
      assert.deepEqual(opened(bytes), json);
    }
    const metadata = await api.get(`${ns}/pods/a`, partial());
    assert.deepEqual(opened(metadata.bytes, 'meta'), {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.orch.io/v1',
      metadata: json.metadata,
    });
    const missing = await api.get(`${ns}/pods/b`, { accept });
    const status = opened(missing.bytes, 'meta');
    assert.deepEqual([missing.status, missing.headers['Content-Type']], [404, protobuf]);
    assert.deepEqual(status, (await api.get(`${ns}/pods/b`)).json);
  });

  it('a Protobuf list equals the JSON list, including empty lists and pages', async () => {
    await using api = await RegistryFixture.open();
    const check = async (target: string): Promise<void> => {
      const json = (await api.get(target)).json;
      const answered = await api.get(target, { accept });
      assert.equal(answered.headers['Content-Type'], protobuf);
      const list = listOf(answered, 'ConfigMap');
      assert.deepEqual([list.kind, list.apiVersion], [json.kind, json.apiVersion]);
      assert.equal((list.metadata as ApiObject['metadata']).resourceVersion, json.metadata.resourceVersion);
      assert.deepEqual(list.items, json.items.map(withoutType));
    };
    await check(cms);
    for (const name of ['a', 'b', 'c']) await api.post(cms, configMap(name, { k: name.repeat(200) }));
    await check(cms);
    await check(`${cms}?labelSelector=x`);
    await check('/api/v1/configmaps?resourceVersion=0');
    const page = listOf(await api.get(`${cms}?limit=2`, { accept }), 'ConfigMap');
    assert.equal(page.items.length, 2);
    assert.ok(isJsonObject(page.metadata));
    assert.equal(page.metadata['remainingItemCount'], 1);
    const rest = await api.get(`${cms}?limit=2&continue=${page.metadata['continue']}`, { accept });
    assert.equal(listOf(rest, 'ConfigMap').items.length, 1);

    const metadata = listOf(await api.get(cms, partial('List')), 'PartialObjectMetadata', 'meta');
    assert.deepEqual([metadata.kind, metadata.apiVersion], ['PartialObjectMetadataList', 'meta.orch.io/v1']);
    const { items } = (await api.get(cms)).json;
    assert.deepEqual(
      metadata.items,
      items.map(({ metadata }: ApiObject) => ({ metadata })),
    );
  });

  it('a Protobuf list may contain more objects than one turn encodes', async () => {
    await using api = await RegistryFixture.open();
    for (let i = 0; i < 600; i++) await api.post(cms, configMap(`c${i}`));
    const { items } = listOf(await api.get(cms, { accept }), 'ConfigMap');
    assert.deepEqual(items, (await api.get(cms)).json.items.map(withoutType));
  });

  it('a Protobuf watch frames events with their length', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a', { k: 'v' }));
    await api.settled();
    for (const as of ['', ';as=PartialObjectMetadata;g=meta.orch.io;v=v1']) {
      const first = (await api.get(`${cms}/a`)).json;
      const request = localRequest({
        method: 'GET',
        target: `${cms}?watch=1&allowWatchBookmarks=1`,
        headers: { accept: `${protobuf}${as}` },
      });
      const reply = await api.raw(request);
      assert.ok(reply.kind === 'stream');
      assert.equal(reply.headers['Content-Type'], `${protobuf};stream=watch`);
      let bytes = Buffer.alloc(0);
      const draining = new AbortController();
      const running = reply.run(
        {
          write: () => true,
          writeFramed(frames) {
            bytes = Buffer.concat([bytes, ...frames.map((frame) => chunkPayload(frame))]);
            return true;
          },
          drained: async () => {},
        },
        { signal: request.signal, draining: draining.signal },
      );
      await settle();
      await api.put(`${cms}/a`, configMap('a', { k: `w${as}` }));
      for (let turn = 0; turn < 5; turn++) await settle();
      draining.abort();
      await running;

      const events = [];
      while (bytes.length > 0) {
        const size = bytes.readUInt32BE(0);
        const event = messages.compile(EVENT).decode(bytes.subarray(4, 4 + size));
        const raw = isJsonObject(event['object']) ? String(event['object']['raw']) : '';
        events.push([event['type'], opened(Buffer.from(raw, 'base64'), as === '' ? '' : 'meta')] as const);
        bytes = bytes.subarray(4 + size);
      }
      assert.deepEqual(
        events.map(([type]) => type),
        ['ADDED', 'MODIFIED', 'BOOKMARK'],
      );
      const second = (await api.get(`${cms}/a`)).json;
      const expected = (object: ApiObject): object =>
        as === ''
          ? object
          : { kind: 'PartialObjectMetadata', apiVersion: 'meta.orch.io/v1', metadata: object.metadata };
      assert.deepEqual(events[0]?.[1], expected(first));
      assert.deepEqual(events[1]?.[1], expected(second));
      assert.equal(events[2]?.[1].metadata.resourceVersion, second.metadata.resourceVersion);
    }
  });

  it('a Protobuf watch reports its failure in the stream', () => {
    const codec = (kind: string, group = 'meta') => messages.compile(schemaOf(kind, group));
    const encodings = new ProtobufEncodings({
      names: orch,
      kind: 'ConfigMap',
      apiVersion: 'v1',
      cachedAs: 'core.v1.ConfigMap',
      encoder: undefined,
      codec: codec('ConfigMap', ''),
      partial: codec('PartialObjectMetadata'),
      partialList: codec('PartialObjectMetadataList'),
      status: codec('Status'),
    });
    const { status } = errors.expired('gone');
    const frame = chunkPayload(encodings.error(status));
    assert.equal(frame.readUInt32BE(0), frame.length - 4);
    const event = messages.compile(EVENT).decode(frame.subarray(4));
    const raw = isJsonObject(event['object']) ? String(event['object']['raw']) : '';
    assert.equal(event['type'], 'ERROR');
    assert.deepEqual(opened(Buffer.from(raw, 'base64'), 'meta'), status);
  });

  it('a Protobuf object is encoded once and cached', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a', { k: 'v'.repeat(1000) }));
    await api.settled();
    const kept = (): number => {
      const text = api.env.metrics.text();
      return Number(/watch_cache_bytes\{kind="encodings"\} (\d+)/.exec(text)?.[1]);
    };
    assert.equal(kept(), 0);
    const first = await api.get(cms, { accept });
    const bytes = kept();
    assert.ok(bytes > 1000, String(bytes));
    assert.deepEqual((await api.get(cms, { accept })).bytes, first.bytes);
    await api.get(`${cms}/a`, { accept });
    assert.equal(kept(), bytes);
  });

  it('tables are not served in Protobuf', async () => {
    await using api = await RegistryFixture.open();
    const table = `${protobuf};as=Table;g=meta.orch.io;v=v1`;
    for (const target of [cms, `${cms}?watch=1`]) {
      const refused = await api.get(target, { accept: table });
      assert.equal(refused.status, 406, target);
      assert.equal(refused.headers['Content-Type'], 'application/json');
    }
    const instead = await api.get(cms, { accept: `${table},${protobuf}` });
    assert.deepEqual([instead.status, instead.headers['Content-Type']], [200, protobuf]);
  });

  it('the Protobuf response of every patch type equals the JSON response', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${ns}/pods`, pod('a'));
    const patches = [
      ['application/merge-patch+json', { metadata: { labels: { a: '1' } } }],
      ['application/json-patch+json', [{ op: 'add', path: '/metadata/labels/b', value: '2' }]],
      ['application/strategic-merge-patch+json', { metadata: { labels: { c: '3' } } }],
    ] as const;
    for (const [type, patch] of patches) {
      const answered = await api.send('PATCH', `${ns}/pods/a`, { body: patch, contentType: type, accept });
      assert.deepEqual([answered.status, answered.headers['Content-Type']], [200, protobuf], answered.text);
      assert.deepEqual(opened(answered.bytes), (await api.get(`${ns}/pods/a`)).json);
    }
    assert.deepEqual((await api.get(`${ns}/pods/a`)).json.metadata.labels, { a: '1', b: '2', c: '3' });
    const status = await api.send('PATCH', `${ns}/pods/a/status`, {
      body: { status: { reason: 'Why' } },
      contentType: 'application/merge-patch+json',
      accept,
    });
    assert.deepEqual(opened(status.bytes), (await api.get(`${ns}/pods/a`)).json);
    const refused = await api.send('PATCH', `${ns}/pods/a`, {
      body: { metadata: { labels: 'none' } },
      contentType: 'application/merge-patch+json',
      accept,
    });
    assert.deepEqual([refused.status, opened(refused.bytes, 'meta')['code']], [422, 422]);
  });

  it('the Protobuf response of a delete equals the JSON response, for one object and collections', async () => {
    await using api = await RegistryFixture.open();
    for (const name of ['a', 'b', 'c']) await api.post(cms, configMap(name, {}, { finalizers: ['x/y'] }));
    await api.settled();
    const body = enveloped(
      'DeleteOptions',
      { dryRun: ['All'], propagationPolicy: 'Background' },
      'v1',
      'meta',
    );
    const one = await api.send('DELETE', `${cms}/a`, { body, contentType, accept });
    assert.equal(one.status, 200, one.text);
    assert.equal(opened(one.bytes).metadata.name, 'a');
    const many = await api.send('DELETE', cms, { body, contentType, accept });
    assert.deepEqual([many.status, many.headers['Content-Type']], [200, protobuf]);
    assert.equal(listOf(many, 'ConfigMap').items.length, (await api.get(cms)).json.items.length);
    const unchanged = (await api.get(`${cms}/a`)).json.metadata;
    assert.equal(unchanged.deletionTimestamp, undefined, 'the options do not set it');
    const bad = enveloped('DeleteOptions', { propagationPolicy: 'Sideways' }, 'v1', 'meta');
    const refused = await api.send('DELETE', cms, { body: bad, contentType, accept });
    assert.deepEqual([refused.status, opened(refused.bytes, 'meta')['reason']], [422, 'Invalid']);
  });

  it('a failure before the resource is known is sent in Protobuf', async () => {
    await using api = await RegistryFixture.open();
    for (const [method, path, code] of [
      ['GET', '/apis/none.example/v1/things', 404],
      ['POST', `${cms}/a`, 405],
      ['GET', `${cms}?limit=1&continue=x`, 400],
      ['GET', `${cms}?limit=x`, 400],
      ['POST', cms, 415],
    ] as const) {
      const answered = await api.send(method, path, {
        accept,
        ...(method === 'POST' ? { body: 'x', contentType: 'text/plain' } : {}),
      });
      assert.equal(answered.status, code, `${method} ${path}: ${answered.text}`);
      if (answered.headers['Content-Type'] !== protobuf) {
        assert.equal(answered.text, '404 page not found\n');
        continue;
      }
      const status = opened(answered.bytes, 'meta');
      assert.deepEqual([status['status'], status['code']], ['Failure', code]);
    }
  });

  it('a failure is sent in an accepted media type, else as JSON', async () => {
    await using api = await RegistryFixture.open();
    const failure = async (wanted: string): Promise<unknown> =>
      (await api.get(`${cms}/none`, { accept: wanted })).headers['Content-Type'];
    assert.equal(await failure(`${protobuf}, */*`), protobuf);
    assert.equal(await failure('application/yaml'), 'application/yaml');
    assert.equal(await failure('application/json'), 'application/json');
    assert.equal(await failure('text/html'), 'application/json');
    const refused = await api.get(cms, { accept: 'text/html' });
    assert.deepEqual([refused.status, refused.json.reason], [406, 'NotAcceptable']);
    assert.match(refused.json.message, /application\/vnd\.orch\.protobuf/);
  });

  it('component statuses are served in Protobuf', async () => {
    await using api = await RegistryFixture.open();
    const list = listOf(await api.get('/api/v1/componentstatuses', { accept }), 'ComponentStatus');
    assert.deepEqual(list.items, (await api.get('/api/v1/componentstatuses')).json.items.map(withoutType));
  });
});
