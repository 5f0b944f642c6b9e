import { type FieldError, fieldError } from '@orch/machinery';
import type { ReviewedContainer, RuleParts, Rules } from '../rule.ts';

/** Privileged containers; host processes on a Windows node have the same privileges. */
export const privileged = ({ spec }: RuleParts): Rules =>
  spec.privileged === true ? {} : { container: { check: checkUnprivileged } };

function* checkUnprivileged({ pod, path, context }: ReviewedContainer): Generator<FieldError> {
  const at = `${path}.securityContext`;
  if (context.privileged === true)
    yield fieldError.invalid(`${at}.privileged`, true, 'Privileged containers are not allowed');
  const options = [context.windowsOptions, pod.spec.securityContext?.windowsOptions];
  if (options.some((each) => each?.hostProcess === true)) {
    const why = 'Host process containers are not allowed';
    yield fieldError.invalid(`${at}.windowsOptions.hostProcess`, true, why);
  }
}

/** Whether processes of containers can gain privileges. */
export function privilegeEscalation({ spec }: RuleParts): Rules {
  const isAllowed = spec.allowPrivilegeEscalation ?? true;
  const value = spec.defaultAllowPrivilegeEscalation ?? (isAllowed ? undefined : false);
  return {
    container: {
      defaults: ({ context }) =>
        value === undefined || context.allowPrivilegeEscalation !== undefined
          ? undefined
          : { allowPrivilegeEscalation: value },
      check({ path, context: { allowPrivilegeEscalation: escalates } }) {
        if (isAllowed || escalates === false) return [];
        const at = `${path}.securityContext.allowPrivilegeEscalation`;
        const why = 'Allowing privilege escalation for containers is not allowed';
        return [fieldError.invalid(at, escalates, why)];
      },
    },
  };
}

/** Read-only root file systems of containers. */
export const readOnlyRootFilesystem = ({ spec }: RuleParts): Rules =>
  spec.readOnlyRootFilesystem === true
    ? {
        container: {
          defaults: ({ context }) =>
            context.readOnlyRootFilesystem === undefined ? { readOnlyRootFilesystem: true } : undefined,
          check: ({ path, context: { readOnlyRootFilesystem: isReadOnly } }) =>
            isReadOnly === true
              ? []
              : [
                  fieldError.invalid(
                    `${path}.securityContext.readOnlyRootFilesystem`,
                    isReadOnly,
                    'ReadOnlyRootFilesystem must be set to true',
                  ),
                ],
        },
      }
    : {};

/** The `/proc` mount type of containers. */
export function procMount({ spec }: RuleParts): Rules {
  const { allowedProcMountTypes: types = [] } = spec;
  const allowed = new Set(types.length === 0 ? ['Default'] : types);
  return {
    container: {
      check: ({ path, context: { procMount: type = 'Default' } }) =>
        allowed.has(type)
          ? []
          : [fieldError.invalid(`${path}.securityContext.procMount`, type, 'ProcMountType is not allowed')],
    },
  };
}
