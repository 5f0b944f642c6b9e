import { cloneJson } from '@orch/machinery/json';
import { encodeYaml } from '@orch/machinery/yaml';

/** Neither a name, nor base64, nor a number: most rules refuse it wherever it is. */
export const CANARY = 'Canary_S3cret';
const canaries = [
  CANARY,
  Buffer.from(CANARY).toString('base64'),
  Buffer.from(CANARY).toString('base64').slice(1, 14),
];
export const showsCanary = (text: string): boolean => canaries.some((canary) => text.includes(canary));

interface Sent {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The path and the objects of a kind. */
export interface CredentialKind {
  readonly collection: string;
  /** Path of an existing object, for kinds that are stored. */
  readonly object?: string;
  readonly valid: Sent & Readonly<Record<string, unknown>>;
}

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

/** The object with each of its fields in turn replaced by values of every type, and with additional fields. */
function* brokenObjects(valid: object): Generator<Broken> {
  for (const path of fieldPaths(valid)) {
    for (const wrong of wrongValues) {
      const body = cloneJson(valid) as Record<string, unknown>;
      setAt(body, path, wrong);
      yield { title: `${path.join('.')} = ${JSON.stringify(wrong)}`, body };
    }
  }
  yield { title: 'a member too many', body: { ...valid, unknown: CANARY, deep: { unknown: CANARY } } };
  for (const body of wrongValues) yield { title: `the whole = ${JSON.stringify(body)}`, body };
}

function* fieldPaths(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    // Objects have names: a stored one could not be found again otherwise.
    if (name === 'generateName') continue;
    yield [...path, name];
    yield* fieldPaths(member, [...path, name]);
  }
}

function setAt(object: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = object;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[path.at(-1) ?? ''] = value;
}

/** Text that is not JSON, or JSON with duplicate fields. */
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
  [{ op: 'replace', path: `data/${CANARY}`, value: CANARY }],
  [{ op: 'replace', path: '/data~', value: CANARY }],
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

export const media = {
  json: 'application/json',
  yaml: 'application/yaml',
  jsonPatch: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Selects every `count`th of a list of bodies, so that `count` forms of a request share it and each meets values of every type. */
type Turn = (index: number) => boolean;
const turnOf =
  (turn: number, count: number): Turn =>
  (index) =>
    (index + Math.floor(index / wrongValues.length)) % count === turn;

/** Bodies of a creation or an update: those of a turn. */
function* bodiesOf(valid: Sent, protobuf: string, isTurn: Turn): Generator<Omit<Write, 'method' | 'path'>> {
  const objects = [...brokenObjects(valid)].map(({ body }) => JSON.stringify(body));
  for (const body of objects.filter((_, i) => isTurn(i))) yield { contentType: media.json, body };
  for (const body of brokenJson(valid)) yield { contentType: media.json, body };
  for (const body of brokenYaml(valid)) yield { contentType: media.yaml, body };
  for (const body of brokenMessages(valid)) yield { contentType: protobuf, body };
}

/** Requests of every form of write that fail, or nearly so. */
export function* writesOf({ collection, object, valid }: CredentialKind, protobuf: string): Generator<Write> {
  const generated = { ...valid, metadata: { generateName: 'g-', ...valid.metadata } };
  const validations = ['', '?fieldValidation=Strict', '?fieldValidation=Warn', '?dryRun=All'];
  const targets = [
    ...validations.map((query) => ({ method: 'POST', path: collection + query, valid: generated })),
    ...(object === undefined ? [] : [{ method: 'PUT', path: object, valid }]),
  ];
  for (const [turn, target] of targets.entries()) {
    const { method, path } = target;
    for (const { contentType, body } of bodiesOf(target.valid, protobuf, turnOf(turn, targets.length)))
      yield { method, path, contentType, body };
  }
  if (object !== undefined) yield* patchesOf(object, valid);
}

/** Protobuf: the envelope of another server, truncated or with the text in place of a message. */
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
  const objects = [...brokenObjects(valid)].map(({ body }) => JSON.stringify(body));
  for (const [turn, query] of ['', '?fieldValidation=Strict'].entries()) {
    const path = object + query;
    const isTurn = turnOf(turn, 2);
    for (const body of jsonPatches)
      yield { method, path, contentType: media.jsonPatch, body: JSON.stringify(body) };
    for (const contentType of [media.merge, media.strategic]) {
      for (const body of mergePatches) yield { method, path, contentType, body: JSON.stringify(body) };
      for (const body of objects.filter((_, i) => isTurn(i))) yield { method, path, contentType, body };
    }
    for (const contentType of [media.jsonPatch, media.merge, media.strategic])
      for (const body of brokenJson(valid)) yield { method, path, contentType, body };
  }
  for (const [turn, query] of [
    '?fieldManager=m',
    '?fieldManager=m&force=true&fieldValidation=Strict',
  ].entries()) {
    const [path, contentType, isTurn] = [object + query, media.apply, turnOf(turn, 2)];
    for (const body of objects.filter((_, i) => isTurn(i))) yield { method, path, contentType, body };
    for (const body of [...brokenJson(valid), ...brokenYaml(valid)])
      yield { method, path, contentType, body };
  }
}
