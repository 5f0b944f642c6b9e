import type { Container, EphemeralContainer, LifecycleHandler, PodSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { approximateNumber } from '@orch/machinery/json';
import type { CheckContext } from '@orch/schema';
import { containersOf, type PlacedContainer } from '../profiles.ts';

type Context = Pick<CheckContext, 'path' | 'since'>;

/** Checks the rules of containers that depend on other fields of their pod. */
export function checkContainersOfPod(context: Context, spec: PodSpec): readonly FieldError[] {
  const files = new Map(
    (spec.volumes ?? []).map(({ name = '', emptyDir }) => [name, emptyDir !== undefined]),
  );
  return containersOf(context.path, spec).flatMap((one) => [
    ...(runsOn(context.path, one) ? checkLifecycle(context, one, spec) : []),
    ...checkResizePolicy(context, one, spec),
    ...(context.since('1.34') ? [] : checkOwnPolicy(context.path, one)),
    ...checkFiles(one, files),
  ]);
}

const isInit = (path: string, one: PlacedContainer): boolean =>
  one.path.startsWith(`${path}.initContainers[`);

const restarts = ({ restartPolicy }: Container | EphemeralContainer): boolean => restartPolicy === 'Always';

/** Reports whether a container runs as long as its pod: init containers only if they are always restarted. */
const runsOn = (path: string, one: PlacedContainer): boolean =>
  isInit(path, one) ? restarts(one.container) : !one.path.startsWith(`${path}.ephemeralContainers[`);

function checkLifecycle(
  context: Context,
  { path, container }: PlacedContainer,
  spec: PodSpec,
): readonly FieldError[] {
  const { lifecycle } = container;
  if (lifecycle === undefined) return [];
  return [
    ...(['postStart', 'preStop'] as const).flatMap((name) =>
      checkSleep({ ...context, path: `${path}.lifecycle.${name}.sleep` }, lifecycle[name], spec),
    ),
    ...checkStopSignal(`${path}.lifecycle.stopSignal`, lifecycle.stopSignal, spec.os?.name),
  ];
}

/** A container sleeps no longer than its pod has to end. */
function checkSleep(
  { path, since }: Context,
  handler: LifecycleHandler | undefined,
  { terminationGracePeriodSeconds }: PodSpec,
): readonly FieldError[] {
  const isFirst =
    handler?.exec === undefined && handler?.httpGet === undefined && handler?.tcpSocket === undefined;
  if (handler?.sleep === undefined || !isFirst) return [];
  const seconds = approximateNumber(handler.sleep.seconds) ?? 0;
  const period = approximateNumber(terminationGracePeriodSeconds);
  const mayBeZero = since('1.33', 'PodLifecycleSleepActionAllowZero');
  if (period === undefined || (seconds >= (mayBeZero ? 0 : 1) && seconds <= period)) return [];
  const least = mayBeZero ? 'non-negative' : 'greater than 0';
  const why = `must be ${least} and less than terminationGracePeriodSeconds (${period})`;
  return [fieldError.invalid(path, handler.sleep.seconds, why)];
}

const signalsOfWindows = ['SIGKILL', 'SIGTERM'];

/** The schema knows the signals of Linux. */
function checkStopSignal(
  path: string,
  signal: string | undefined,
  os: string | undefined,
): readonly FieldError[] {
  if (signal === undefined) return [];
  if (os === undefined)
    return [fieldError.forbidden(path, 'may not be set for containers with empty `spec.os.name`')];
  return os === 'windows' && !signalsOfWindows.includes(signal)
    ? [fieldError.notSupported(path, signal, signalsOfWindows)]
    : [];
}

/** Releases before 1.34 have a policy for restarts of init containers only, which keeps them running. */
function checkOwnPolicy(path: string, one: PlacedContainer): readonly FieldError[] {
  const { restartPolicy } = one.container;
  const at = `${one.path}.restartPolicy`;
  if (restartPolicy === undefined || one.path.startsWith(`${path}.ephemeralContainers[`)) return [];
  if (!isInit(path, one)) return [fieldError.forbidden(at, 'may not be set for non-init containers')];
  return restarts(one.container) ? [] : [fieldError.notSupported(at, restartPolicy, ['Always'])];
}

const resizable = ['cpu', 'memory'];
const resizePolicies = ['NotRequired', 'RestartContainer'];

/** Checks a word that is required. */
const checkKnown = (path: string, word = '', known: readonly string[]): readonly FieldError[] => {
  if (known.includes(word)) return [];
  return [word === '' ? fieldError.required(path) : fieldError.notSupported(path, word, known)];
};

/** For compatibility, an error about a resource has the path of the list. A container that never starts again, or starts before the others, is not restarted for other resources. */
function checkResizePolicy(
  { path, since }: Context,
  one: PlacedContainer,
  { restartPolicy }: PodSpec,
): readonly FieldError[] {
  const { resizePolicy = [] } = one.container;
  const at = `${one.path}.resizePolicy`;
  const isFirst = since('1.36') && isInit(path, one) && !restarts(one.container);
  const taken = new Set<string>();
  const isTwice = (name: string): boolean => taken.size === taken.add(name).size;
  return resizePolicy.flatMap(({ resourceName = '', restartPolicy: policy }, i) => [
    ...(isTwice(resourceName) ? [fieldError.duplicate(`${at}[${i}]`, resourceName)] : []),
    ...checkKnown(at, resourceName, resizable),
    ...checkKnown(at, policy, resizePolicies),
    ...(restartPolicy === 'Never' && policy !== 'NotRequired'
      ? [fieldError.invalid(at, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
      : []),
    ...(isFirst && policy === 'RestartContainer'
      ? [
          fieldError.invalid(
            `${at}[${i}].restartPolicy`,
            policy,
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        ]
      : []),
  ]);
}

/** Variables of files are read from volumes that containers write. */
const checkFiles = (
  { path, container }: PlacedContainer,
  volumes: ReadonlyMap<string, boolean>,
): readonly FieldError[] =>
  (container.env ?? []).flatMap(({ valueFrom }, i) => {
    if (valueFrom?.fileKeyRef === undefined) return [];
    const at = `${path}.env[${i}].valueFrom.fileKeyRef.volumeName`;
    const { volumeName = '' } = valueFrom.fileKeyRef;
    const isEmptyDir = volumes.get(volumeName);
    if (isEmptyDir === undefined) return [fieldError.notFound(at, volumeName)];
    return isEmptyDir
      ? []
      : [fieldError.invalid(at, volumeName, 'referenced volume must be of type emptyDir')];
  });
