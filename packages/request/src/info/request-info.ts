import { ApiError, errors } from '@orch/machinery';
import type { ApiVerb, NonResourceRequest, RequestInfo, ResourceRequest } from '../message/types.ts';
import { queryFlag } from './query.ts';
import { checkPath, decodeSegment } from './request-path.ts';

/** Input of `parseRequestInfo`. */
export interface RequestLine {
  readonly method: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  /** The Content-Type header, by which `apply` and `patch` differ. */
  readonly contentType: string | undefined;
}

/** Media type of a configuration to apply. */
export const applyMediaType = 'application/apply-patch+yaml';
export const applyCborMediaType = 'application/apply-patch+cbor';

/** Index of the first segment behind `/api/v1` in the split path; behind `/apis/<group>/<version>` it is one more. */
const CORE_TAIL = 3;

/** Subresources of a namespace; any other segment behind a namespace's name is a resource in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

/**
 * Derives the request info from path, method and the parameter `watch` (spec 4.1 and 4.2). Throws `ApiError`:
 * 400 for an ambiguous path, 404 for a path of the API without a resource, 405 for a method
 * that no resource supports.
 */
export function parseRequestInfo(request: RequestLine): RequestInfo {
  const { rawPath } = request;
  checkPath(rawPath);
  const inCore = rawPath.startsWith('/api/');
  if (!inCore && !rawPath.startsWith('/apis/')) return nonResource(request, decodePath(rawPath));

  const raw = rawPath.split('/');
  // raw[0] is the empty string before the first slash; then `api`, version or `apis`, group, version.
  const afterVersion = inCore ? CORE_TAIL : CORE_TAIL + 1;
  if (raw.length <= afterVersion || (raw.length === afterVersion + 1 && raw[afterVersion] === '')) {
    return nonResource(request, decodePath(rawPath));
  }
  const group = inCore ? '' : decodeSegment(raw[2] ?? '');
  const version = decodeSegment(raw[afterVersion - 1] ?? '');
  return resourceRequest(request, { group, version, raw, at: afterVersion });
}

interface Tail {
  readonly group: string;
  readonly version: string;
  readonly raw: readonly string[];
  /** Index of the first segment behind the version. */
  readonly at: number;
}

function resourceRequest(request: RequestLine, { group, version, raw, at: start }: Tail): ResourceRequest {
  const end = endOf(raw, request.method);
  let at = start;
  // The legacy path `/api/v1/watch/…` is equivalent to the parameter `watch`.
  const legacyWatch = raw[at] === 'watch' && end > at + 1;
  if (legacyWatch) {
    if (request.method !== 'GET') throw errors.methodNotAllowed(request.method);
    at++;
  }

  let namespace = '';
  let isInNamespace = false;
  let resource = segmentAt(raw, at);
  if (resource === 'namespaces' && end > at + 1) {
    namespace = segmentAt(raw, at + 1);
    if (namespace === '') throw errors.resourceNotFound();
    if (end > at + 2 && !namespaceSubresources.has(segmentAt(raw, at + 2))) {
      at += 2;
      isInNamespace = true;
      resource = segmentAt(raw, at);
    }
  }
  const name = segmentAt(raw, at + 1);
  const subresource = segmentAt(raw, at + 2);
  if (end > at + 1 && name === '') throw errors.resourceNotFound();
  if (resource === '' || version === '' || (group === '' && start !== CORE_TAIL))
    throw errors.resourceNotFound();
  if (end > at + 2 && subresource === '') throw errors.resourceNotFound();
  const rest = pathBelow(raw.slice(at + 3, subresource === 'proxy' ? raw.length : end));

  const isProxied = subresource === 'proxy' && !legacyWatch;
  const verb = isProxied ? proxiedVerb(request) : verbOf(request, name, legacyWatch);
  const place = { group, version, resource, subresource, namespace, isInNamespace, name, rest };
  return { isResource: true, verb, ...place };
}

/**
 * Number of significant segments: a final slash is ignored, except for DELETE, where a missing name behind it would
 * otherwise delete a whole collection or namespace.
 */
const endOf = (raw: readonly string[], method: string): number =>
  raw.at(-1) === '' && method !== 'DELETE' ? raw.length - 1 : raw.length;

const segmentAt = (raw: readonly string[], at: number): string => {
  const segment = raw[at];
  return segment === undefined ? '' : decodeSegment(segment);
};

/** The path behind a subresource, undecoded and with its leading slash. */
function pathBelow(segments: readonly string[]): string {
  for (const segment of segments) decodeSegment(segment);
  return segments.length === 0 ? '' : `/${segments.join('/')}`;
}

/** Parameters of a proxied request are not for this server, and OPTIONS counts as reading. */
const proxiedVerb = ({ method, contentType }: RequestLine): ApiVerb =>
  method === 'OPTIONS' ? 'get' : verbOf({ method, contentType, rawPath: '', rawQuery: '' }, 'any', false);

function verbOf(request: RequestLine, name: string, legacyWatch: boolean): ApiVerb {
  switch (request.method) {
    case 'GET':
      if (legacyWatch || queryFlag(request.rawQuery, 'watch')) return 'watch';
      return name === '' ? 'list' : 'get';
    case 'HEAD':
      return name === '' ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return isApply(request.contentType) ? 'apply' : 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
    default:
      throw errors.methodNotAllowed(request.method);
  }
}

function isApply(contentType: string | undefined): boolean {
  const mediaType = contentType?.toLowerCase().split(';', 1)[0]?.trim();
  return mediaType === applyMediaType || mediaType === applyCborMediaType;
}

function nonResource(request: RequestLine, path: string): NonResourceRequest {
  return { isResource: false, verb: request.method.toLowerCase(), path };
}

/** Decodes a non-resource path. Empty segments are kept, so that `//version` is not `/version`. */
function decodePath(rawPath: string): string {
  if (!rawPath.includes('%') && !rawPath.includes('/.') && !rawPath.includes('\\')) return rawPath;
  return rawPath.split('/').map(decodeSegment).join('/');
}

const longRunningSubresources: ReadonlySet<string> = new Set([
  'attach',
  'exec',
  'log',
  'portforward',
  'proxy',
]);

/** Requests whose duration the client determines: without deadline and not limited in flight. */
export const isLongRunning = (info: RequestInfo): boolean =>
  info.isResource &&
  (info.verb === 'watch' || info.verb === 'proxy' || longRunningSubresources.has(info.subresource));

const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head']);

/** Read-only and mutating requests have separate limits in flight. */
export const isReadOnly = (info: RequestInfo): boolean => readOnlyVerbs.has(info.verb);

const METHOD_NOT_ALLOWED = 405;

/** The request info, or one with a refusal where `parse` throws an `ApiError`: such requests are audited as well. */
export function infoOrRefusal(
  line: RequestLine,
  parse: (line: RequestLine) => RequestInfo = parseRequestInfo,
): RequestInfo {
  try {
    return parse(line);
  } catch (error) {
    if (error instanceof ApiError) return refusedInfo(line, error);
    throw error;
  }
}

/** The target of a refused request: the resource where only the method is wrong, otherwise the path as sent. */
function refusedInfo(line: RequestLine, refusal: ApiError): RequestInfo {
  if (refusal.status.code === METHOD_NOT_ALLOWED) {
    try {
      const info = parseRequestInfo({ ...line, method: 'GET', rawQuery: '' });
      if (info.isResource) return { ...info, verb: '', refusal };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return { isResource: false, verb: line.method.toLowerCase(), path: line.rawPath, refusal };
}
