import type { IssuedToken, TokenIssuer, WantedToken } from '@orch/auth';
import {
  type ApiObject,
  errors,
  type FieldError,
  fieldError,
  formatTime,
  isJsonObject,
  parseJson,
} from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import { encodeObject } from '../encode/encodings.ts';
import { type DecodedObject, readObject } from '../request/decode-object.ts';
import { bytesReply, formOf, queryOf } from '../request/reply.ts';
import { type WriteOptions, writeOptions } from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';
import { admissionOf, creating } from '../write/admission.ts';

const kind = { group: 'authentication', version: 'v1', kind: 'TokenRequest' } as const;

/**
 * `serviceaccounts/token`: makes a token of the account (facts: defaults and validation, TokenRequest). It may be bound to
 * a pod that runs under the account, or to a secret, both of the account's namespace. A dry run gets everything but the
 * token. Not to be found where the server has no key to sign with.
 */
export async function requestToken(
  context: RegistryContext,
  accounts: StoredResource,
  call: ResourceContext,
): Promise<Reply> {
  const { tokenIssuer: issuer } = context;
  if (issuer === undefined) throw errors.resourceNotFound();
  const { info, request } = call;
  const key = keyOf(accounts, info);
  const query = queryOf(request);
  const options = writeOptions(query, 'CreateOptions', context);
  const form = formOf(request, query, context.negotiator, 'plain');
  const { object: asked, warnings } = await readRequest(context, call, options);
  const account = await current(accounts, { key, name: info.name, signal: request.signal });
  const { namespace, name, subresource } = info;
  const admit = admissionOf(
    context.admission,
    accounts,
    { operation: 'CREATE', subresource },
    { namespace, name, user: call.user, dryRun: options.dryRun, signal: request.signal },
  );
  await admit?.(creating(asked));
  const wanted = await wantedToken(context, asked, { account, issuer, signal: request.signal });
  const issued = issuer.issue(wanted);
  const answer = answered(context, { asked, wanted, issued, dryRun: options.dryRun });
  const { codec } = context.auxiliaryProtobuf(kind.group, kind.version, kind.kind);
  return bytesReply(201, form, encodeObject(answer, codec, form), [
    ...warnings,
    ...shortened(wanted, issued),
  ]);
}

/** The body, valid as far as it can be without looking at other objects. */
async function readRequest(
  context: RegistryContext,
  { info, request }: ResourceContext,
  { fieldValidation }: WriteOptions,
): Promise<DecodedObject> {
  const { names } = context;
  const codec = context.auxiliary(kind.group, kind.version, kind.kind);
  const read = await readObject(
    request,
    codec,
    { kind: kind.kind, apiVersion: names.apiVersion(kind.group, kind.version) },
    {
      limitBytes: context.limits.bodyBytes,
      protobuf: context.auxiliaryProtobuf(kind.group, kind.version, kind.kind),
      fieldValidation,
    },
  );
  checkPlace(read.object, info.namespace, info.name, names.group(kind.group));
  delete read.object['status'];
  const problems = [...audienceProblems(specOf(read.object).audiences), ...codec.validate(read.object)];
  if (problems.length > 0)
    throw errors.invalid({ group: names.group(kind.group), kind: kind.kind }, problems);
  return read;
}

async function wantedToken(
  context: RegistryContext,
  asked: ApiObject,
  of: { readonly account: ApiObject; readonly issuer: TokenIssuer; readonly signal: AbortSignal },
): Promise<WantedToken> {
  const { audiences, expirationSeconds } = specOf(asked);
  const { namespace = '', name = '', uid = '' } = of.account.metadata;
  const boundTo = await boundObject(context, asked, { namespace, name, signal: of.signal });
  return {
    account: { namespace, name, uid },
    audiences: audiences.length === 0 ? of.issuer.audiences : audiences,
    expirationSeconds,
    ...(boundTo === undefined ? {} : { boundTo }),
  };
}

interface Answered {
  readonly asked: ApiObject;
  readonly wanted: WantedToken;
  readonly issued: IssuedToken;
  readonly dryRun: boolean;
}

/** The request with what came of it. */
function answered(context: RegistryContext, { asked, wanted, issued, dryRun }: Answered): ApiObject {
  const { name, namespace } = wanted.account;
  const creationTimestamp = formatTime(context.env.clock.now());
  // The codec puts members in their order, and writes those that are always there.
  return context.auxiliary(kind.group, kind.version, kind.kind).decode({
    ...asked,
    metadata: { ...asked.metadata, name, namespace, creationTimestamp },
    spec: {
      ...(asked['spec'] as object),
      audiences: wanted.audiences,
      expirationSeconds: issued.expirationSeconds,
    },
    status: { token: dryRun ? '' : issued.token, expirationTimestamp: formatTime(issued.expiresAt) },
  }).value;
}

const shortened = (
  { expirationSeconds: wanted }: WantedToken,
  { expirationSeconds: got }: IssuedToken,
): readonly string[] =>
  got < wanted ? [`requested expiration of ${wanted} seconds shortened to ${got} seconds`] : [];

/** What the body says of the account, if anything, must be what the path says. */
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

function specOf(asked: ApiObject): Spec {
  const spec = isJsonObject(asked['spec']) ? asked['spec'] : {};
  return {
    audiences: Array.isArray(spec['audiences']) ? (spec['audiences'] as readonly string[]) : [],
    expirationSeconds: Number(spec['expirationSeconds']),
  };
}

/** A token for an audience without a name would be for nobody that could be checked. */
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

/** An object as it is now, not as the cache may still have it. */
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

/** What the token is to be bound to: it must be there, be the one that is meant, and belong to the account. */
async function boundObject(
  context: RegistryContext,
  asked: ApiObject,
  owner: Owner,
): Promise<WantedToken['boundTo']> {
  const spec = isJsonObject(asked['spec']) ? asked['spec'] : {};
  if (!isJsonObject(spec['boundObjectRef'])) return undefined;
  const ref = referenceOf(spec['boundObjectRef']);
  const resource = bindable(ref);
  const { name } = ref;
  const object = await current(coreResource(context, resource), {
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
  if (ref.uid !== '' && ref.uid !== uid) {
    throw errors.conflictingValue(
      { group: '', kind: ref.kind, name },
      `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      'the UID in the bound object reference does not match the UID in record. The object might have been deleted and then recreated',
    );
  }
  return { kind: resource === 'pods' ? 'pod' : 'secret', name, uid };
}

interface Reference {
  readonly kind: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly uid: string;
}

function referenceOf(ref: Readonly<Record<string, unknown>>): Reference {
  const text = (member: string): string => (typeof ref[member] === 'string' ? ref[member] : '');
  return { kind: text('kind'), apiVersion: text('apiVersion'), name: text('name'), uid: text('uid') };
}

function bindable({ kind: refKind, apiVersion }: Reference): 'pods' | 'secrets' {
  // Versions do not count, only the group does, which the core has none of.
  if (!apiVersion.includes('/') && refKind === 'Pod') return 'pods';
  if (!apiVersion.includes('/') && refKind === 'Secret') return 'secrets';
  throw errors.badRequest(
    `cannot bind token to object of type ${apiVersion}, Kind=${refKind}`,
    'cannot bind token to an object that is neither a pod nor a secret',
  );
}

function coreResource(context: RegistryContext, name: string): StoredResource {
  const resource = context.table.find('', 'v1', name);
  if (resource === undefined) throw errors.resourceNotFound();
  return context.stored(resource);
}

const accountOf = ({ spec }: ApiObject): unknown =>
  isJsonObject(spec) ? spec['serviceAccountName'] : undefined;
