import { atLeast } from '@orch/apis';
import type { IssuedToken, RequestedToken, TokenIssuer } from '@orch/auth';
import type { TokenRequest } from '@orch/kinds/authentication';
import { type ApiObject, errors, type FieldError, fieldError } from '@orch/machinery';
import { formatTime } from '@orch/machinery/time';
import type { Reply, ResourceContext } from '@orch/request';
import type { RequestPath, WritePath } from '../context/paths.ts';
import { encodeObject } from '../encode/encodings.ts';
import { auxiliaryKind, type PostRequest, readPost } from '../request/read-write-request.ts';
import { addWarnings, bytesReply } from '../request/reply.ts';
import { keyOf, type StoredResource } from '../resource/served-resource.ts';
import { admitPosted } from '../write/admit-posted.ts';
import { checkNamespace } from '../write/rules/object-meta.ts';
import { attestationProblems, misplacedAttestations } from './token-attestations.ts';
import { boundObject, currentObject } from './token-binding.ts';

const kind = { group: 'authentication', version: 'v1', kind: 'TokenRequest' } as const;

/**
 * `serviceaccounts/token`: issues a token of the account (facts: defaults and validation, TokenRequest). It may be bound to
 * a pod that runs under the account, or to a secret, both of the account's namespace, or to a node. A dry run returns
 * everything but the token. 404 when the server has no signing key.
 */
export async function requestToken(
  path: TokenPath,
  accounts: StoredResource,
  call: ResourceContext,
): Promise<Reply> {
  const { tokenIssuer: issuer } = path;
  if (issuer === undefined) throw errors.resourceNotFound();
  const { info, request } = call;
  const { object: tokenRequest, options, format } = await readTokenRequest(path, accounts, call);
  const { signal } = request;
  const { dryRun } = options;
  const account = await currentObject(accounts, { key: keyOf(accounts, info), name: info.name, signal });
  const uidWarnings = checkUid(path, tokenRequest, { account, call });
  await admitPosted(path, accounts, { call, object: tokenRequest, name: info.name, dryRun });
  const wanted = await wantedToken(path, tokenRequest, { account, issuer, signal });
  const issued = await issuer.issue(wanted);
  const body = answered(path, { tokenRequest, wanted, issued, dryRun });
  if (!dryRun) annotateIssued(path, issued, call);
  const { codec } = path.auxiliaryProtobuf(kind.group, kind.version, kind.kind);
  addWarnings(call.trace, [...uidWarnings, ...shortened(wanted, issued)]);
  return bytesReply(201, format, encodeObject(body, codec, format));
}

/** The context for issuing tokens of service accounts. */
type TokenPath = RequestPath & WritePath & { readonly tokenIssuer: TokenIssuer | undefined };

/** Parses the request, validated as far as possible without other objects. */
async function readTokenRequest(
  path: RequestPath,
  accounts: StoredResource,
  call: ResourceContext,
): Promise<PostRequest> {
  const { names } = path;
  const { info } = call;
  const post = await readPost(path, call, auxiliaryKind(path, kind));
  const { object } = post;
  checkNamespace(object, accounts, info.namespace);
  checkAccount(object, info.name, names.group(kind.group));
  delete object['status'];
  const codec = path.auxiliary(kind.group, kind.version, kind.kind);
  const { spec = {} }: TokenRequest = object;
  const unattested = misplacedAttestations(path, spec);
  const problems =
    unattested.length > 0
      ? unattested
      : [
          ...audienceProblems(specOf(object).audiences),
          ...codec.validate(object),
          ...attestationProblems(path, spec),
        ];
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
  const binding = await boundObject(path, tokenRequest, { namespace, name, signal: of.signal });
  return {
    account: { namespace, name, uid },
    audiences: audiences.length === 0 ? of.issuer.audiences : audiences,
    expirationSeconds,
    ...binding,
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
  const { name, namespace, uid } = wanted.account;
  const { uid: sentUid = '' } = tokenRequest.metadata;
  const creationTimestamp = formatTime(path.env.clock.now());
  // The codec orders the fields and adds those that are always written.
  return path.auxiliary(kind.group, kind.version, kind.kind).decode({
    ...tokenRequest,
    metadata: {
      ...tokenRequest.metadata,
      name,
      namespace,
      ...(comparesUids(path) ? { uid: sentUid === '' ? uid : sentUid } : {}),
      creationTimestamp,
    },
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
function checkAccount({ metadata }: ApiObject, name: string, group: string): void {
  const given = metadata.name ?? '';
  if (given === '' || given === name) return;
  const problem = 'must match the service account name if specified';
  throw errors.invalid({ group, kind: kind.kind, name }, [
    fieldError.invalid('metadata.name', given, problem),
  ]);
}

/** Releases before 1.34 ignore the UID of a request. */
const comparesUids = ({ release }: RequestPath): boolean => atLeast(release, '1.34');

/** The UID in the body, where given, must be that of the account: it may have been deleted and recreated. */
function checkUid(
  path: RequestPath,
  { metadata: { uid = '' } }: ApiObject,
  { account, call }: { readonly account: ApiObject; readonly call: ResourceContext },
): readonly string[] {
  const { metadata } = account;
  if (!comparesUids(path) || uid === '' || uid === metadata.uid) return [];
  const { names, features } = path;
  const problem = 'the UID in the token request does not match the UID of the service account';
  if (features.tokenRequestUidChecks) {
    throw errors.conflictingValue(
      { group: names.group(kind.group), kind: kind.kind, name: metadata.name ?? '' },
      `the UID in the token request (${uid}) does not match the UID of the service account (${metadata.uid})`,
      problem,
    );
  }
  call.trace.annotate?.(names.auditAnnotations.tokenRequestUidMismatch, problem);
  return [`${problem}; a later release refuses such a request`];
}

/** Records the credential id of the token in the audit event, so that requests with the token lead to its origin. */
function annotateIssued(
  { names, release }: RequestPath,
  { credentialId }: IssuedToken,
  { trace }: ResourceContext,
): void {
  if (credentialId === undefined) return;
  const { auditAnnotations, userExtras } = names;
  const key = atLeast(release, '1.30') ? auditAnnotations.issuedCredentialId : userExtras.credentialId;
  trace.annotate?.(key, credentialId);
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
