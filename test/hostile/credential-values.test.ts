import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { kindsOf } from '@orch/apis';
import { cloneJson, encodeYaml, namesFor, namings } from '@orch/machinery';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

/** Neither a name, nor base64, nor a number: wherever it stands, most rules refuse it. */
const CANARY = 'Canary_S3cret';
const canaries = [
  CANARY,
  Buffer.from(CANARY).toString('base64'),
  Buffer.from(CANARY).toString('base64').slice(1, 14),
];
const showsCanary = (text: string): boolean => canaries.some((canary) => text.includes(canary));

interface Sent {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Where objects of a kind are sent, and what they may look like. */
interface CredentialKind {
  readonly collection: string;
  /** Path of an object that is there, for kinds that are stored. */
  readonly object?: string;
  readonly valid: Sent & Readonly<Record<string, unknown>>;
}

const ns = '/api/v1/namespaces/default';

/** Every kind that is declared to hold credentials, by its neutral name. */
const credentialKinds = (naming: (typeof namings)[number]): Readonly<Record<string, CredentialKind>> => {
  const apiVersion = namesFor(naming).apiVersion('authentication', 'v1');
  const tokenReview = {
    collection: `/apis/${apiVersion}/tokenreviews`,
    valid: { kind: 'TokenReview', apiVersion, metadata: {}, spec: { token: CANARY, audiences: [CANARY] } },
  };
  return {
    '/v1 Secret': {
      collection: `${ns}/secrets`,
      object: `${ns}/secrets/stored`,
      valid: {
        kind: 'Secret',
        apiVersion: 'v1',
        metadata: {
          labels: { a: 'b' },
          annotations: { c: 'd' },
          finalizers: ['x.example/y'],
          ownerReferences: [],
        },
        type: 'Opaque',
        immutable: false,
        data: { password: Buffer.from(CANARY).toString('base64') },
        stringData: { other: CANARY },
      },
    },
    'authentication/v1 TokenReview': tokenReview,
    'authentication/v1beta1 TokenReview': tokenReview,
    'authentication/v1 TokenRequest': {
      collection: `${ns}/serviceaccounts/robot/token`,
      valid: {
        kind: 'TokenRequest',
        apiVersion,
        metadata: {},
        spec: { audiences: [CANARY], expirationSeconds: 600, boundObjectRef: null },
        status: { token: CANARY, expirationTimestamp: '2030-01-01T00:00:00Z' },
      },
    },
  };
};

interface Broken {
  readonly title: string;
  readonly body: unknown;
}

const wrongValues: readonly unknown[] = [
  CANARY,
  `!!${CANARY}`,
  [CANARY],
  { x: CANARY },
  [{ x: CANARY }],
  12345678901,
];

/** The object with each of its members in turn replaced by values of every type, and with members too many. */
function* brokenObjects(valid: object): Generator<Broken> {
  for (const path of memberPaths(valid)) {
    for (const wrong of wrongValues) {
      const body = cloneJson(valid) as Record<string, unknown>;
      setAt(body, path, wrong);
      yield { title: `${path.join('.')} = ${JSON.stringify(wrong)}`, body };
    }
  }
  yield { title: 'a member too many', body: { ...valid, unknown: CANARY, deep: { unknown: CANARY } } };
  for (const body of wrongValues) yield { title: `the whole = ${JSON.stringify(body)}`, body };
}

function* memberPaths(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    // Names are said: what was not stored could not be found again otherwise.
    if (name === 'generateName') continue;
    yield [...path, name];
    yield* memberPaths(member, [...path, name]);
  }
}

function setAt(object: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = object;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[path.at(-1) ?? ''] = value;
}

/** Text that is no JSON, or JSON that says something twice. */
const brokenJson = (valid: object): readonly string[] => {
  const text = JSON.stringify(valid);
  const at = text.indexOf(CANARY);
  return [
    text.slice(0, at + CANARY.length),
    text.slice(0, at - 1) + text.slice(at),
    `${text.slice(0, at)}\\${text.slice(at)}`,
    `${text}${CANARY}`,
    CANARY,
    `"${CANARY}"`,
    `{"data":{"v":"${CANARY}","v":"${CANARY}"},"spec":{"token":"${CANARY}","token":"x"},${text.slice(1)}`,
    `{"data":{"v":${CANARY}}}`,
  ];
};

const brokenYaml = (valid: object): readonly string[] => {
  const text = encodeYaml(valid).toString();
  return [
    `${text}\nx: !!${CANARY} y\n`,
    `${text}\nx: !${CANARY} y\n`,
    `${text}\nx: !!int ${CANARY}\n`,
    `${text}\nx: *${CANARY}\n`,
    `${text}\nx: "${CANARY}\n`,
    `${text}\nx: {${CANARY}\n`,
    `${text}\n<<: ${CANARY}\n`,
    `${text}\n? {a: ${CANARY}}\n: b\n`,
    `${text}\n  ${CANARY}: x: y\n`,
    `${text}\n---\n${CANARY}: x\n`,
    `%${CANARY} x\n${text}`,
    `${text}\nx: &a {v: "${CANARY}"}\nx: {w: "${CANARY}"}\n`,
    `\t${CANARY}`,
    CANARY,
  ];
};

const jsonPatches: readonly unknown[] = [
  { op: 'replace', path: '/data', value: CANARY },
  [CANARY],
  [{ op: CANARY, path: '/data' }],
  [{ op: { x: CANARY }, path: '/data' }],
  [{ op: 'replace', path: CANARY, value: CANARY }],
  [{ op: 'replace', path: `/data~${CANARY}`, value: CANARY }],
  [{ op: 'replace', path: `/none/${CANARY}`, value: CANARY }],
  [{ op: 'replace', path: '/data', value: CANARY }],
  [{ op: 'replace', path: '/data/password', value: `!!${CANARY}` }],
  [{ op: 'add', path: '/type', value: CANARY }],
  [{ op: 'replace', path: '', value: CANARY }],
  [{ op: 'test', path: '/data/password', value: `not ${CANARY}` }],
  [
    { op: 'copy', from: '/data/password', path: '/metadata/labels/a' },
    { op: 'add', path: '/metadata/labels/b', value: '%' },
  ],
  [{ op: 'copy', from: '/data/password', path: '/type' }],
  [{ op: 'copy', from: '/data/password', path: '/immutable' }],
  [
    { op: 'copy', from: '/data', path: '/metadata/labels' },
    { op: 'copy', from: '/data', path: '/kind' },
  ],
  [{ op: 'copy', from: '/data/password', path: '/metadata/uid' }],
  [{ op: 'copy', from: '/data/password', path: '/metadata/name' }],
  [{ op: 'copy', from: '/data/password', path: '/metadata/namespace' }],
  [{ op: 'copy', from: '/data/password', path: '/metadata/resourceVersion' }],
  [{ op: 'copy', from: '/data/password', path: '/metadata/finalizers/-' }],
  [{ op: 'move', from: CANARY, path: '/data' }],
  [{ op: 'add', from: CANARY, value: CANARY }],
];

const mergePatches: readonly unknown[] = [
  { data: CANARY },
  { data: { password: `!!${CANARY}` } },
  { stringData: { password: [CANARY] } },
  { type: CANARY },
  { $patch: CANARY },
  { data: { $patch: CANARY } },
  { $retainKeys: CANARY, data: {} },
  { metadata: { [`$deleteFromPrimitiveList/finalizers`]: CANARY } },
  {
    metadata: {
      [`$setElementOrder/ownerReferences`]: [CANARY],
      ownerReferences: [{ uid: CANARY, name: CANARY }],
    },
  },
  { metadata: { uid: CANARY } },
  { unknown: CANARY, metadata: { unknown: CANARY } },
  [CANARY],
  CANARY,
];

interface Write {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: string | Buffer;
}

const media = {
  json: 'application/json',
  yaml: 'application/yaml',
  jsonPatch: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Requests of every form of write that go wrong, or nearly so. */
function* writesOf({ collection, object, valid }: CredentialKind, protobuf: string): Generator<Write> {
  const generated = { ...valid, metadata: { generateName: 'g-', ...valid.metadata } };
  const validations = ['', '?fieldValidation=Strict', '?fieldValidation=Warn', '?dryRun=All'];
  const targets = [
    ...validations.map((query) => ({ method: 'POST', path: collection + query, valid: generated })),
    ...(object === undefined ? [] : [{ method: 'PUT', path: object, valid }]),
  ];
  for (const target of targets) {
    const { method, path } = target;
    for (const { body } of brokenObjects(target.valid)) {
      yield { method, path, contentType: media.json, body: JSON.stringify(body) };
    }
    for (const body of brokenJson(target.valid)) yield { method, path, contentType: media.json, body };
    for (const body of brokenYaml(target.valid)) yield { method, path, contentType: media.yaml, body };
    for (const body of brokenMessages(valid)) yield { method, path, contentType: protobuf, body };
  }
  if (object !== undefined) yield* patchesOf(object, valid);
}

/** Protobuf: the envelope of another server, cut off or with the text where a message is due. */
function brokenMessages({ kind, apiVersion }: Sent): readonly Buffer[] {
  const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
  const field = (number: number, bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
  const text = Buffer.from(CANARY);
  const typeMeta = field(1, Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]));
  const entry = Buffer.concat([field(1, Buffer.from('v')), field(2, text)]);
  return [
    text,
    Buffer.concat([magic, text]),
    Buffer.concat([magic, typeMeta, field(2, text)]),
    Buffer.concat([magic, typeMeta, field(2, field(2, text))]),
    Buffer.concat([magic, typeMeta, field(2, Buffer.concat([field(2, entry), field(29, text)]))]),
    Buffer.concat([magic, field(1, field(2, text)), field(2, field(2, entry))]),
    Buffer.concat([magic, typeMeta, Buffer.from([0x12, 0x7f]), text]),
  ];
}

function* patchesOf(object: string, valid: object): Generator<Write> {
  const method = 'PATCH';
  for (const query of ['', '?fieldValidation=Strict']) {
    const path = object + query;
    for (const body of jsonPatches)
      yield { method, path, contentType: media.jsonPatch, body: JSON.stringify(body) };
    for (const contentType of [media.merge, media.strategic]) {
      for (const body of mergePatches) yield { method, path, contentType, body: JSON.stringify(body) };
      for (const { body } of brokenObjects(valid))
        yield { method, path, contentType, body: JSON.stringify(body) };
    }
    for (const contentType of [media.jsonPatch, media.merge, media.strategic])
      for (const body of brokenJson(valid)) yield { method, path, contentType, body };
  }
  for (const query of ['?fieldManager=m', '?fieldManager=m&force=true&fieldValidation=Strict']) {
    const [path, contentType] = [object + query, media.apply];
    for (const { body } of brokenObjects(valid))
      yield { method, path, contentType, body: JSON.stringify(body) };
    for (const body of [...brokenJson(valid), ...brokenYaml(valid)])
      yield { method, path, contentType, body };
  }
}

const warningsOf = ({ headers }: ApiResponse): string => String(headers['warning'] ?? '');

for (const naming of namings) {
  describe(`values of kinds that hold credentials, ${naming} names`, { timeout: 120_000 }, () => {
    const work = mkdtempSync(join(tmpdir(), 'orch-canary-'));
    const auditLog = join(work, 'audit.log');
    const kinds = credentialKinds(naming);
    let server: LaunchedServer;
    let stopped = false;
    const stop = async (): Promise<void> => {
      if (!stopped) await server[Symbol.asyncDispose]();
      stopped = true;
    };

    before(async () => {
      const policy = join(work, 'policy.yaml');
      const apiVersion = namesFor(naming).apiVersion('audit', 'v1');
      writeFileSync(policy, `apiVersion: ${apiVersion}\nkind: Policy\nrules: [{level: Metadata}]\n`);
      server = await launchServer({
        naming,
        args: [
          '--v=10',
          '--emulated-version=1.27',
          `--audit-policy-file=${policy}`,
          `--audit-log-path=${auditLog}`,
        ],
      });
      const stored = kinds['/v1 Secret']?.valid ?? assert.fail();
      const metadata = { ...stored.metadata, name: 'stored' };
      const created = await server.client.post(`${ns}/secrets`, { ...stored, metadata });
      assert.equal(created.status, 201, created.text);
      const robot = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'robot' } };
      assert.equal((await server.client.post(`${ns}/serviceaccounts`, robot)).status, 201);
    });
    after(async () => {
      await stop();
      rmSync(work, { recursive: true, force: true });
    });

    it('are known by the declaration of the kind', () => {
      const declared = kindsOf()
        .filter(({ schema }) => schema.holdsCredentials === true)
        .map(({ group, version, kind }) => `${group}/${version} ${kind}`);
      assert.deepEqual(declared.sort(), Object.keys(kinds).sort());
    });

    for (const [title, kind] of Object.entries(kinds)) {
      it(`of ${title} are in no answer to a write that fails, and in no warning`, async () => {
        let failures = 0;
        for (const { method, path, contentType, body } of writesOf(
          kind,
          namesFor(naming).mediaTypes.protobuf,
        )) {
          const answer = await server.client.send(method, path, { contentType, body });
          const line = `${method} ${path} ${contentType} ${body}`;
          assert.ok(!showsCanary(warningsOf(answer)), `${line}: ${warningsOf(answer)}`);
          if (answer.status < 400) continue;
          failures++;
          assert.ok(answer.status < 500 || contentType === media.apply, `${line}: ${answer.text}`);
          assert.ok(!showsCanary(answer.text), `${line}: ${answer.text}`);
        }
        assert.ok(failures > 100, `${failures} writes failed`);
      });
    }

    it('of an immutable secret, and of one that two managers apply, are in no answer either', async () => {
      const { client } = server;
      const frozen = {
        kind: 'Secret',
        apiVersion: 'v1',
        metadata: { name: 'frozen' },
        immutable: true,
        stringData: { a: CANARY },
      };
      assert.equal((await client.post(`${ns}/secrets`, frozen)).status, 201);
      const changed = await client.send('PUT', `${ns}/secrets/frozen`, {
        body: { ...frozen, stringData: { a: `${CANARY}2` } },
      });
      assert.equal(changed.status, 422);
      assert.match(changed.text, /field is immutable when `immutable` is set/);
      const applied = (name: string) =>
        client.send('PATCH', `${ns}/secrets/applied?fieldManager=${name}`, {
          contentType: media.apply,
          body: {
            kind: 'Secret',
            apiVersion: 'v1',
            metadata: { name: 'applied' },
            data: { a: Buffer.from(CANARY + name).toString('base64') },
          },
        });
      assert.equal((await applied('one')).status, 201);
      const conflict = await applied('two');
      assert.equal(conflict.status, 409);
      assert.match(conflict.text, /conflict with \\"one\\": \.data\.a/);
      for (const { text } of [changed, conflict]) assert.ok(!showsCanary(text), text);
    });

    it('are withheld, and what is wrong with them is said', async () => {
      for (const [body, expected] of [
        [{ data: { v: `!!${CANARY}` } }, /data\[v\]: expected base64 text, got a string/],
        [{ data: CANARY }, /data: expected an object, got a string/],
        [
          { metadata: { name: 'x', labels: { a: `%${CANARY}` } } },
          /metadata\.labels: Invalid value: <withheld>: a valid label/,
        ],
        [{ data: { 'a b': '' } }, /data\[a b\]: Invalid value: <withheld>: a valid config key must consist/],
      ] as const) {
        const answer = await server.client.post(`${ns}/secrets`, { metadata: { name: 'x' }, ...body });
        assert.match(String((answer.json as { message: string }).message), expected);
      }
    });

    it('of other kinds, such as config maps, are shown', async () => {
      for (const body of [
        { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c' }, data: CANARY },
        { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c', labels: { a: `%${CANARY}` } } },
      ]) {
        const answer = await server.client.post(`${ns}/configmaps`, body);
        assert.ok(answer.status >= 400 && answer.text.includes(CANARY), answer.text);
      }
    });

    it('are neither in the log of the server nor in that of the audit at level Metadata', async () => {
      await stop();
      const log = server.process.output();
      assert.match(log, /tokenreviews/, 'requests are logged');
      const lines = log.split('\n').filter(showsCanary);
      assert.deepEqual(lines, []);
      const events = readFileSync(auditLog, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      assert.ok(events.length > 500, `${events.length} events`);
      const shown = events.filter(showsCanary).filter((line) => !line.includes('/configmaps'));
      assert.deepEqual(shown, []);
      assert.ok(
        events.some((line) => line.includes('"resource":"secrets"') && line.includes('expected base64 text')),
      );
    });
  });
}
