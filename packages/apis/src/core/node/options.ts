import { f, struct } from '@orch/schema';

export const NodeProxyOptions = struct(
  'core.v1.NodeProxyOptions',
  'Options of a request that is passed on to a node.',
  {
    path: f.string(1, { doc: 'Path that the node is asked for.' }),
  },
  { typeMeta: true },
);
