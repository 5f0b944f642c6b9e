import { isIP } from 'node:net';
import type { ApiError, Names } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { microTimeOf } from '@orch/machinery/time';
import { type ApiRequest, type RequestInfo, selectedNameOf, type UserInfo } from '@orch/request';
import type {
  AuditDecision,
  AuditEvent,
  AuditedObject,
  AuditedStatus,
  AuditStage,
  AuditUser,
} from './types.ts';
import { reachesLevel } from './types.ts';

/** Maximum length of a recorded user agent. */
const MAX_AGENT = 1024;

/** The reply, as far as events record it. */
export interface AuditedAnswer {
  readonly code: number;
  readonly status?: Partial<AuditedStatus>;
  /** The object in the reply as JSON data. */
  readonly object?: unknown;
}

/** A request with all data of its events. */
export interface AuditedRequest {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly decision: AuditDecision;
  readonly receivedAt: number;
  /** Undefined when authentication failed. */
  readonly user: UserInfo | undefined;
  impersonated: UserInfo | undefined;
  requestObject: unknown;
  readonly annotations: Map<string, string>;
}

/** Creates events in the recorded version. */
export function eventMaker(names: Names, now: () => number) {
  const apiVersion = names.apiVersion('audit', 'v1');
  return (audited: AuditedRequest, stage: AuditStage, answer?: AuditedAnswer): AuditEvent => {
    const { request, info, decision, user, impersonated, annotations } = audited;
    const { level } = decision;
    const object = objectRef(audited, answer);
    const sources = sourceAddresses(request);
    const agent = request.headers['user-agent'] ?? '';
    const recorded = (value: unknown) => (decision.omitManagedFields ? withoutManagedFields(value) : value);
    const hasRequest = reachesLevel(level, 'Request') && stage !== 'RequestReceived';
    const hasResponse = reachesLevel(level, 'RequestResponse') && stage === 'ResponseComplete';
    return {
      kind: 'Event',
      apiVersion,
      level,
      auditID: request.id,
      stage,
      requestURI: request.rawQuery === '' ? request.rawPath : `${request.rawPath}?${request.rawQuery}`,
      verb: info.verb === 'apply' ? 'patch' : info.verb,
      user: user === undefined ? {} : auditUser(user),
      ...(impersonated === undefined ? {} : { impersonatedUser: auditUser(impersonated) }),
      ...(sources.length === 0 ? {} : { sourceIPs: sources }),
      ...(agent === '' ? {} : { userAgent: cut(agent) }),
      ...(object === undefined ? {} : { objectRef: object }),
      ...(answer === undefined
        ? {}
        : { responseStatus: { metadata: {}, ...answer.status, code: answer.code } }),
      ...(hasRequest && audited.requestObject !== undefined
        ? { requestObject: recorded(audited.requestObject) }
        : {}),
      ...(hasResponse && answer?.object !== undefined ? { responseObject: recorded(answer.object) } : {}),
      requestReceivedTimestamp: microTimeOf(audited.receivedAt),
      stageTimestamp: microTimeOf(now()),
      ...(annotations.size === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    };
  };
}

const cut = (agent: string): string =>
  agent.length > MAX_AGENT ? `${agent.slice(0, MAX_AGENT)}...TRUNCATED` : agent;

const auditUser = ({ name, uid, groups, extra }: UserInfo): AuditUser => ({
  username: name,
  ...(uid === '' ? {} : { uid }),
  ...(groups.length === 0 ? {} : { groups }),
  ...(Object.keys(extra).length === 0 ? {} : { extra }),
});

/** The object of the request, from its path, else from the objects in its bodies. */
function objectRef(audited: AuditedRequest, answer: AuditedAnswer | undefined): AuditedObject | undefined {
  const { info, request } = audited;
  const { rawQuery } = request;
  if (!info.isResource) return undefined;
  const sent = metadataOf(audited.requestObject);
  const bodyField = (name: string): string => {
    const value = sent[name] ?? (name === 'name' ? metadataOf(answer?.object)[name] : undefined);
    return typeof value === 'string' ? value : '';
  };
  const name =
    info.verb === 'create' && info.name === '' ? bodyField('name') : selectedNameOf(info, rawQuery);
  const [uid, resourceVersion] = [bodyField('uid'), bodyField('resourceVersion')];
  return {
    resource: info.resource,
    ...(info.namespace === '' ? {} : { namespace: info.namespace }),
    ...(name === '' ? {} : { name }),
    ...(uid === '' ? {} : { uid }),
    ...(info.group === '' ? {} : { apiGroup: info.group }),
    apiVersion: info.version,
    ...(resourceVersion === '' ? {} : { resourceVersion }),
    ...(info.subresource === '' ? {} : { subresource: info.subresource }),
  };
}

function metadataOf(object: unknown): Readonly<Record<string, unknown>> {
  if (!isJsonObject(object)) return {};
  const metadata = object['metadata'];
  return isJsonObject(metadata) ? metadata : {};
}

/** The Status of a failure, as the client receives it. */
export function statusOfError({ status }: ApiError): AuditedAnswer {
  const { reason, message, details, code } = status;
  return {
    code,
    status: {
      status: status.status,
      ...(message === undefined ? {} : { message }),
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined || Object.keys(details).length === 0 ? {} : { details }),
    },
    object: status,
  };
}

/** Removes managed fields from an object, or from the objects of a list. */
function withoutManagedFields(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const { metadata, items } = value;
  const one =
    isJsonObject(metadata) && 'managedFields' in metadata
      ? {
          ...value,
          metadata: Object.fromEntries(Object.entries(metadata).filter(([k]) => k !== 'managedFields')),
        }
      : value;
  return Array.isArray(items) ? { ...one, items: items.map(withoutManagedFields) } : one;
}

/** Maximum length of the recorded chain, which clients may send. */
const MAX_ADDRESSES = 32;

/**
 * Source addresses of a request: those that proxies report, in their order, and the address of the connection last,
 * which is the only one that clients cannot forge.
 */
function sourceAddresses({ headers, remoteAddress }: ApiRequest): readonly string[] {
  const chain = textOf(headers['x-forwarded-for'])
    .split(',', MAX_ADDRESSES)
    .map((part) => part.trim())
    .filter((part) => isIP(part) !== 0);
  const real = textOf(headers['x-real-ip']).trim();
  if (isIP(real) !== 0 && !chain.includes(real)) chain.push(real);
  const remote = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  if (isIP(remote) !== 0 && chain.at(-1) !== remote) chain.push(remote);
  return chain;
}

const textOf = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.join(',') ?? '');
