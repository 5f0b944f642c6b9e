import type { Release, ServerFeatures } from '@orch/apis';
import type { Env, Names } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
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
  AGGREGATED_KIND,
  AggregatedDocuments,
  type AggregatedReply,
  type AggregatedVersion,
  aggregatedVersionsOf,
} from './aggregated-documents.ts';
import type { ServerAddress } from './documents.ts';
import { taggedReply } from './etag.ts';
import { type ExtensionApis, noExtensions } from './extension-apis.ts';
import { ListedGroups } from './listed-groups.ts';
import { PlainDocuments } from './plain-documents.ts';
import { ServedGroups, type ServedGroupsSource } from './served-groups.ts';

export interface DiscoveryOptions extends ServedGroupsSource {
  readonly names: Names;
  readonly release: Release;
  readonly features: Pick<ServerFeatures, 'removedBetaDiscovery'>;
  readonly negotiator: Negotiator;
  readonly addresses?: ServerAddress;
  /** The additions of API services; none when absent. */
  readonly extensions?: ExtensionApis;
  readonly env: Pick<Env, 'clock' | 'metrics' | 'turns'>;
  /** The Protobuf form of a kind of document. */
  auxiliaryProtobuf(group: string, version: string, kind: string): ProtobufKind;
}

export interface Discovery {
  readonly routes: readonly Route[];
  /** Every path that discovery currently serves, for the list of paths of the server. */
  paths(): readonly string[];
}

/**
 * `/api`, `/apis` and the paths below them without a resource. Documents are created when they are first requested and
 * kept as bytes until a resource that they name is added or removed.
 */
export function discoveryRoutes(options: DiscoveryOptions): Discovery {
  const groups = new ListedGroups(new ServedGroups(options), options.extensions ?? noExtensions);
  const documents = new PlainDocuments(groups, options);
  const aggregated = new AggregatedDocuments(groups, options);
  const handle = ({ info, request }: Authorized): Reply | Promise<Reply> => {
    const path = info.isResource ? '' : info.path.replace(/\/$/, '');
    const document = documents.find(path);
    if (document === undefined) return groupNotFound(path.split('/')[2] ?? '', options.names);
    if (path !== '/api' && path !== '/apis') return plainReply(request, document, options);
    const version = chooseAggregated(request, options);
    if (version === undefined) return varying(plainReply(request, document, options));
    const replyOf = ({ document: found, headers }: AggregatedReply): Reply =>
      taggedReply(found, headers, request.headers['if-none-match']);
    const reply = aggregated.find(path, version);
    return reply instanceof Promise ? reply.then(replyOf) : replyOf(reply);
  };
  const route = (path: string): Route => ({
    path,
    below: true,
    answerBytes: ({ headers }) => (requestsAggregated(headers) ? aggregated.bytes(path) : 0),
    handle,
  });
  return {
    routes: [route('/api'), route('/apis')],
    paths: () => documents.paths,
  };
}

/** For paths with more than one format: caches must not return one to clients that requested the other. */
const varying = (reply: BytesReply): Reply => ({ ...reply, headers: { ...reply.headers, Vary: 'Accept' } });

function plainReply(request: ApiRequest, document: Buffer, options: DiscoveryOptions): BytesReply {
  const form = responseFormatOf(request, queryOf(request), options.negotiator, 'document');
  if (form.representation.encoding !== 'protobuf') return bytesReply(200, form, finish(document, form));
  const object = parseJson(document) as { readonly kind: string };
  const { codec } = options.auxiliaryProtobuf('meta', 'v1', object.kind);
  return bytesReply(200, form, encodeObject({ ...object }, codec, form));
}

const requestsAggregated = ({ accept }: ApiRequest['headers']): boolean =>
  accept?.includes(AGGREGATED_KIND) === true;

/** The version of the aggregated form that the client prefers to the plain one; undefined when it does not. */
function chooseAggregated(request: ApiRequest, options: DiscoveryOptions): AggregatedVersion | undefined {
  const { accept = '' } = request.headers;
  if (!requestsAggregated(request.headers)) return undefined;
  const group = options.names.group('apidiscovery');
  const served = aggregatedVersionsOf(options.features);
  for (const range of parseAccept(accept)) {
    const requested = aggregatedVersion(range, group);
    const version = served.find((one) => one === requested);
    if (version !== undefined) return version;
    if (isPlain(range, options.names)) return undefined;
  }
  return undefined;
}

/** The version of the aggregated form that a media range names. */
function aggregatedVersion({ type, parameters }: MediaRange, group: string): string | undefined {
  const isRequested =
    type === 'application/json' && parameters['as'] === AGGREGATED_KIND && parameters['g'] === group;
  return isRequested ? parameters['v'] : undefined;
}

const isPlain = ({ type, parameters }: MediaRange, { mediaTypes }: Names): boolean =>
  parameters['as'] === undefined &&
  ['application/json', 'application/yaml', mediaTypes.protobuf, 'application/*', '*/*'].includes(type);
