import type { Container, ContainerStateTerminated, ContainerStatus, Pod, PodStatus } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { StrategyContext } from '../../../resource-type.ts';

const terminated = (status: ContainerStatus | undefined): ContainerStateTerminated | undefined =>
  status?.state?.terminated;

/** Reports whether a container with an exit code is started again. */
type Restarts = (container: string, exitCode: number) => boolean;

const byPolicy = (policy: string | undefined, exitCode: number): boolean =>
  policy !== 'Never' && (policy !== 'OnFailure' || exitCode !== 0);

/** Reports whether containers are started again by the policy of the pod, in releases whose containers have no rules. */
function restartsOfPod({ spec }: Pod, containers: readonly Container[]): Restarts {
  const kept = new Set(containers.filter((one) => one.restartPolicy === 'Always').map((one) => one.name));
  return (name, exitCode) => byPolicy(spec?.restartPolicy, exitCode) || kept.has(name);
}

/** The first rule of a container that applies to an exit code. */
const ruleFor = ({ restartPolicyRules = [] }: Container, exitCode: number) =>
  restartPolicyRules.find(({ exitCodes: { operator, values = [] } = {} }) => {
    const isListed = values.includes(exitCode);
    return operator === 'In' ? isListed : operator === 'NotIn' && !isListed;
  });

const policies = new Set(['Always', 'OnFailure', 'Never']);

/** Whether containers are started again by their own rules and policies, else by that of the pod. */
function restartsByRules({ spec }: Pod, containers: readonly Container[], restartsAll: boolean): Restarts {
  const byName = new Map(containers.map((one) => [one.name, one] as const).reverse());
  return (name, exitCode) => {
    const container = byName.get(name);
    if (container === undefined) return false;
    const { restartPolicy: own } = container;
    if (own === undefined) return byPolicy(spec?.restartPolicy, exitCode);
    const action = ruleFor(container, exitCode)?.action;
    if (action === 'Restart' || (action === 'RestartAllContainers' && restartsAll)) return true;
    return byPolicy(policies.has(own) ? own : spec?.restartPolicy, exitCode);
  };
}

/** Checks that a container that is not started again remains terminated. */
export function checkTransitions(
  next: PodStatus,
  old: Pod,
  { since }: Pick<StrategyContext, 'since'>,
): readonly FieldError[] {
  const restartsAll = since('1.36', 'RestartAllContainersOnContainerExits');
  const hasRules = since('1.35', 'ContainerRestartRules');
  const [initContainers, containers] = [old.spec?.initContainers ?? [], old.spec?.containers ?? []];
  const restartsOf = (own: readonly Container[], sidecars: readonly Container[]): Restarts =>
    hasRules ? restartsByRules(old, own, restartsAll) : restartsOfPod(old, sidecars);
  const all =
    restartsAll &&
    hasRules &&
    [...initContainers, ...containers].some(({ restartPolicyRules: rules = [] }) =>
      rules.some(({ action }) => action === 'RestartAllContainers'),
    );
  const check = (
    list: 'initContainerStatuses' | 'containerStatuses' | 'ephemeralContainerStatuses',
    restarts: Restarts,
  ): readonly FieldError[] =>
    checkList(`status.${list}`, next[list] ?? [], old.status?.[list] ?? [], restarts);
  return [
    ...(all
      ? []
      : [
          ...check('containerStatuses', restartsOf(containers, [])),
          ...check('initContainerStatuses', restartsOf(initContainers, initContainers)),
        ]),
    ...check('ephemeralContainerStatuses', () => false),
  ];
}

function checkList(
  path: string,
  next: readonly ContainerStatus[],
  old: readonly ContainerStatus[],
  restarts: Restarts,
): readonly FieldError[] {
  const running = new Set(next.filter((one) => terminated(one) === undefined).map(({ name }) => name));
  return old.flatMap((before, i) => {
    const { name = '' } = before;
    const end = terminated(before);
    if (end === undefined || !running.has(name) || restarts(name, end.exitCode ?? 0)) return [];
    return [fieldError.forbidden(`${path}[${i}].state`, 'may not be transitioned to non-terminated state')];
  });
}
