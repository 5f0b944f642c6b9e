import type { ScaleMapping } from '@orch/apis';
import { type ApiObject, cloneJson, errors, fieldError, parseJson } from '@orch/machinery';
import type { ApiRequest, Reply, ResourceRequest } from '../pipeline/types.ts';
import { type Change, type Current, changeObject } from './change-object.ts';
import { readObject } from './decode-object.ts';
import { encodeObject } from './encodings.ts';
import { checkName, checkNamespace } from './object-meta.ts';
import { patchedObject, readPatch } from './patch.ts';
import { readFreshObject } from './read-get.ts';
import type { RegistryContext } from './registry-context.ts';
import { bytesReply, formOf, queryOf } from './reply.ts';
import { keyOf, type StoredResource, subjectOf } from './served-resource.ts';
import { updated } from './update.ts';
import { mainRules } from './update-rules.ts';
import { type OptionsKind, writeOptions } from './write-options.ts';

/** `/scale`: the number of replicas of a kind, in a form that is the same for all kinds. */
export async function scale(
  context: RegistryContext,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): Promise<Reply> {
  const mapping = resource.type.scale;
  if (mapping === undefined) throw errors.resourceNotFound();
  const form = formOf(request, queryOf(request), context.negotiator, 'plain');
  const expected = { kind: 'Scale', apiVersion: context.names.apiVersion('autoscaling', 'v1') };
  const codec = context.auxiliary('autoscaling', 'v1', 'Scale');
  const protobuf = context.auxiliaryProtobuf('autoscaling', 'v1', 'Scale');
  const { bodyBytes } = context.limits;
  const reply = (json: Buffer): Reply => {
    const shown = scaleOf(parseJson(json) as ApiObject, mapping, expected.apiVersion);
    return bytesReply(200, form, encodeObject(shown, protobuf.codec, form));
  };
  const asked = { context, resource, info, request };
  switch (info.verb) {
    case 'get':
      return reply((await readFreshObject(resource, info, request)).json());
    case 'update': {
      const { object } = await readObject(request, codec, expected, {
        limitBytes: bodyBytes,
        protobuf,
        fieldValidation: 'Ignore',
      });
      return reply(await write({ ...asked, options: 'UpdateOptions', wanted: () => object }));
    }
    default: {
      const schema = context.auxiliarySchema('autoscaling', 'v1', 'Scale');
      const patch = await readPatch(request, { schema, strategic: context.strategic, limitBytes: bodyBytes });
      const wanted = (old: ApiObject): ApiObject =>
        patchedObject(patch, scaleOf(old, mapping, expected.apiVersion), codec, expected);
      return reply(await write({ ...asked, options: 'PatchOptions', wanted }));
    }
  }
}

interface ScaleWrite {
  readonly context: RegistryContext;
  readonly resource: StoredResource;
  readonly info: ResourceRequest;
  readonly request: ApiRequest;
  readonly options: OptionsKind;
  /** The Scale that the client wants, from the object that there is. */
  wanted(old: ApiObject): ApiObject;
}

/** Returns the JSON of the changed object. */
async function write({ context, resource, info, request, options, wanted }: ScaleWrite): Promise<Buffer> {
  const { dryRun } = writeOptions(queryOf(request), options, context.names, context.release);
  const changed = await changeObject(context, resource, {
    key: keyOf(resource, info),
    name: info.name,
    dryRun,
    signal: request.signal,
    decide: (current) => rescaled(context, resource, info, current, wanted(current.object)),
  });
  if (changed === undefined) throw errors.notFound(subjectOf(resource, info.name));
  return changed.json;
}

function rescaled(
  context: RegistryContext,
  resource: StoredResource,
  info: ResourceRequest,
  current: Current,
  wanted: ApiObject,
): Change {
  checkName(wanted, info.name);
  checkNamespace(wanted, resource, info.namespace);
  const replicas = Number((wanted['spec'] as { replicas?: number } | undefined)?.replicas ?? 0);
  if (replicas < 0) {
    throw errors.invalid({ group: context.names.group('autoscaling'), kind: 'Scale', name: info.name }, [
      fieldError.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const next = cloneJson(current.object);
  resource.type.scale?.setReplicas(next, replicas);
  const { uid, resourceVersion } = wanted.metadata;
  if (uid !== undefined && uid !== '') next.metadata.uid = uid;
  if (resourceVersion !== undefined && resourceVersion !== '')
    next.metadata.resourceVersion = resourceVersion;
  return updated(context, resource, next, current, mainRules(resource));
}

/** The Scale of an object (facts: defaults, Scale). */
function scaleOf(object: ApiObject, mapping: ScaleMapping, apiVersion: string): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = mapping.replicas(object);
  const selector = mapping.selector(object);
  return {
    kind: 'Scale',
    apiVersion,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      creationTimestamp: creationTimestamp ?? null,
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: mapping.statusReplicas(object), ...(selector === '' ? {} : { selector }) },
  };
}
