import type { Pod } from '@orch/kinds/core';
import { type ApiObject, type FieldError, MAX_FIELD_ERRORS } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { podOf } from '../shared/pods.ts';
import { writesPodSpec } from '../shared/targets.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal } from '../types.ts';
import { type Choice, choosePolicy } from './choose-policy.ts';
import { Policies, type PoliciesParts } from './policies.ts';
import { PolicyUse, type PolicyUseParts } from './policy-use.ts';

export type PodSecurityPolicyParts = PoliciesParts & PolicyUseParts;

/**
 * `PodSecurityPolicy`, until release 1.24: a pod must conform to one of the policies that its service account, or the user who
 * writes it, may use. New pods get the defaults of the policy.
 */
export function podSecurityPolicy(parts: PodSecurityPolicyParts): AdmissionPlugin {
  const policies = new Policies(parts);
  const { annotations, auditAnnotations } = parts.names;
  const choose = (pod: Pod, write: AdmissionAttributes, phase: Phase): Promise<Choice> =>
    chooseForPod(pod, { parts, policies, write, phase });
  const refused = (phase: Phase, errors: readonly FieldError[]): Refusal =>
    policies.list().length === 0 ? NO_POLICIES : refusalOf(phase, errors);
  return {
    name: 'PodSecurityPolicy',
    handles: writesPodSpec,
    async mutate(write) {
      const pod = podOf(write.object);
      if (pod === undefined || !isCreation(write)) return undefined;
      const choice = await choose(pod, write, 'admit');
      if ('errors' in choice) return refused('admit', choice.errors);
      pod.metadata.annotations = {
        ...choice.pod.annotations,
        [annotations.podSecurityPolicy]: choice.policy,
      };
      if (choice.isChanged) pod.spec = { ...choice.pod.spec };
      write.report.annotate(auditAnnotations.pspAdmit, choice.policy);
      return undefined;
    },
    async validate(write) {
      const pod = podOf(write.object);
      if (pod === undefined || changesOnlyOwners(write)) return undefined;
      const choice = await choose(pod, write, 'validate');
      if ('errors' in choice) return refused('validate', choice.errors);
      write.report.annotate(auditAnnotations.pspValidate, choice.policy);
      return undefined;
    },
  };
}

const NO_POLICIES = 'PodSecurityPolicy: no providers available to validate pod request';

type Phase = 'admit' | 'validate';

interface ChoiceContext {
  readonly parts: PodSecurityPolicyParts;
  readonly policies: Policies;
  readonly write: AdmissionAttributes;
  readonly phase: Phase;
}

/** Before a pod is refused, policies and permissions are read again: another replica may just have written them. */
async function chooseForPod(pod: Pod, { parts, policies, write, phase }: ChoiceContext): Promise<Choice> {
  const { annotations = {} } = pod.metadata;
  const spec = pod.spec ?? {};
  const use = new PolicyUse(parts, write, spec.serviceAccountName ?? '');
  const preferred = phase === 'admit' ? '' : annotations[parts.names.annotations.podSecurityPolicy];
  const choose = (): Promise<Choice> =>
    choosePolicy(
      { annotations, spec },
      {
        policies: policies.list(preferred),
        mayChange: phase === 'admit',
        mayUse: (policy) => use.isAllowed(policy),
      },
    );
  const choice = await choose();
  if (!('errors' in choice)) return choice;
  await parts.source.fresh(write.signal);
  return choose();
}

const isCreation = ({ operation, subresource }: AdmissionAttributes): boolean =>
  operation === 'CREATE' && subresource === '';

/** Owners and finalizers of a pod can always be removed: controllers and the garbage collector do so. */
function changesOnlyOwners({ object, oldObject }: AdmissionAttributes): boolean {
  return object !== undefined && oldObject !== undefined && jsonEquals(unowned(object), unowned(oldObject));
}

function unowned({ metadata, ...object }: ApiObject) {
  const {
    ownerReferences: _ownerReferences,
    finalizers: _finalizers,
    managedFields: _managedFields,
    resourceVersion: _resourceVersion,
    ...others
  } = metadata;
  return { ...object, metadata: others };
}

function refusalOf(phase: Phase, errors: readonly FieldError[]): Refusal {
  const texts = errors.slice(0, MAX_FIELD_ERRORS).map(({ field, message }) => `${field}: ${message}`);
  return `PodSecurityPolicy: unable to ${phase} pod: [${texts.join(' ')}]`;
}
