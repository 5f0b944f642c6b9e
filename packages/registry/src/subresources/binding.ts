import {
  type ApiObject,
  errors,
  type FieldError,
  fieldError,
  formatTime,
  hasDeletionTimestamp,
  isJsonObject,
  parseJson,
} from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import { setOwners } from '../convert/ownership.ts';
import { readObject } from '../request/decode-object.ts';
import { formOf, queryOf, successReply } from '../request/reply.ts';
import { writeOptions, writerOf } from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { kindSubjectOf, type StoredResource } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';
import { type Current, changeObject } from '../write/change-object.ts';
import { checkName, checkNamespace, uidMismatch } from '../write/object-meta.ts';
import { changeTo, ownersBy } from '../write/update-object.ts';
import { subresourceRules } from '../write/update-rules.ts';
import { strategyContext } from '../write/validate-object.ts';

/**
 * Assigns a pod to a node: `pods/binding`, and the older `bindings`, where the Binding names the pod. Only a pod without
 * a node, and not being deleted, can be assigned (409).
 */
export async function bind(
  context: RegistryContext,
  pods: StoredResource,
  { info, request, user }: ResourceContext,
): Promise<Reply> {
  const query = queryOf(request);
  const options = writeOptions(query, 'CreateOptions', context);
  const form = formOf(request, query, context.negotiator, 'plain');
  const { object: binding } = await readObject(
    request,
    context.auxiliary('', 'v1', 'Binding'),
    { kind: 'Binding', apiVersion: 'v1' },
    {
      limitBytes: context.limits.bodyBytes,
      protobuf: context.auxiliaryProtobuf('', 'v1', 'Binding'),
      fieldValidation: options.fieldValidation,
    },
  );
  if (info.name !== '') checkName(binding, info.name);
  checkNamespace(binding, pods, info.namespace);
  const name = binding.metadata.name ?? '';
  const target = isJsonObject(binding['target']) ? binding['target'] : {};
  const problems = bindingProblems(name, target);
  if (problems.length > 0) throw errors.invalid({ group: '', kind: 'Binding', name }, problems);
  const rules = subresourceRules(pods, 'binding');
  const bound = await changeObject(context, pods, {
    key: objectKey(true, info.namespace, name),
    name,
    user,
    admittedAs: { operation: 'UPDATE', subresource: 'binding' },
    dryRun: options.dryRun,
    signal: request.signal,
    decide(current) {
      // Read anew: the one that is there is changed.
      const old = parseJson(current.json) as ApiObject;
      const pod = assigned(context, current, binding, String(target['name']));
      const refused = rules.validate(pod, old, strategyContext(context, pods, user));
      if (refused.length > 0) throw errors.invalid(kindSubjectOf(pods, name), refused);
      const owners = ownersBy(context, pods, writerOf(request, info, options));
      setOwners(pod.metadata, owners(pod, old));
      return changeTo(pods, pod, current);
    },
  });
  if (bound === undefined) throw errors.notFound({ group: '', kind: 'pods', name });
  return successReply(context, form, { code: 201, showCode: true });
}

function bindingProblems(name: string, target: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const { kind, name: node } = target;
  return [
    ...(name === '' ? [fieldError.required('metadata.name')] : []),
    ...(kind === undefined || kind === '' || kind === 'Node'
      ? []
      : [fieldError.notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(typeof node === 'string' && node !== '' ? [] : [fieldError.required('target.name')]),
  ];
}

function assigned(context: RegistryContext, current: Current, binding: ApiObject, node: string): ApiObject {
  const { object: pod } = current;
  const { metadata } = pod;
  const subject = { group: '', kind: 'pods/binding', name: metadata.name ?? '' };
  const { uid } = binding.metadata;
  if (uid !== undefined && uid !== '' && uid !== metadata.uid) {
    throw errors.conflict(subject, uidMismatch(uid, metadata.uid));
  }
  if (hasDeletionTimestamp(metadata)) {
    throw errors.conflict(subject, `pod ${subject.name} is being deleted, cannot be assigned to a host`);
  }
  const spec = isJsonObject(pod['spec']) ? pod['spec'] : {};
  if ((spec['nodeName'] ?? '') !== '') {
    throw errors.conflict(
      subject,
      `pod ${subject.name} is already assigned to node ${JSON.stringify(spec['nodeName'])}`,
    );
  }
  pod['spec'] = { ...spec, nodeName: node };
  pod['status'] = scheduled(
    isJsonObject(pod['status']) ? pod['status'] : {},
    formatTime(context.env.clock.now()),
  );
  const { annotations } = binding.metadata;
  if (annotations !== undefined) metadata.annotations = { ...metadata.annotations, ...annotations };
  return pod;
}

/** The status with its condition `PodScheduled` true. */
function scheduled(status: Readonly<Record<string, unknown>>, now: string): Record<string, unknown> {
  const conditions = Array.isArray(status['conditions']) ? status['conditions'] : [];
  const others = conditions.filter(
    (condition) => !isJsonObject(condition) || condition['type'] !== 'PodScheduled',
  );
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  const { phase, ...rest } = status;
  return {
    ...(phase === undefined ? {} : { phase }),
    conditions: [...others, condition],
    ...without(rest, 'conditions'),
  };
}

function without(object: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const { [name]: _removed, ...rest } = object;
  return rest;
}
