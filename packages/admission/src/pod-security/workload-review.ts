import type { ObjectSource } from '@orch/auth';
import type { Namespace, Pod, PodTemplateSpec } from '@orch/kinds/core';
import { errors, type FieldError } from '@orch/machinery';
import type { AdmissionAttributes, Refusal, ResourceTarget, Verdict } from '../types.ts';
import type { Exemptions } from './configuration.ts';
import { isPrivileged, type NamespacePolicy, type PolicyReader } from './namespace-policy.ts';
import { admitPrivileged, PodReview, type PodReviewParts } from './pod-review.ts';
import { podTemplateOf } from './pod-templates.ts';
import { isSignificantUpdate } from './significant-update.ts';

export interface WorkloadReviewParts extends PodReviewParts {
  readonly source: ObjectSource;
  readonly policies: PolicyReader;
  readonly exemptions: Exemptions;
}

/**
 * Refuses, audits or warns about a pod by the policy of its namespace. Templates of pods are not refused: their pods are,
 * when a controller creates them.
 */
export function reviewWorkload(parts: WorkloadReviewParts, write: AdmissionAttributes): Verdict {
  const { namespaces, usernames } = parts.exemptions;
  if (namespaces.has(write.namespace)) return exempt(parts, write, 'namespace');
  if (usernames.has(write.user.name)) return exempt(parts, write, 'user');
  const namespace = namespaceOf(parts, write);
  return namespace === undefined ? reviewFresh(parts, write) : reviewIn(namespace, parts, write);
}

export const isPod = ({ group, resource }: ResourceTarget): boolean => group === '' && resource === 'pods';

function exempt(
  { names, metrics }: WorkloadReviewParts,
  write: AdmissionAttributes,
  reason: 'namespace' | 'user' | 'runtimeClass',
): undefined {
  write.report.annotate(names.auditAnnotations.podSecurityExempt, reason);
  metrics.exempted(write);
}

const namespaceOf = ({ source }: WorkloadReviewParts, write: AdmissionAttributes): Namespace | undefined =>
  source.get('namespaces', '', write.namespace);

/** A namespace that another replica has just created is not known here yet. */
async function reviewFresh(
  parts: WorkloadReviewParts,
  write: AdmissionAttributes,
): Promise<Refusal | undefined> {
  await parts.source.fresh(write.signal);
  const namespace = namespaceOf(parts, write);
  if (namespace !== undefined) return reviewIn(namespace, parts, write);
  parts.metrics.failed(write, 'fatal');
  throw errors.notFound({ group: '', kind: 'namespaces', name: write.namespace });
}

function reviewIn(
  namespace: Namespace,
  parts: WorkloadReviewParts,
  write: AdmissionAttributes,
): Refusal | undefined {
  const found = parts.policies.read(namespace.metadata.labels);
  return isPod(write) ? reviewPod(parts, write, found) : reviewTemplate(parts, write, found);
}

function reviewPod(
  parts: WorkloadReviewParts,
  write: AdmissionAttributes,
  { policy, problems }: NamespacePolicy,
): Refusal | undefined {
  if (problems.length === 0 && isPrivileged(policy)) return admitPrivileged(parts, write, policy);
  const pod: Pod | undefined = write.object;
  const old: Pod | undefined = write.oldObject;
  if (pod === undefined) return undefined;
  if (old !== undefined && !isSignificantUpdate(pod, old, parts.names)) return undefined;
  if (isExemptClass(parts, pod)) return exempt(parts, write, 'runtimeClass');
  reportProblems(parts, write, problems);
  const review = new PodReview(parts, write, { pod, policy });
  const refusal = review.enforce();
  review.audit();
  if (refusal === undefined) review.warn();
  return refusal;
}

function reviewTemplate(
  parts: WorkloadReviewParts,
  write: AdmissionAttributes,
  { policy, problems }: NamespacePolicy,
): undefined {
  const isSilent = policy.audit.level === 'privileged' && policy.warn.level === 'privileged';
  if ((isSilent && problems.length === 0) || write.object === undefined) return undefined;
  const pod = podTemplateOf(write, write.object);
  if (isExemptClass(parts, pod)) return exempt(parts, write, 'runtimeClass');
  reportProblems(parts, write, problems);
  const review = new PodReview(parts, write, { pod, policy });
  review.audit();
  review.warn();
  return undefined;
}

const isExemptClass = ({ exemptions }: WorkloadReviewParts, { spec }: Pod | PodTemplateSpec): boolean =>
  exemptions.runtimeClasses.has(spec?.runtimeClassName ?? '');

/** The labels of the namespace became invalid before the plugin was enabled: the write is evaluated nevertheless. */
function reportProblems(
  { names, metrics }: WorkloadReviewParts,
  write: AdmissionAttributes,
  problems: readonly FieldError[],
): void {
  if (problems.length === 0) return;
  const texts = problems.map(({ field, message }) => `${field}: ${message}`);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  write.report.annotate(names.auditAnnotations.podSecurityError, `Failed to parse policy: ${text}`);
  metrics.failed(write, 'evaluated');
}
