import { f, struct } from '@orch/schema';

export const ConfigMapNodeConfigSource = struct(
  'core.v1.ConfigMapNodeConfigSource',
  'References the config map with the configuration of a node agent.',
  {
    namespace: f.string(1, { doc: 'Namespace of the config map.', presence: 'always' }),
    name: f.string(2, { doc: 'Name of the config map.', presence: 'always' }),
    uid: f.string(3, { doc: 'Identity of the config map; in status only.' }),
    resourceVersion: f.string(4, { doc: 'Version of the config map; in status only.' }),
    nodeagentConfigKey: f.string(5, { doc: 'Key whose value holds the configuration.', presence: 'always' }),
  },
);

export const NodeConfigSource = struct(
  'core.v1.NodeConfigSource',
  'Source of the configuration of a node agent; one field is set.',
  {
    configMap: f.struct(2, ConfigMapNodeConfigSource, { doc: 'A config map.', presence: 'pointer' }),
  },
);
