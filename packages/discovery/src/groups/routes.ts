import type { Release } from '@orch/apis';
import { type Names, parseJson } from '@orch/machinery';
import { bytesReply, encodeObject, finish, queryOf, responseFormatOf } from '@orch/registry';
import {
  type ApiRequest,
  type Authorized,
  type BytesReply,
  groupNotFound,
  type MediaRange,
  type Negotiator,
  type ProtobufKind,
  parseAccept,
  type Reply,
  type Route,
} from '@orch/request';
import {
  aggregatedDocument,
  apiVersionsDocument,
  groupDocument,
  groupListDocument,
  resourceListDocument,
  type ServerAddress,
} from './documents.ts';
import { type TaggedDocument, tagged, taggedReply } from './etag.ts';
import { type ServedGroup, type ServedGroupsSource, servedGroups } from './served-groups.ts';

/** Of every emulated release: clients that know the form prefer it, and say what they take when a server has it not. */
const aggregatedVersions = ['v2', 'v2beta1'] as const;
const AGGREGATED_KIND = 'APIGroupDiscoveryList';

export interface DiscoveryOptions extends ServedGroupsSource {
  readonly names: Names;
  readonly release: Release;
  readonly negotiator: Negotiator;
  readonly addresses?: ServerAddress;
  /** The Protobuf form of a kind of document. */
  auxiliaryProtobuf(group: string, version: string, kind: string): ProtobufKind;
}

export interface Discovery {
  readonly routes: readonly Route[];
  /** Every path that discovery answers, for the list of paths of the server. */
  readonly paths: readonly string[];
}

/** `/api`, `/apis` and what is below them without a resource; documents are made once and kept as bytes. */
export function discoveryRoutes(options: DiscoveryOptions): Discovery {
  const groups = servedGroups(options);
  const documents = plainDocuments(groups, options);
  const aggregated = aggregatedDocuments(groups, options);
  const handle = ({ info, request }: Authorized): Reply => {
    const path = info.isResource ? '' : info.path.replace(/\/$/, '');
    const document = documents.get(path);
    if (document === undefined) return groupNotFound(path.split('/')[2] ?? '', options.names);
    if (path !== '/api' && path !== '/apis') return plainReply(request, document, options);
    const version = chooseAggregated(request, options);
    if (version === undefined) return varying(plainReply(request, document, options));
    const found = aggregated(path, version);
    return taggedReply(found.document, found.headers, request.headers['if-none-match']);
  };
  return {
    routes: [
      { path: '/api', below: true, handle },
      { path: '/apis', below: true, handle },
    ],
    paths: [...documents.keys()],
  };
}

/** Of paths that have more than one form: caches must not give the one to clients that asked for the other. */
const varying = (reply: BytesReply): Reply => ({ ...reply, headers: { ...reply.headers, Vary: 'Accept' } });

function plainReply(request: ApiRequest, document: Buffer, options: DiscoveryOptions): BytesReply {
  const form = responseFormatOf(request, queryOf(request), options.negotiator, 'document');
  if (form.representation.encoding !== 'protobuf') return bytesReply(200, form, finish(document, form));
  const object = parseJson(document) as { readonly kind: string };
  const { codec } = options.auxiliaryProtobuf('meta', 'v1', object.kind);
  return bytesReply(200, form, encodeObject({ ...object }, codec, form));
}

function plainDocuments(
  groups: readonly ServedGroup[],
  options: DiscoveryOptions,
): ReadonlyMap<string, Buffer> {
  const { names, release, addresses = [] } = options;
  const core = groups.find(({ name }) => name === '');
  const named = groups.filter(({ name }) => name !== '');
  const documents = new Map<string, Buffer>([
    ['/api', apiVersionsDocument(core, addresses)],
    ['/apis', groupListDocument(named)],
  ]);
  for (const group of groups) {
    const base = group.name === '' ? '/api' : `/apis/${group.name}`;
    if (group.name !== '') documents.set(base, groupDocument(group));
    for (const version of group.versions) {
      documents.set(`${base}/${version.version}`, resourceListDocument(version, names, release));
    }
  }
  return documents;
}

type AggregatedVersion = (typeof aggregatedVersions)[number];

/** The version of the aggregated form that the client prefers to the plain one; undefined when it does not. */
function chooseAggregated(request: ApiRequest, options: DiscoveryOptions): AggregatedVersion | undefined {
  const { accept } = request.headers;
  if (accept === undefined || !accept.includes(AGGREGATED_KIND)) return undefined;
  const group = options.names.group('apidiscovery');
  for (const range of parseAccept(accept)) {
    const version = aggregatedVersion(range, group);
    if (version !== undefined) return version;
    if (isPlain(range, options.names)) return undefined;
  }
  return undefined;
}

function aggregatedVersion({ type, parameters }: MediaRange, group: string): AggregatedVersion | undefined {
  const asked =
    type === 'application/json' && parameters['as'] === AGGREGATED_KIND && parameters['g'] === group;
  return asked ? aggregatedVersions.find((version) => version === parameters['v']) : undefined;
}

const isPlain = ({ type, parameters }: MediaRange, { mediaTypes }: Names): boolean =>
  parameters['as'] === undefined &&
  ['application/json', 'application/yaml', mediaTypes.protobuf, 'application/*', '*/*'].includes(type);

/** Aggregated documents by path and version, each made when first asked for. */
function aggregatedDocuments(groups: readonly ServedGroup[], { names }: DiscoveryOptions) {
  const made = new Map<string, TaggedDocument>();
  return (path: string, version: AggregatedVersion) => {
    const key = `${path} ${version}`;
    let document = made.get(key);
    if (document === undefined) {
      const shown = groups.filter(({ name }) => (path === '/api') === (name === ''));
      document = tagged(aggregatedDocument(shown, names.apiVersion('apidiscovery', version), names));
      made.set(key, document);
    }
    const type = `application/json;g=${names.group('apidiscovery')};v=${version};as=${AGGREGATED_KIND}`;
    return { document, headers: { 'Content-Type': type } };
  };
}
