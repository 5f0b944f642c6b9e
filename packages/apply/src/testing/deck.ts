import { namesFor } from '@orch/machinery';
import type { MutableJsonObject } from '@orch/machinery/json';
import { type Codec, compileCodec, f, items, type StructSchema, struct } from '@orch/schema';
import type { KindVersions } from '../managed/versions.ts';
import { type ObjectShapes, Shapes } from '../shape/shapes.ts';

/** A kind with every type of field that ownership distinguishes, in three versions. For the tests of this package. */

const names = namesFor('orch');

const Entry = struct('meta.v1.ManagedFieldsEntry', '', {
  manager: f.string(1),
  operation: f.string(2),
  apiVersion: f.string(3),
  time: f.time(4, { presence: 'pointer' }),
  fieldsType: f.string(6),
  fieldsV1: f.object(7, { presence: 'pointer' }),
  subresource: f.string(8),
});

const Reference = struct('meta.v1.OwnerReference', '', {
  kind: f.string(1, { presence: 'always' }),
  name: f.string(3, { presence: 'always' }),
  uid: f.string(4, { presence: 'always' }),
});

export const ObjectMeta: StructSchema = struct('meta.v1.ObjectMeta', '', {
  name: f.string(1),
  generateName: f.string(2),
  namespace: f.string(3),
  uid: f.string(5),
  resourceVersion: f.string(6),
  generation: f.int64(7),
  creationTimestamp: f.time(8, { presence: 'always' }),
  labels: f.map(11, items.string),
  annotations: f.map(12, items.string),
  ownerReferences: f.list(13, Reference, { patchStrategy: 'merge', patchMergeKey: 'uid' }),
  finalizers: f.list(14, items.string, { patchStrategy: 'merge' }),
  managedFields: f.list(17, Entry),
});

const Port = struct('test.Port', '', {
  name: f.string(1),
  port: f.int32(2, { presence: 'always' }),
  protocol: f.string(3, { default: 'TCP' }),
  target: f.intOrString(4, { presence: 'pointer' }),
});

const Variable = struct('test.Variable', '', {
  name: f.string(1, { presence: 'always' }),
  value: f.string(2),
});

const Probe = struct('test.Probe', '', {
  path: f.string(1),
  periodSeconds: f.int32(2, { default: 10 }),
});

const Container = struct('test.Container', '', {
  name: f.string(1, { presence: 'always' }),
  image: f.string(2),
  args: f.list(3, items.string),
  env: f.list(4, Variable, { patchStrategy: 'merge', patchMergeKey: 'name' }),
  ports: f.list(5, Port, { listType: 'map', mapKeys: ['port', 'protocol'] }),
  limits: f.map(6, items.quantity),
  probe: f.struct(7, Probe, { presence: 'pointer' }),
  policy: f.string(8, { default: 'Always' }),
});

const Rolling = struct('test.Rolling', '', {
  surge: f.intOrString(1, { presence: 'pointer', default: 1 }),
  unavailable: f.intOrString(2, { presence: 'pointer' }),
});

const Strategy = struct('test.Strategy', '', {
  type: f.string(1, { default: 'Rolling' }),
  rolling: f.struct(2, Rolling, { presence: 'pointer' }),
});

const Selector = struct('test.Selector', '', { match: f.map(1, items.string) }, { mapType: 'atomic' });
const Group = struct('test.Group', '', { size: f.int32(1, { presence: 'pointer' }), color: f.string(2) });
const Template = struct('test.Template', '', {
  metadata: f.struct(1, ObjectMeta, { presence: 'always' }),
  note: f.string(2),
});

const common = {
  paused: f.bool(2),
  mode: f.string(4, { default: 'Fast' }),
  strategy: f.struct(5, Strategy, { presence: 'always' }),
  selector: f.struct(6, Selector, { presence: 'pointer' }),
  ports: f.list(8, Port, { listType: 'map', mapKeys: ['port', 'protocol'] }),
  tags: f.list(9, items.string, { listType: 'set' }),
  numbers: f.list(10, items.int32, { listType: 'set' }),
  args: f.list(11, items.string),
  nodeSelector: f.map(12, items.string, { mapType: 'atomic' }),
  data: f.map(13, items.string),
  groups: f.map(14, Group),
  since: f.time(15, { presence: 'pointer' }),
  timeout: f.duration(22, { presence: 'pointer' }),
  size: f.quantity(16, { presence: 'pointer' }),
  raw: f.object(17, { presence: 'pointer' }),
  anything: f.json(18, { presence: 'pointer' }),
  template: f.struct(19, Template, { presence: 'always' }),
  large: f.int64(20, { presence: 'pointer' }),
  key: f.bytes(21),
} as const;

const Status = struct('test.DeckStatus', '', {
  phase: f.string(1),
  conditions: f.list(
    2,
    struct('test.Condition', '', {
      type: f.string(1, { presence: 'always' }),
      status: f.string(2, { presence: 'always' }),
      reason: f.string(3),
    }),
    { listType: 'map', mapKeys: ['type'] },
  ),
  observed: f.int64(3),
});

const kind = (name: string, spec: StructSchema): StructSchema =>
  struct(
    name,
    '',
    {
      metadata: f.struct(1, ObjectMeta, { presence: 'always' }),
      spec: f.struct(2, spec, { presence: 'always' }),
      status: f.struct(3, Status, { presence: 'always' }),
    },
    { typeMeta: true },
  );

/** `v1` and `v1beta1` do not differ. */
export const Deck = kind(
  'test.v1.Deck',
  struct('test.v1.DeckSpec', '', {
    replicas: f.int32(1, { presence: 'pointer', default: 1 }),
    title: f.string(3),
    containers: f.list(7, Container, { presence: 'always', patchStrategy: 'merge', patchMergeKey: 'name' }),
    ...common,
  }),
);

const Scale = struct('test.v2.Scale', '', { count: f.int32(1, { presence: 'pointer', default: 1 }) });

/** `v2` has `heading` for `title`, `scale.count` for `replicas`, and `units` for `containers`. */
const DeckV2 = kind(
  'test.v2.Deck',
  struct('test.v2.DeckSpec', '', {
    scale: f.struct(1, Scale, { presence: 'pointer' }),
    heading: f.string(3),
    units: f.list(7, Container, { presence: 'always', listType: 'map', mapKeys: ['name'] }),
    ...common,
  }),
);

const shapes = new Shapes(names);

/** A version of the kind: its shape and its codec. */
export interface DeckVersion {
  readonly shapes: ObjectShapes;
  readonly codec: Codec;
}

const version = (schema: StructSchema): DeckVersion => ({
  shapes: shapes.ofObject(schema),
  codec: compileCodec(schema, names),
});

const [v1, v2] = [version(Deck), version(DeckV2)];

export const deckVersions: Readonly<Record<string, DeckVersion>> = {
  'test/v1': v1,
  'test/v1beta1': v1,
  'test/v2': v2,
};

function renamed(spec: MutableJsonObject, pairs: readonly (readonly [string, string])[]): MutableJsonObject {
  const out: MutableJsonObject = {};
  for (const [name, value] of Object.entries(spec)) {
    out[pairs.find(([from]) => from === name)?.[1] ?? name] = value;
  }
  return out;
}

function toV2(spec: MutableJsonObject): MutableJsonObject {
  const { replicas, ...rest } = spec;
  const out = renamed(rest, [
    ['title', 'heading'],
    ['containers', 'units'],
  ]);
  return replicas === undefined ? out : { ...out, scale: { count: replicas } };
}

function toV1(spec: MutableJsonObject): MutableJsonObject {
  const { scale, ...rest } = spec;
  const out = renamed(rest, [
    ['heading', 'title'],
    ['units', 'containers'],
  ]);
  const count = (scale as MutableJsonObject | undefined)?.['count'];
  return count === undefined ? out : { ...out, replicas: count };
}

/** Converts without filling anything in, as a server does between two versions. */
function convertDeck(object: MutableJsonObject, from: string, to: string): MutableJsonObject {
  const spec = object['spec'];
  if (typeof spec !== 'object' || spec === null || (from === 'test/v2') === (to === 'test/v2')) {
    return { ...object, apiVersion: to };
  }
  const converted = to === 'test/v2' ? toV2(spec as MutableJsonObject) : toV1(spec as MutableJsonObject);
  return { ...object, apiVersion: to, spec: converted };
}

export const deckKind: KindVersions = {
  shapes: (apiVersion) =>
    Object.hasOwn(deckVersions, apiVersion) ? deckVersions[apiVersion]?.shapes : undefined,
  convert: convertDeck,
};

/** The same kind after a change of its schema: what was granular is atomic now, and the reverse (spec 4.9 rule 8). */
export const reshapedKind: KindVersions = {
  shapes: (apiVersion) => (apiVersion === 'test/v1' ? reshapedVersion.shapes : undefined),
  convert: (object) => object,
};

const reshapedVersion: DeckVersion = version(
  kind(
    'test.v1.Deck',
    struct('test.v1.DeckSpec', '', {
      replicas: f.int32(1, { presence: 'pointer', default: 1 }),
      title: f.string(3),
      containers: f.list(7, Container, { presence: 'always', listType: 'atomic' }),
      ...common,
      tags: f.list(9, items.string, { listType: 'atomic' }),
      args: f.list(11, items.string, { listType: 'set' }),
      data: f.map(13, items.string, { mapType: 'atomic' }),
      nodeSelector: f.map(12, items.string, { mapType: 'granular' }),
      groups: f.map(14, Group, { mapType: 'atomic' }),
      strategy: f.struct(5, { ...Strategy, mapType: 'atomic' }, { presence: 'always' }),
      selector: f.struct(6, struct('test.Selector', '', { match: f.map(1, items.string) }), {
        presence: 'pointer',
      }),
    }),
  ),
);

export const reshapedVersions: Readonly<Record<string, DeckVersion>> = { 'test/v1': reshapedVersion };

/** The kind without a schema. */
export const schemalessKind: KindVersions = {
  shapes: () => schemalessShapes,
  convert: (object) => object,
};

const schemalessShapes = shapes.ofSchemaless(ObjectMeta);
