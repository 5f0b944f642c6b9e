import { f, items, struct } from '../declare.ts';

const ApiGroup = struct('meta.v1.APIGroup', 'A group.', { name: f.string(1) }, { typeMeta: true });

/** Kinds of discovery responses, for the tests of the OpenAPI documents. */
export const discoveryKinds = {
  apiVersions: struct(
    'meta.v1.APIVersions',
    'Versions.',
    { versions: f.list(1, items.string) },
    { typeMeta: true },
  ),
  apiGroup: ApiGroup,
  apiGroupList: struct(
    'meta.v1.APIGroupList',
    'Groups.',
    { groups: f.list(1, ApiGroup) },
    { typeMeta: true },
  ),
  apiResourceList: struct(
    'meta.v1.APIResourceList',
    'Resources.',
    { groupVersion: f.string(1) },
    { typeMeta: true },
  ),
  versionInfo: struct('version.Info', 'A version.', { major: f.string(1, { presence: 'always' }) }),
};
