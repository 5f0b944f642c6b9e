import type { PodSpec, WindowsSecurityContextOptions } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';

interface WithOptions {
  readonly securityContext?: { readonly windowsOptions?: WindowsSecurityContextOptions };
}

/** The settings of the containers of a pod for running directly on a Windows node, in the order of validation. */
interface HostProcesses {
  /** The value of the pod, which containers without a value inherit. */
  readonly ofPod: boolean | undefined;
  readonly containers: readonly { readonly path: string; readonly own: boolean | undefined }[];
}

const hostProcessOf = ({ securityContext }: WithOptions): boolean | undefined =>
  securityContext?.windowsOptions?.hostProcess ?? undefined;

/** Undefined for pods that do not set it, as most do not. */
function hostProcessesOf(path: string, spec: PodSpec): HostProcesses | undefined {
  const ofPod = hostProcessOf(spec);
  const containers = (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((one, i) => ({ path: `${path}.${list}[${i}]`, own: hostProcessOf(one) })),
  );
  const isMentioned = ofPod !== undefined || containers.some(({ own }) => own !== undefined);
  return isMentioned ? { ofPod, containers } : undefined;
}

const countOf = ({ ofPod, containers }: HostProcesses): number =>
  containers.filter(({ own }) => (own ?? ofPod) === true).length;

function problemsOf(path: string, spec: PodSpec): readonly FieldError[] {
  const processes = hostProcessesOf(path, spec);
  if (processes === undefined) return [];
  const { ofPod, containers } = processes;
  const errors: FieldError[] = [];
  for (const { path: at, own } of containers) {
    if (ofPod === undefined || own === undefined || own === ofPod) continue;
    const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    errors.push(fieldError.invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, why));
  }
  const count = countOf(processes);
  if (count > 0 && count < containers.length) {
    const why =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(fieldError.invalid(path, '', why));
  }
  if (count > 0 && spec.hostNetwork !== true) {
    const why = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(fieldError.invalid(`${path}.hostNetwork`, false, why));
  }
  return errors;
}

/**
 * Checks containers that run directly on a Windows node. Rules that the stored object violates do not prevent its
 * update.
 */
export const checkHostProcess: Check<PodSpec> = (spec, { path, old }) => {
  const errors = problemsOf(path, spec);
  if (errors.length === 0 || old === undefined) return errors;
  const before = new Set(problemsOf(path, old).map(identityOf));
  return errors.filter((error) => !before.has(identityOf(error)));
};

const identityOf = ({ field, message }: FieldError): string => `${field}: ${message}`;

/** The check for clusters without privileged containers, which host process containers are. */
export const checkNoHostProcess: Check<PodSpec> = (spec, { path, old }) =>
  runsOnHost(path, spec) && !(old !== undefined && runsOnHost(path, old))
    ? [fieldError.forbidden(path, 'hostProcess containers are disallowed by cluster policy')]
    : [];

function runsOnHost(path: string, spec: PodSpec): boolean {
  const processes = hostProcessesOf(path, spec);
  return processes !== undefined && countOf(processes) > 0;
}
