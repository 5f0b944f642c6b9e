import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError, type Names } from '@orch/machinery';

export type ApprovalState = 'missing' | 'bypassed' | 'approved' | 'invalid';

function stateOf(annotation: string | undefined): ApprovalState {
  if (annotation === undefined || annotation === '') return 'missing';
  if (annotation.startsWith('unapproved')) return 'bypassed';
  return URL.canParse(annotation) && new URL(annotation).host !== '' ? 'approved' : 'invalid';
}

/** Domains of the project: those of its API groups and labels. */
function isProtected(group: string, names: Names): boolean {
  const domains = [
    names.groups.apiextensions.slice('apiextensions.'.length),
    names.labelPrefixes.domain.replace(/\/$/, ''),
  ];
  return domains.some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** The approval state of a definition whose group is protected, with a message about it; undefined for other groups. */
export function approvalOf(
  definition: CustomResourceDefinition,
  names: Names,
): { readonly state: ApprovalState; readonly message: string } | undefined {
  if (!isProtected(definition.spec?.group ?? '', names)) return undefined;
  const key = names.annotations.apiApproved;
  const annotation = definition.metadata.annotations?.[key];
  const state = stateOf(annotation);
  const needed = `protected groups must have approval annotation ${JSON.stringify(key)}`;
  const messages: Readonly<Record<ApprovalState, string>> = {
    missing: needed,
    bypassed: `not approved: ${JSON.stringify(annotation)}`,
    approved: `approved in ${annotation}`,
    invalid: `${needed} with either a URL or a reason starting with "unapproved"`,
  };
  return { state, message: messages[state] };
}

/** A definition in a protected group needs an annotation with the URL of its approval, or the reason for having none. */
export function checkApproval(
  next: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  group: string,
  names: Names,
): readonly FieldError[] {
  if (!isProtected(group, names)) return [];
  const key = names.annotations.apiApproved;
  const text = next.metadata.annotations?.[key];
  const approval = stateOf(text);
  // An invalid annotation that was stored before the rule existed stays valid.
  if (old !== undefined && stateOf(old.metadata.annotations?.[key]) === approval) return [];
  const path = `metadata.annotations[${key}]`;
  if (approval === 'missing')
    return [
      fieldError.required(path, `protected groups must have approval annotation ${JSON.stringify(key)}`),
    ];
  return approval === 'invalid'
    ? [fieldError.invalid(path, text, 'must be the URL of an approval, or start with "unapproved"')]
    : [];
}
