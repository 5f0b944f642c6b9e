import type {
  Container,
  ContainerRestartRule,
  EphemeralContainer,
  ResourceRequirements,
} from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { hasManyParts } from '@orch/machinery/json';
import type { Check, CheckContext } from '@orch/schema';
import { presentOf } from '../../../../validation-rules.ts';
import { checkContainerResources, checkingContainerResources } from '../../validation/resources.ts';
import { checkEnvFrom } from './env.ts';
import { checkProbesOf } from './probe.ts';

/** Reports whether a container may have probes: an init container only if it is always restarted. */
export const hasProbes = (path: string, { restartPolicy }: Container): boolean =>
  restartPolicy === 'Always' || !/\.initContainers\[\d+\]$/.test(path);

/** Checks the rules of containers that span fields. */
export const checkContainer: Check<Container> = (container, context) => {
  const { path, since } = context;
  return [
    ...checkContainerParts(container, context),
    ...(hasProbes(path, container) ? checkProbesOf(path, container) : []),
    ...(since('1.34') ? checkRestartPolicy(path, container) : []),
  ];
};

/** As `checkContainer`, for containers of every kind: ephemeral ones have no probes, and are never restarted. */
export const checkContainerParts: Check<Container> = (container, context) => {
  const { path, since } = context;
  return [
    ...checkImage(`${path}.image`, container.image ?? ''),
    ...checkMessagePolicy({ path, since }, container.terminationMessagePolicy ?? ''),
    ...checkEnvFrom(`${path}.envFrom`, container.envFrom ?? []),
    ...checkResources(container.resources ?? {}, context),
  ];
};

/** Thousands of amounts are checked later, in pieces. */
function checkResources(
  resources: ResourceRequirements,
  { path, names, postponed, isDivided = false }: CheckContext<Container>,
): readonly FieldError[] {
  const at = `${path}.resources`;
  if (postponed === undefined || !isDivided || !hasManyParts(resources))
    return checkContainerResources(at, resources, names);
  postponed.push(checkingContainerResources(at, resources, names));
  return [];
}

const checkImage = (path: string, image: string): readonly FieldError[] =>
  image === image.trim()
    ? []
    : [fieldError.invalid(path, image, 'must not have leading or trailing whitespace')];

const messagePolicies = ['File', 'FallbackToLogsOnError'];

type ReleaseContext = Pick<CheckContext, 'path' | 'since'>;

function checkMessagePolicy({ path, since }: ReleaseContext, policy: string): readonly FieldError[] {
  if (policy === '' || messagePolicies.includes(policy)) return [];
  const at = `${path}.terminationMessagePolicy`;
  return since('1.25')
    ? [fieldError.notSupported(at, policy, messagePolicies)]
    : [fieldError.invalid(at, policy, `must be one of ${messagePolicies.join(', ')}`)];
}

const restartPolicies = ['Always', 'Never', 'OnFailure'];

/** Rules for the restart of a container need a policy, which applies when none of them does. */
function checkRestartPolicy(path: string, container: Container): readonly FieldError[] {
  const { restartPolicy, restartPolicyRules = [] } = container;
  const at = `${path}.restartPolicy`;
  if (restartPolicy !== undefined)
    return restartPolicies.includes(restartPolicy)
      ? []
      : [fieldError.notSupported(at, restartPolicy, restartPolicies)];
  return restartPolicyRules.length === 0
    ? []
    : [fieldError.required(at, 'must specify restartPolicy when restart rules are used')];
}

const restartAll = 'RestartAllContainers';

/** Checks that a rule has an action, which may need a gate, and exit codes; the schema knows their values. */
export const checkRestartRule: Check<ContainerRestartRule> = (rule, { path, since }) => {
  const { action = '', exitCodes } = rule;
  const known = since('1.36', 'RestartAllContainersOnContainerExits') ? ['Restart', restartAll] : ['Restart'];
  const isUnknown = action === '' || (action === restartAll && !known.includes(action));
  const errors = isUnknown ? [fieldError.notSupported(`${path}.action`, action, known)] : [];
  if (exitCodes === undefined)
    return [...errors, fieldError.required(`${path}.exitCodes`, 'must be specified')];
  return (exitCodes.operator ?? '') === ''
    ? [...errors, fieldError.notSupported(`${path}.exitCodes.operator`, '', ['In', 'NotIn'])]
    : errors;
};

/**
 * Init containers run to completion, so they have no probes and lifecycle handlers, except those that are always
 * restarted and run beside the other containers.
 */
export function checkInitContainer(
  { path, since }: ReleaseContext,
  container: Container,
): readonly FieldError[] {
  if (container.restartPolicy === 'Always') return [];
  const exception = since('1.28') ? ' without restartPolicy=Always' : '';
  const why = `must not be set for init containers${exception}`;
  return presentOf(container, ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']).map(
    (field) =>
      since('1.25')
        ? fieldError.forbidden(`${path}.${field}`, why)
        : fieldError.invalid(`${path}.${field}`, container[field], why),
  );
}

/** Checks that an ephemeral container does not set fields that affect the scheduling or the start of the pod. */
export function checkEphemeralContainer(
  path: string,
  container: EphemeralContainer,
  others: ReadonlySet<string>,
): readonly FieldError[] {
  const fields = [
    'ports',
    'resizePolicy',
    'restartPolicy',
    'restartPolicyRules',
    'livenessProbe',
    'readinessProbe',
    'startupProbe',
    'lifecycle',
  ];
  const resources = container.resources ?? {};
  const errors = presentOf(container, fields).map((field) =>
    fieldError.forbidden(`${path}.${field}`, 'cannot be set for an Ephemeral Container'),
  );
  if (Object.keys(resources).length > 0) {
    errors.push(fieldError.forbidden(`${path}.resources`, 'cannot be set for an Ephemeral Container'));
  }
  (container.volumeMounts ?? []).forEach((mount, i) => {
    for (const field of presentOf(mount, ['subPath', 'subPathExpr'])) {
      errors.push(
        fieldError.forbidden(
          `${path}.volumeMounts[${i}].${field}`,
          'cannot be set for an Ephemeral Container',
        ),
      );
    }
  });
  const target = container.targetContainerName ?? '';
  if (target !== '' && !others.has(target))
    errors.push(fieldError.notFound(`${path}.targetContainerName`, target));
  return errors;
}
