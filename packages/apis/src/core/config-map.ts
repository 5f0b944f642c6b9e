import { f, items, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import type { ResourceType } from '../resource-type.ts';
import { configMapTable } from './shared/simple.ts';
import { validateConfigMap } from './shared/validation/config-map.ts';

export const ConfigMap = struct(
  'core.v1.ConfigMap',
  'Configuration for pods to read as files or environment variables. For anything secret use a Secret.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    immutable: f.bool(4, {
      doc: 'Once true, data and binaryData stay as they are, and so does this field.',
      presence: 'pointer',
      since: '1.19',
      gate: 'ImmutableEphemeralVolumes',
    }),
    data: f.map(2, items.string, {
      doc: 'Values as text. Keys consist of letters, digits, `-`, `_` and `.`.',
    }),
    binaryData: f.map(3, items.bytes, { doc: 'Values as bytes; keys must not repeat those of data.' }),
  },
  { typeMeta: true },
);

export const configMaps: ResourceType = defineResource({
  group: '',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  shortNames: ['cm'],
  versions: [{ version: 'v1', schema: ConfigMap }],
  table: configMapTable,
  strategy: strategyOf({ validate: validateConfigMap }),
});
