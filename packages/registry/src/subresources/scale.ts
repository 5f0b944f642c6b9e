import type { ScaleMapping, Subresource } from '@orch/apis';
import {
  type ApiObject,
  cloneJson,
  errors,
  fieldError,
  isJsonObject,
  parseJson,
  type Subject,
} from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import type { Codec } from '@orch/schema';
import { type OwnersAfter, trackingIn } from '../convert/ownership.ts';
import { encodeObject } from '../encode/encodings.ts';
import { bodyBytes, checkKind, type ExpectedKind } from '../request/body.ts';
import { readObject, unreadable } from '../request/decode-object.ts';
import { bytesReply, formOf, queryOf } from '../request/reply.ts';
import {
  applyOptions,
  type OptionsKind,
  type WriteOptions,
  writeOptions,
  writerOf,
} from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { type Applying, decideApply, readConfig } from '../verbs/apply-config.ts';
import { readFreshObject } from '../verbs/get.ts';
import { patchedObject, readPatch, refusePatchType } from '../verbs/patch.ts';
import { type Change, type Current, changeObject } from '../write/change-object.ts';
import { checkName, checkNamespace } from '../write/object-meta.ts';
import { ownersBy, updatedTo } from '../write/update-object.ts';
import { mainRules } from '../write/update-rules.ts';
import { scaleOf } from './scale-form.ts';

/** `/scale`: the number of replicas of a kind, in a form that is the same for all kinds. */
export async function scale(
  context: RegistryContext,
  resource: StoredResource,
  { kind }: Subresource,
  call: ResourceContext,
): Promise<Reply> {
  const mapping = resource.type.scale;
  if (mapping === undefined) throw errors.resourceNotFound();
  const { info, request } = call;
  const form = formOf(request, queryOf(request), context.negotiator, 'plain');
  const names = [kind.group, kind.version, kind.kind] as const;
  const expected = { kind: kind.kind, apiVersion: context.names.apiVersion(kind.group, kind.version) };
  const codec = context.auxiliary(...names);
  const protobuf = context.auxiliaryProtobuf(...names);
  const schema = context.auxiliarySchema(...names);
  const { bodyBytes } = context.limits;
  const shown = (object: ApiObject): ApiObject => scaleOf(object, mapping, expected.apiVersion, schema);
  const reply = (json: Buffer): Reply =>
    bytesReply(200, form, encodeObject(shown(parseJson(json) as ApiObject), protobuf.codec, form));
  const subject = { group: context.names.group(kind.group), kind: kind.kind, name: info.name };
  const asked = { context, resource, call, mapping, subject, wanted: (old: ApiObject) => old };
  switch (info.verb) {
    case 'get':
      return reply((await readFreshObject(resource, info, request)).json());
    case 'update': {
      const { object } = await readObject(request, codec, expected, {
        limitBytes: bodyBytes,
        protobuf,
        fieldValidation: 'Ignore',
      });
      return reply(await write({ ...asked, wanted: () => object }, 'UpdateOptions'));
    }
    case 'apply':
      return reply(await applyScale(asked, codec, expected));
    default: {
      const patch = await readPatch(request, {
        type: resource.type,
        schema,
        strategic: context.strategic,
        limitBytes: bodyBytes,
      });
      const wanted = (old: ApiObject): ApiObject =>
        patchedObject(patch, shown(old), { codec, expected }).object;
      return reply(await write({ ...asked, wanted }, 'PatchOptions'));
    }
  }
}

interface ScaleWrite {
  readonly context: RegistryContext;
  readonly resource: StoredResource;
  readonly call: ResourceContext;
  readonly mapping: ScaleMapping;
  /** Of failures that are about the Scale. */
  readonly subject: Subject;
  /** The Scale that the client wants, from the object that there is, in the hub version. */
  wanted(old: ApiObject): ApiObject;
}

/** Returns the JSON of the changed object. */
function write(asked: ScaleWrite, kind: OptionsKind): Promise<Buffer> {
  const { context, resource, call } = asked;
  const { info, request } = call;
  const options = writeOptions(queryOf(request), kind, context);
  const owners = ownersBy(context, resource, writerOf(request, info, options));
  return change(asked, options, (current) => rescaled(asked, owners, current));
}

async function change(
  { context, resource, call: { info, request, user } }: ScaleWrite,
  { dryRun }: WriteOptions,
  decide: (current: Current) => Change,
): Promise<Buffer> {
  const key = keyOf(resource, info);
  const { name } = info;
  const changed = await changeObject(context, resource, {
    key,
    name,
    user,
    admittedAs: { operation: 'UPDATE', subresource: info.subresource },
    dryRun,
    signal: request.signal,
    decide,
  });
  if (changed === undefined) throw errors.notFound(subjectOf(resource, name));
  return changed.json;
}

function rescaled(
  { context, resource, call, mapping, subject, wanted }: ScaleWrite,
  owners: OwnersAfter,
  current: Current,
): Change {
  const { info, user } = call;
  const asked = wanted(current.object);
  checkName(asked, info.name);
  checkNamespace(asked, resource, info.namespace);
  const next = cloneJson(current.object);
  mapping.setReplicas(next, replicasOf(asked, subject));
  const { uid, resourceVersion } = asked.metadata;
  if (uid !== undefined && uid !== '') next.metadata.uid = uid;
  if (resourceVersion !== undefined && resourceVersion !== '')
    next.metadata.resourceVersion = resourceVersion;
  return updatedTo(context, resource, current, {
    next,
    codec: resource.codec,
    user,
    rules: mainRules(resource),
    owners,
  });
}

/** The number that a Scale asks for (422 for less than none). */
function replicasOf(scale: ApiObject, subject: Subject): number {
  const replicas = Number((scale['spec'] as { replicas?: number } | undefined)?.replicas ?? 0);
  if (replicas >= 0) return replicas;
  throw errors.invalid(subject, [
    fieldError.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
  ]);
}

/**
 * Applies a Scale: as a configuration of the object itself that has an opinion about nothing but the number of replicas.
 * Its owner is known as one that writes through `scale`.
 */
async function applyScale(asked: ScaleWrite, codec: Codec, expected: ExpectedKind): Promise<Buffer> {
  const { context, resource, call, mapping, subject } = asked;
  const { info, request, user } = call;
  if (trackingIn(context.release) === 'never') refusePatchType(request, resource.type);
  const options = applyOptions(queryOf(request), context);
  const { config, warnings } = readConfig(
    await bodyBytes(request, context.limits.bodyBytes),
    expected,
    options,
  );
  checkKind(config, expected);
  const { value, problems } = codec.decode(config, { typeMeta: expected });
  const wrong = problems.find((problem) => problem.kind === 'type');
  if (wrong !== undefined)
    throw unreadable(`the applied configuration cannot be read as ${expected.kind}`, [wrong]);
  const meant: ApiObject = {
    kind: resource.type.kind,
    apiVersion: resource.apiVersion,
    metadata: isJsonObject(config['metadata']) ? config['metadata'] : {},
  };
  const spec = config['spec'];
  if (isJsonObject(spec) && (spec['replicas'] ?? null) !== null)
    mapping.setReplicas(Object.assign(meant, { spec: {} }), replicasOf(value, subject));
  const { name, namespace } = info;
  const writer = writerOf(request, info, options);
  const applying: Applying = { sent: { config: meant, warnings }, writer, options, name, namespace };
  const told = (): void => {};
  return change(asked, options, (current) =>
    decideApply(context, resource, { current, applying, told }, { user, rules: mainRules(resource) }),
  );
}
