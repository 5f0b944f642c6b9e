import type {
  AppArmorProfile,
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
  WindowsSecurityContextOptions,
} from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkDescendingPath, checkFormat } from '../../../../validation-rules.ts';

/** Privilege escalation cannot be disabled for a privileged container. */
export const checkSecurityContext: Check<SecurityContext> = (context, { path }) => {
  if (context.allowPrivilegeEscalation !== false) return [];
  const errors: FieldError[] = [];
  if (context.privileged === true) {
    const why = 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true';
    errors.push(fieldError.invalid(path, '', why));
  }
  if ((context.capabilities?.add ?? []).includes('CAP_SYS_ADMIN')) {
    const why = 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';
    errors.push(fieldError.invalid(path, '', why));
  }
  return errors;
};

/**
 * The check for clusters without privileged containers. Existing ones can be changed: their status is still written.
 */
export const checkUnprivileged: Check<SecurityContext> = ({ privileged }, { path, old }) =>
  privileged === true && old?.privileged !== true
    ? [fieldError.forbidden(`${path}.privileged`, 'disallowed by cluster policy')]
    : [];

/** Checks that parameters have names, each once. From 1.25 on, parts of names may be joined by slashes. */
export const checkSysctls: Check<PodSecurityContext> = ({ sysctls = [] }, { path, since }) => {
  const taken = new Set<string>();
  return sysctls.flatMap(({ name = '' }, i) => {
    const at = `${path}.sysctls[${i}].name`;
    const isTwice = taken.size === taken.add(name).size;
    if (name === '') return [];
    const errors = checkFormat('sysctl', at, since('1.25') ? name.replaceAll('/', '.') : name);
    return errors.length === 0 && isTwice ? [fieldError.duplicate(at, name)] : errors;
  });
};

/** Checks that a profile of the node is named if, and only if, its type requires it. */
export const checkSeccompProfile: Check<SeccompProfile> = (profile, { path }) => {
  const at = `${path}.localhostProfile`;
  const file = profile.localhostProfile;
  if (profile.type !== 'Localhost') {
    return file === undefined
      ? []
      : [fieldError.invalid(at, file, 'can only be set when seccomp type is Localhost')];
  }
  if ((file ?? '') === '') return [fieldError.required(at, 'must be set when seccomp type is Localhost')];
  return checkDescendingPath(at, file ?? '');
};

/** Checks that a profile is named if, and only if, its type requires it. */
export const checkAppArmorProfile: Check<AppArmorProfile> = (profile, { path }) => {
  const at = `${path}.localhostProfile`;
  const name = profile.localhostProfile;
  if (profile.type !== 'Localhost')
    return name === undefined
      ? []
      : [fieldError.invalid(at, name, 'can only be set when AppArmor type is Localhost')];
  if (name !== undefined && name !== name.trim())
    return [fieldError.invalid(at, name, 'must not be padded with whitespace')];
  return (name ?? '') === '' ? [fieldError.required(at, 'must be set when AppArmor type is Localhost')] : [];
};

const MAX_GMSA_SPEC_BYTES = 64 * 1024;
const MAX_USER_DOMAIN = 256;
const MAX_USER_NAME = 104;

/** Checks user names and credential specifications of Windows. */
export const checkWindowsOptions: Check<WindowsSecurityContextOptions> = (options, { path }) => {
  const errors: FieldError[] = [];
  const name = options.gmsaCredentialSpecName;
  if (name !== undefined)
    errors.push(...checkFormat('dns1123subdomain', `${path}.gmsaCredentialSpecName`, name));
  const spec = options.gmsaCredentialSpec;
  if (spec !== undefined) errors.push(...checkGmsaSpec(`${path}.gmsaCredentialSpec`, spec ?? ''));
  const user = options.runAsUserName;
  if (user !== undefined) errors.push(...checkUser(`${path}.runAsUserName`, user ?? ''));
  return errors;
};

function checkGmsaSpec(path: string, spec: string): readonly FieldError[] {
  if (spec === '') return [fieldError.invalid(path, spec, 'gmsaCredentialSpec cannot be an empty string')];
  const bytes = Buffer.byteLength(spec);
  return bytes > MAX_GMSA_SPEC_BYTES ? [fieldError.tooLong(path, MAX_GMSA_SPEC_BYTES)] : [];
}

function checkUser(path: string, text: string): readonly FieldError[] {
  const wrong = (why: string): readonly FieldError[] => [fieldError.invalid(path, text, why)];
  if (text === '') return wrong('runAsUserName cannot be an empty string');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused.
  if (/[\x00-\x1f\x7f]/.test(text)) return wrong('runAsUserName cannot contain control characters');
  const parts = text.split('\\');
  if (parts.length > 2) return wrong('runAsUserName cannot contain more than one backslash');
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  if (domain !== undefined && (domain === '' || domain.length > MAX_USER_DOMAIN)) {
    return wrong(`runAsUserName's Domain must have from 1 to ${MAX_USER_DOMAIN} characters`);
  }
  if (user === '' || user.length > MAX_USER_NAME) {
    return wrong(`runAsUserName's User must have from 1 to ${MAX_USER_NAME} characters`);
  }
  if (/["/\\:;|=,+*?<>@[\]]/.test(user) || /^[. ]+$/.test(user)) {
    return wrong(
      'runAsUserName\'s User cannot contain the following characters: ", /, \\, :, ;, |, =, , +, *, ?, <, >, @, [, ]',
    );
  }
  return [];
}
