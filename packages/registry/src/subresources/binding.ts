import { atLeast } from '@orch/apis';
import type { Binding, ObjectReference, Pod, PodStatus } from '@orch/kinds/core';
import { type ApiObject, errors, type FieldError, fieldError, hasDeletionTimestamp } from '@orch/machinery';
import { validateFormat } from '@orch/machinery/formats';
import { parseJson } from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import type { Reply, ResourceContext } from '@orch/request';
import type { RequestPath, WritePath } from '../context/paths.ts';
import { ownersAtOnce, setOwners } from '../convert/ownership.ts';
import { auxiliaryKind, readPost } from '../request/read-write-request.ts';
import { successReply } from '../request/reply.ts';
import { kindSubjectOf, type ServedResource, type StoredResource } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';
import { admitPosted } from '../write/admit-posted.ts';
import type { Current } from '../write/change.ts';
import { changeObject } from '../write/change-object.ts';
import { checkNamespace, requireName, uidMismatch } from '../write/rules/object-meta.ts';
import { subresourceRules } from '../write/rules/update-rules.ts';
import { strategyContextOf } from '../write/rules/validate-object.ts';
import { changeTo, ownersBy } from '../write/update-object.ts';

export interface BindingResources {
  readonly pods: StoredResource;
  /** The resource of the request: pods, or bindings. */
  readonly served: ServedResource;
}

/**
 * Assigns a pod to a node: `pods/binding`, and the older `bindings`, whose body names the pod. Only a pod without a node
 * that is not being deleted can be assigned (409).
 */
export async function bind(
  path: RequestPath & WritePath,
  { pods, served }: BindingResources,
  call: ResourceContext,
): Promise<Reply> {
  const { info, request, user } = call;
  const post = await readPost(path, call, auxiliaryKind(path, bindingKind));
  const { object: binding, options, writer } = post;
  if (info.name !== '') requireName(binding, info.name);
  checkNamespace(binding, pods, info.namespace);
  const name = binding.metadata.name ?? '';
  await admitPosted(path, served, { call, object: binding, name, dryRun: options.dryRun });
  const { target = {} }: Binding = binding;
  const problems = bindingProblems(name, target, atLeast(path.release, '1.37'));
  if (problems.length > 0) throw errors.invalid({ group: '', kind: 'Binding', name }, problems);
  const rules = subresourceRules(pods, 'binding');
  const bound = await changeObject(path, pods, {
    key: objectKey(true, info.namespace, name),
    name,
    user,
    admittedAs: 'nothing',
    dryRun: options.dryRun,
    signal: request.signal,
    trace: call.trace,
    decide(current) {
      // Parsed again: `assigned` changes the object of `current`.
      const old = parseJson(current.json) as ApiObject;
      const pod = assigned(path, current, binding, target.name ?? '');
      const refused = rules.validate(pod, old, strategyContextOf(path, pods, user));
      if (refused.length > 0) throw errors.invalid(kindSubjectOf(pods, name), refused);
      setOwners(pod.metadata, ownersAtOnce(ownersBy(path, pods, writer)(pod, old, current.isLarge)));
      return changeTo(path, pods, pod, current);
    },
  });
  if (bound === undefined) throw errors.notFound({ group: '', kind: 'pods', name });
  return successReply(path, post.format, { code: 201, showCode: true });
}

const bindingKind = { group: '', version: 'v1', kind: 'Binding' } as const;

function bindingProblems(
  name: string,
  target: ObjectReference,
  checksFormat: boolean,
): readonly FieldError[] {
  const { kind, name: node } = target;
  return [
    ...(name === '' ? [fieldError.required('metadata.name')] : []),
    ...(kind === undefined || kind === '' || kind === 'Node'
      ? []
      : [fieldError.notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...nodeProblems(kind, node, checksFormat),
  ];
}

function nodeProblems(kind = '', node = '', checksFormat: boolean): readonly FieldError[] {
  if (node === '') return [fieldError.required('target.name')];
  if (!checksFormat || (kind !== '' && kind !== 'Node')) return [];
  const problem = validateFormat('dns1123subdomain', node);
  return problem === undefined ? [] : [fieldError.invalid('target.name', node, problem)];
}

function assigned(
  { env }: Pick<WritePath, 'env'>,
  current: Current,
  binding: ApiObject,
  node: string,
): ApiObject {
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
  const { spec, status }: Pod = pod;
  const assignedNode = spec?.nodeName ?? '';
  if (assignedNode !== '') {
    throw errors.conflict(
      subject,
      `pod ${subject.name} is already assigned to node ${JSON.stringify(assignedNode)}`,
    );
  }
  pod['spec'] = { ...spec, nodeName: node };
  pod['status'] = scheduled(status ?? {}, formatTime(env.clock.now()));
  const { annotations } = binding.metadata;
  if (annotations !== undefined) metadata.annotations = { ...metadata.annotations, ...annotations };
  return pod;
}

/** The status with its condition `PodScheduled` true. */
function scheduled({ phase, conditions = [], ...rest }: PodStatus, now: string): PodStatus {
  const others = conditions.filter(({ type }) => type !== 'PodScheduled');
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  return {
    ...(phase === undefined ? {} : { phase }),
    conditions: [...others, condition],
    ...rest,
  };
}
