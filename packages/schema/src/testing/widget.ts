import { fieldError } from '@orch/machinery';
import { f, items, struct } from '../declare.ts';
import type { StructSchema } from '../schema.ts';

/** A small kind that uses every part of the language, for the tests of this package. */
export const OwnerReference = struct('meta.v1.OwnerReference', 'Who owns an object.', {
  apiVersion: f.string(5, { presence: 'always' }),
  kind: f.string(1, { presence: 'always' }),
  name: f.string(3, { presence: 'always' }),
  uid: f.string(4, { presence: 'always' }),
  controller: f.bool(6, { presence: 'pointer' }),
});

export const ObjectMeta = struct('meta.v1.ObjectMeta', 'Metadata of an object.', {
  name: f.string(1, { doc: 'Its name.' }),
  generateName: f.string(2),
  namespace: f.string(3),
  selfLink: f.string(4),
  uid: f.string(5),
  resourceVersion: f.string(6),
  generation: f.int64(7),
  creationTimestamp: f.time(8, { presence: 'always' }),
  deletionTimestamp: f.time(9, { presence: 'pointer' }),
  deletionGracePeriodSeconds: f.int64(10, { presence: 'pointer' }),
  labels: f.map(11, items.string),
  annotations: f.map(12, items.string),
  ownerReferences: f.list(13, OwnerReference, { patchStrategy: 'merge', patchMergeKey: 'uid' }),
  finalizers: f.list(14, items.string, { patchStrategy: 'merge' }),
});

export const ListMeta = struct('meta.v1.ListMeta', 'Metadata of a list.', {
  resourceVersion: f.string(2),
  continue: f.string(3),
  remainingItemCount: f.int64(4, { presence: 'pointer' }),
});

export const Status = struct(
  'meta.v1.Status',
  'The answer of a request that returns no object.',
  { metadata: f.struct(1, ListMeta, { presence: 'always' }), status: f.string(2), code: f.int32(6) },
  { typeMeta: true },
);

export const DeleteOptions = struct(
  'meta.v1.DeleteOptions',
  'How to delete.',
  { gracePeriodSeconds: f.int64(1, { presence: 'pointer' }), dryRun: f.list(5, items.string) },
  { typeMeta: true },
);

export const WatchEvent = struct('meta.v1.WatchEvent', 'One change.', {
  type: f.string(1, { presence: 'always' }),
  object: f.object(2, { presence: 'always' }),
});

const Reference = struct('test.v1.Reference', 'Names another object.', { name: f.string(1) });

export const Port = struct('test.v1.Port', 'A port.', {
  name: f.string(1, { format: 'dns1123label' }),
  port: f.int32(2, { presence: 'always', format: 'portNumber' }),
  protocol: f.string(3, { default: 'TCP', enum: ['TCP', 'UDP'] }),
  target: f.intOrString(4, {
    presence: 'always',
    openapiRequired: false,
    default: (port: Readonly<Record<string, unknown>>) => port['port'],
  }),
});

const Probe = struct('test.v1.Probe', 'A check of health.', {
  periodSeconds: f.int32(1, { default: 10, min: 1 }),
  path: f.string(2, { default: '/' }),
});

/** Refers to itself. */
const Tree: StructSchema = struct('test.v1.Tree', 'A tree.', {
  value: f.int32(1, { presence: 'pointer', max: 100 }),
  children: f.list(2, () => Tree),
});

const WidgetSpec = struct(
  'test.v1.WidgetSpec',
  'What the owner wants.',
  {
    replicas: f.int32(1, { presence: 'pointer', default: 1, min: 0, max: 1000 }),
    reference: f.inline(2, Reference),
    mode: f.string(3, { default: 'Fast', enum: ['Fast', 'Slow'] }),
    ports: f.list(4, Port, {
      listType: 'map',
      mapKeys: ['port', 'protocol'],
      patchStrategy: 'merge',
      patchMergeKey: 'port',
      uniqueBy: 'name',
      maxItems: 4,
    }),
    selector: f.map(5, items.string, { mapType: 'atomic', keyFormat: 'qualifiedName' }),
    limits: f.map(6, items.quantity),
    size: f.quantity(7, { presence: 'pointer' }),
    data: f.map(8, items.bytes),
    key: f.bytes(9, { maxBytes: 4 }),
    probe: f.struct(10, Probe, { presence: 'pointer' }),
    always: f.struct(11, Probe, { presence: 'always' }),
    tree: f.struct(12, Tree, { presence: 'pointer' }),
    args: f.list(13, items.string, { presence: 'always', openapiRequired: false, maxBytes: 8 }),
    finalizers: f.list(14, items.string, { format: 'qualifiedName', uniqueBy: '' }),
    nodeagentVersion: f.string(15, { immutable: true }),
    large: f.int64(16),
    ratio: f.float64(17),
    timeout: f.duration(18),
    since: f.time(19, { presence: 'pointer' }),
    renewTime: f.microTime(20),
    extra: f.object(21),
    anything: f.json(22),
    apiGroup: f.string(23, { presence: 'always', nullable: true, openapiRequired: false }),
    paused: f.bool(24),
    later: f.string(25, { since: '1.30' }),
    image: f.string(26, { required: true, doc: 'What to run.' }),
  },
  {
    derive: (spec) => {
      if (spec['paused'] !== true || spec['replicas'] === 0) return false;
      spec['replicas'] = 0;
      return true;
    },
    checks: [
      (spec, { path, operation }) =>
        operation === 'update' && spec['mode'] === 'Slow' && spec['probe'] === undefined
          ? [fieldError.required(`${path}.probe`, 'when mode is Slow')]
          : [],
    ],
  },
);

const WidgetStatus = struct('test.v1.WidgetStatus', 'What was observed.', {
  ready: f.bool(1, { presence: 'always' }),
  observedGeneration: f.int64(2),
});

export const Widget = struct(
  'test.v1.Widget',
  'A thing to test with.',
  {
    metadata: f.struct(1, ObjectMeta, { presence: 'always', doc: 'Name and labels.' }),
    spec: f.struct(2, WidgetSpec, { presence: 'always', doc: 'What the owner wants.' }),
    status: f.struct(3, WidgetStatus, { presence: 'always' }),
  },
  { typeMeta: true },
);
