import { f, items, struct } from '@orch/schema';

export const GroupVersionForDiscovery = struct(
  'meta.v1.GroupVersionForDiscovery',
  'A version of a group, in the two forms that clients need.',
  {
    groupVersion: f.string(1, { doc: 'Group and version as in apiVersion.', presence: 'always' }),
    version: f.string(2, { doc: 'The version alone.', presence: 'always' }),
  },
);

export const ServerAddressByClientCIDR = struct(
  'meta.v1.ServerAddressByClientCIDR',
  'Address of the server for clients of one network.',
  {
    clientCIDR: f.string(1, { doc: 'Network of the clients, in CIDR notation.', presence: 'always' }),
    serverAddress: f.string(2, {
      doc: 'Host name or IP, with a port unless it is the default.',
      presence: 'always',
    }),
  },
);

export const APIVersions = struct(
  'meta.v1.APIVersions',
  'The versions of the core group, and addresses of the server.',
  {
    versions: f.list(1, items.string, { doc: 'Names of the versions.', presence: 'always' }),
    serverAddressByClientCIDRs: f.list(2, ServerAddressByClientCIDR, {
      doc: 'Addresses of the server; the most specific network is used.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);

export const APIGroup = struct(
  'meta.v1.APIGroup',
  'A group with its versions.',
  {
    name: f.string(1, { doc: 'Name of the group.', presence: 'always' }),
    versions: f.list(2, GroupVersionForDiscovery, { doc: 'Versions that are served.', presence: 'always' }),
    preferredVersion: f.struct(3, GroupVersionForDiscovery, {
      doc: 'The version that clients should use unless they need another one.',
      presence: 'always',
    }),
    serverAddressByClientCIDRs: f.list(4, ServerAddressByClientCIDR, {
      doc: 'Addresses of the server; the most specific network is used.',
    }),
  },
  { typeMeta: true },
);

export const APIGroupList = struct(
  'meta.v1.APIGroupList',
  'The groups that are served, apart from the core group.',
  { groups: f.list(1, APIGroup, { doc: 'The groups.', presence: 'always' }) },
  { typeMeta: true },
);

export const APIResource = struct('meta.v1.APIResource', 'A resource, and its verbs.', {
  name: f.string(1, { doc: 'Plural name, as in paths; with a slash for a subresource.', presence: 'always' }),
  singularName: f.string(6, { doc: 'Name of one such object, for command lines.', presence: 'always' }),
  namespaced: f.bool(2, { doc: 'Whether its objects are in namespaces.', presence: 'always' }),
  group: f.string(8, { doc: 'Group of the kind where it is not that of the list.' }),
  version: f.string(9, { doc: 'Version of the kind where it is not that of the list.' }),
  kind: f.string(3, { doc: 'Kind of the objects.', presence: 'always' }),
  verbs: {
    ...f.list(4, items.string, {
      doc: 'Supported verbs: get, list, watch, create and so on.',
      presence: 'always',
    }),
    schema: { kind: 'list', items: items.string, protoWrapped: true },
  },
  shortNames: f.list(5, items.string, { doc: 'Abbreviations for command lines.' }),
  categories: f.list(7, items.string, { doc: 'Groups of resources that can be named at once, such as all.' }),
  storageVersionHash: f.string(10, { doc: 'Changes when objects are stored in another version.' }),
});

export const APIResourceList = struct(
  'meta.v1.APIResourceList',
  'The resources of a group version.',
  {
    groupVersion: f.string(1, { doc: 'Group and version of the list.', presence: 'always' }),
    resources: f.list(2, APIResource, { doc: 'The resources.', presence: 'always' }),
  },
  { typeMeta: true },
);

/** Body of `/version`; no kind. */
export const VersionInfo = struct('version.Info', 'The version of a server.', {
  major: f.string(1, { doc: 'First number of the version.', presence: 'always' }),
  minor: f.string(2, { doc: 'Second number of the version.', presence: 'always' }),
  emulationMajor: f.string(10, { doc: 'First number of the release that is emulated.', since: '1.33' }),
  emulationMinor: f.string(11, { doc: 'Second number of the release that is emulated.', since: '1.33' }),
  minCompatibilityMajor: f.string(12, {
    doc: 'First number of the earliest release that can read what the server stores.',
    since: '1.33',
  }),
  minCompatibilityMinor: f.string(13, {
    doc: 'Second number of the earliest release that can read what the server stores.',
    since: '1.33',
  }),
  gitVersion: f.string(3, { doc: 'The whole version.', presence: 'always' }),
  gitCommit: f.string(4, { doc: 'Commit of the build.', presence: 'always' }),
  gitTreeState: f.string(5, {
    doc: 'State of the working tree of the build: clean or dirty.',
    presence: 'always',
  }),
  buildDate: f.string(6, { doc: 'When it was built.', presence: 'always' }),
  goVersion: f.string(7, { doc: 'Version of the runtime.', presence: 'always' }),
  compiler: f.string(8, { doc: 'Compiler of the server.', presence: 'always' }),
  platform: f.string(9, { doc: 'Operating system and processor.', presence: 'always' }),
});
