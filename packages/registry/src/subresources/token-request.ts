import type { IssuedToken, RequestedToken, TokenIssuer } from '@orch/auth';
import type { BoundObjectReference, TokenRequest } from '@orch/kinds/authentication';
import type { Pod } from '@orch/kinds/core';
import { type ApiObject, errors, type FieldError, fieldError } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import type { Reply, ResourceContext } from '@orch/request';
import type { RequestPath, ResourceLookup, WritePath } from '../context/paths.ts';
import { encodeObject } from '../encode/encodings.ts';
import { auxiliaryKind, type PostRequest, readPost } from '../request/read-write-request.ts';
import { bytesReply } from '../request/reply.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';
import { admitPosted } from '../write/admit-posted.ts';

const kind = { group: 'authentication', version: 'v1', kind: 'TokenRequest' } as const;

/**
 * `serviceaccounts/token`: issues a token of the account (facts: defaults and validation, TokenRequest). It may be bound to
 * a pod that runs under the account, or to a secret, both of the account's namespace. A dry run returns everything but the
 * token. 404 when the server has no signing key.
 */
export async function requestToken(
  path: TokenPath,
  accounts: StoredResource,
  call: ResourceContext,
): Promise<Reply> {
  const { tokenIssuer: issuer } = path;
  if (issuer === undefined) throw errors.resourceNotFound();
  const { info, request } = call;
  const { object: tokenRequest, warnings, options, format } = await readTokenRequest(path, call);
  const { signal } = request;
  const { dryRun } = options;
  const account = await current(accounts, { key: keyOf(accounts, info), name: info.name, signal });
  await admitPosted(path, accounts, { call, object: tokenRequest, name: info.name, dryRun });
  const wanted = await wantedToken(path, tokenRequest, { account, issuer, signal });
  const issued = await issuer.issue(wanted);
  const body = answered(path, { tokenRequest, wanted, issued, dryRun });
  const { codec } = path.auxiliaryProtobuf(kind.group, kind.version, kind.kind);
  return bytesReply(201, format, encodeObject(body, codec, format), [
    ...warnings,
    ...shortened(wanted, issued),
  ]);
}

/** The context for issuing tokens of service accounts. */
type TokenPath = RequestPath & WritePath & { readonly tokenIssuer: TokenIssuer | undefined };

/** Parses the request, validated as far as possible without other objects. */
async function readTokenRequest(path: RequestPath, call: ResourceContext): Promise<PostRequest> {
  const { names } = path;
  const { info } = call;
  const post = await readPost(path, call, auxiliaryKind(path, kind));
  const { object } = post;
  checkPlace(object, info.namespace, info.name, names.group(kind.group));
  delete object['status'];
  const codec = path.auxiliary(kind.group, kind.version, kind.kind);
  const problems = [...audienceProblems(specOf(object).audiences), ...codec.validate(object)];
  if (problems.length > 0)
    throw errors.invalid({ group: names.group(kind.group), kind: kind.kind }, problems);
  return post;
}

async function wantedToken(
  path: TokenPath,
  tokenRequest: ApiObject,
  of: { readonly account: ApiObject; readonly issuer: TokenIssuer; readonly signal: AbortSignal },
): Promise<RequestedToken> {
  const { audiences, expirationSeconds } = specOf(tokenRequest);
  const { namespace = '', name = '', uid = '' } = of.account.metadata;
  const boundTo = await boundObject(path, tokenRequest, { namespace, name, signal: of.signal });
  return {
    account: { namespace, name, uid },
    audiences: audiences.length === 0 ? of.issuer.audiences : audiences,
    expirationSeconds,
    ...(boundTo === undefined ? {} : { boundTo }),
  };
}

interface Answered {
  readonly tokenRequest: TokenRequest;
  readonly wanted: RequestedToken;
  readonly issued: IssuedToken;
  readonly dryRun: boolean;
}

/** The request with its status. */
function answered(path: TokenPath, { tokenRequest, wanted, issued, dryRun }: Answered): ApiObject {
  const { name, namespace } = wanted.account;
  const creationTimestamp = formatTime(path.env.clock.now());
  // The codec orders the fields and adds those that are always written.
  return path.auxiliary(kind.group, kind.version, kind.kind).decode({
    ...tokenRequest,
    metadata: { ...tokenRequest.metadata, name, namespace, creationTimestamp },
    spec: {
      ...tokenRequest.spec,
      audiences: wanted.audiences,
      expirationSeconds: issued.expirationSeconds,
    },
    status: { token: dryRun ? '' : issued.token, expirationTimestamp: formatTime(issued.expiresAt) },
  }).value;
}

const shortened = (
  { expirationSeconds: wanted }: RequestedToken,
  { expirationSeconds: got }: IssuedToken,
): readonly string[] =>
  got < wanted ? [`requested expiration of ${wanted} seconds shortened to ${got} seconds`] : [];

/** The account in the body, where given, must be that of the path. */
function checkPlace({ metadata }: ApiObject, namespace: string, name: string, group: string): void {
  const differs = (field: 'name' | 'namespace', expected: string): readonly FieldError[] => {
    const given = metadata[field] ?? '';
    return given === '' || given === expected
      ? []
      : [
          fieldError.invalid(
            `metadata.${field}`,
            given,
            `must match the service account ${field} if specified`,
          ),
        ];
  };
  const problems = [...differs('name', name), ...differs('namespace', namespace)];
  if (problems.length > 0) throw errors.invalid({ group, kind: kind.kind, name }, problems);
}

interface Spec {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
}

const specOf = ({ spec }: TokenRequest): Spec => ({
  audiences: spec?.audiences ?? [],
  expirationSeconds: Number(spec?.expirationSeconds),
});

/** Audiences must not be empty: no server could check such a token. */
const audienceProblems = (audiences: readonly string[]): readonly FieldError[] =>
  audiences.flatMap((audience, index) =>
    audience === '' ? [fieldError.invalid(`spec.audiences[${index}]`, '', 'must not be empty')] : [],
  );

interface Wanted {
  /** Key in the resource. */
  readonly key: string;
  readonly name: string;
  readonly signal: AbortSignal;
}

/** The current object, after the cache is fresh. */
async function current(resource: StoredResource, { key, name, signal }: Wanted): Promise<ApiObject> {
  await resource.cache.waitFresh({ kind: 'mostRecent' }, signal);
  const object = resource.cache.get(key);
  if (object === undefined) throw errors.notFound(subjectOf(resource, name));
  return parseJson(object.json()) as ApiObject;
}

/** The namespace and the account that a token is for. */
interface Owner {
  readonly namespace: string;
  readonly name: string;
  readonly signal: AbortSignal;
}

/** The object to which the token is bound: it must exist, have the given uid, and belong to the account. */
async function boundObject(
  path: TokenPath,
  { spec }: TokenRequest,
  owner: Owner,
): Promise<RequestedToken['boundTo']> {
  const ref = spec?.boundObjectRef ?? undefined;
  if (ref === undefined) return undefined;
  const { kind: refKind = '', name = '', uid: refUid = '' } = ref;
  const resource = bindable(ref);
  const object = await current(coreResource(path, resource), {
    key: objectKey(true, owner.namespace, name),
    name,
    signal: owner.signal,
  });
  if (resource === 'pods' && accountOf(object) !== owner.name) {
    throw errors.malformedRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(owner.name)} to pod running with different serviceaccount name.`,
    );
  }
  const { uid = '' } = object.metadata;
  if (refUid !== '' && refUid !== uid) {
    throw errors.conflictingValue(
      { group: '', kind: refKind, name },
      `the UID in the bound object reference (${refUid}) does not match the UID in record. The object might have been deleted and then recreated`,
      'the UID in the bound object reference does not match the UID in record. The object might have been deleted and then recreated',
    );
  }
  return { kind: resource === 'pods' ? 'pod' : 'secret', name, uid };
}

function bindable({ kind: refKind = '', apiVersion = '' }: BoundObjectReference): 'pods' | 'secrets' {
  // Only the group matters, not the version; the core group has none.
  if (!apiVersion.includes('/') && refKind === 'Pod') return 'pods';
  if (!apiVersion.includes('/') && refKind === 'Secret') return 'secrets';
  throw errors.badRequest(
    `cannot bind token to object of type ${apiVersion}, Kind=${refKind}`,
    'cannot bind token to an object that is neither a pod nor a secret',
  );
}

function coreResource(path: ResourceLookup, name: string): StoredResource {
  const resource = path.table.find('', 'v1', name);
  if (resource === undefined) throw errors.resourceNotFound();
  return path.stored(resource);
}

const accountOf = ({ spec }: Pod): string | undefined => spec?.serviceAccountName;
