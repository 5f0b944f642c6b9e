import {
  column,
  defineResource,
  nameCell,
  nameColumn,
  ObjectMeta,
  type ResourceType,
  statusSubresource,
  strategyOf,
} from '@orch/apis';
import { type ApiObject, fieldError } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { chain, f, hubOnly, items, type LensScope, move, olderOnly, struct, within } from '@orch/schema';

/**
 * A kind for tests, in four versions of two groups: `apps/v1` is the hub, `apps/v1beta2` has its form under another name,
 * `apps/v1beta1` and `extensions/v1beta1` share an older form, which a lens joins with the hub.
 *
 * | release | served                                  | stored       |
 * | ------- | --------------------------------------- | ------------ |
 * | 1.18    | `extensions/v1beta1`, `apps/v1beta1`    | apps/v1beta1 |
 * | 1.20    | all                                     | apps/v1beta2 |
 * | 1.21    | all                                     | apps/v1      |
 * | 1.25    | `apps/v1beta2`, `apps/v1`               | apps/v1      |
 */

const metadata = f.struct(1, ObjectMeta, { presence: 'always', doc: 'Metadata.' });

const Part = struct('apps.v1.GadgetPart', 'A part.', {
  name: f.string(1, { required: true, presence: 'always', doc: 'Its name.' }),
  weight: f.int32(2, { doc: 'Its weight.' }),
});

/** A gate that is alpha in release 1.26, and opens by default in 1.27. */
export const LATER_GATE = 'StatefulSetStartOrdinal';

const later = { since: '1.27', gate: LATER_GATE } as const;

export const Gadget = struct(
  'apps.v1.Gadget',
  'A thing with parts.',
  {
    metadata,
    spec: f.struct(
      2,
      struct('apps.v1.GadgetSpec', 'What is wanted.', {
        size: f.int32(1, { presence: 'pointer', default: 1, min: 0, doc: 'How large.' }),
        mode: f.string(2, { default: 'Fail', enum: ['Fail', 'Ignore'], doc: 'What to do.' }),
        parts: f.list(3, Part, {
          listType: 'map',
          mapKeys: ['name'],
          patchStrategy: 'merge',
          patchMergeKey: 'name',
          doc: 'Its parts.',
        }),
        note: f.string(4, { doc: 'A note, which the older form has no place for.' }),
        later: f.string(5, { ...later, doc: 'A member of a later release.' }),
      }),
      { presence: 'always', doc: 'What is wanted.' },
    ),
    status: f.struct(
      3,
      struct('apps.v1.GadgetStatus', 'What is.', {
        size: f.int32(1, { presence: 'always', doc: 'How large it is.' }),
        phase: f.string(2, { doc: 'Where it is in its life.' }),
      }),
      { presence: 'always', doc: 'What is.' },
    ),
  },
  { typeMeta: true },
);

export const OldGadget = struct(
  'apps.v1beta1.Gadget',
  'A thing with parts, in its older form.',
  {
    metadata,
    spec: f.struct(
      2,
      struct('apps.v1beta1.GadgetSpec', 'What is wanted.', {
        replicas: f.int32(1, { presence: 'pointer', default: 2, min: 0, doc: 'How large.' }),
        mode: f.string(2, { default: 'Ignore', enum: ['Fail', 'Ignore'], doc: 'What to do.' }),
        box: f.struct(
          3,
          struct('apps.v1beta1.GadgetBox', 'Where its parts are.', {
            parts: f.list(1, Part, { patchStrategy: 'merge', patchMergeKey: 'name', doc: 'Its parts.' }),
          }),
          { presence: 'pointer', doc: 'Where its parts are.' },
        ),
        tags: f.list(6, items.string, { doc: 'Tags, which the newer form has no place for.' }),
        later: f.string(7, { ...later, doc: 'A member of a later release.' }),
      }),
      { presence: 'always', doc: 'What is wanted.' },
    ),
    status: f.struct(
      3,
      struct('apps.v1beta1.GadgetStatus', 'What is.', {
        replicas: f.int32(1, { presence: 'always', doc: 'How large it is.' }),
        phase: f.string(2, { doc: 'Where it is in its life.' }),
      }),
      { presence: 'always', doc: 'What is.' },
    ),
  },
  { typeMeta: true },
);

export const noteKey = 'gadget.example/note';
export const tagsKey = 'gadget.example/tags';

const gadgetLens = chain(
  within('spec', chain(move('replicas', 'size'), move('box.parts', 'parts'))),
  within('status', move('replicas', 'size')),
  hubOnly({ path: 'spec.note', key: (_scope: LensScope) => noteKey }),
  olderOnly({ path: 'spec.tags', key: (_scope: LensScope) => tagsKey }),
);

const specOf = (object: ApiObject): Record<string, unknown> =>
  isJsonObject(object['spec']) ? (object['spec'] as Record<string, unknown>) : {};
const statusOf = (object: ApiObject): Record<string, unknown> =>
  isJsonObject(object['status']) ? (object['status'] as Record<string, unknown>) : {};

export const gadgets: ResourceType = defineResource({
  group: 'apps',
  resource: 'gadgets',
  kind: 'Gadget',
  namespaced: true,
  shortNames: ['gt'],
  versions: [
    { version: 'v1', schema: Gadget, introduced: '1.20' },
    { version: 'v1beta2', schema: Gadget, introduced: '1.19', deprecated: '1.21', replacement: 'none' },
    {
      version: 'v1beta1',
      schema: OldGadget,
      lens: gadgetLens,
      introduced: '1.14',
      deprecated: '1.19',
      removed: '1.25',
    },
    {
      group: 'extensions',
      version: 'v1beta1',
      schema: OldGadget,
      lens: gadgetLens,
      introduced: '1.1',
      deprecated: '1.18',
      removed: '1.22',
      replacement: { group: 'apps', version: 'v1beta1', kind: 'Gadget' },
      differs: {
        shortNames: [],
        verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
        fields: { 'spec.behaviour': 'spec.mode' },
        strategy: { deleteReturns: 'object' },
      },
    },
  ],
  strategy: strategyOf({
    generation: 'spec',
    resetStatus: true,
    prepareForCreate(next, { user }) {
      next.metadata.annotations = { ...next.metadata.annotations, 'gadget.example/by': user.name };
    },
    validate: (next, _old, { requestVersion }) =>
      Number(specOf(next)['size']) > 100 && requestVersion !== 'extensions/v1beta1'
        ? [fieldError.invalid('spec.size', specOf(next)['size'], 'must be at most 100')]
        : [],
  }),
  subresources: [
    statusSubresource('Gadget', 'apps'),
    {
      name: 'scale',
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'patch', 'update'],
      behaviour: 'scale',
    },
  ],
  fields: { 'spec.mode': (object) => String(specOf(object)['mode'] ?? '') },
  indexedFields: ['spec.mode'],
  table: {
    columns: [nameColumn, column('Size', 'How large.', { type: 'integer' })],
    cells: (object) => [nameCell(object), Number(specOf(object)['size'] ?? 0)],
  },
  scale: {
    replicas: (object) => Number(specOf(object)['size'] ?? 0),
    setReplicas(object, replicas) {
      specOf(object)['size'] = replicas;
    },
    statusReplicas: (object) => Number(statusOf(object)['size'] ?? 0),
    selector: () => 'app=gadget',
  },
});
