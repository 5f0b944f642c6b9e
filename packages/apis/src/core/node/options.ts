import { f, struct } from '@orch/schema';

export const NodeProxyOptions = struct(
  'core.v1.NodeProxyOptions',
  'Options of a request that is forwarded to a node.',
  {
    path: f.string(1, { doc: 'Path of the request to the node.' }),
  },
  { typeMeta: true },
);
