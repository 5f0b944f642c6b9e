import { f, struct } from '@orch/schema';

export const ResourceAttributes = struct('authorization.v1.ResourceAttributes', 'A request for a resource.', {
  namespace: f.string(1, {
    doc: 'Namespace of the request; empty for cluster-scoped resources, and for all namespaces.',
  }),
  verb: f.string(2, { doc: 'get, list, watch, create, update, patch, delete, or `*` for all.' }),
  group: f.string(3, { doc: 'Group of the resource; `*` for all.' }),
  version: f.string(4, { doc: 'Version of the resource; `*` for all.' }),
  resource: f.string(5, { doc: 'Name of the resource; `*` for all.' }),
  subresource: f.string(6, { doc: 'Subresource, if that is meant.' }),
  name: f.string(7, { doc: 'Name of the object; empty for all.' }),
});

export const NonResourceAttributes = struct(
  'authorization.v1.NonResourceAttributes',
  'Path and verb of the request.',
  {
    path: f.string(1, { doc: 'Path of the request.' }),
    verb: f.string(2, { doc: 'Method of the request in lower case.' }),
  },
);
