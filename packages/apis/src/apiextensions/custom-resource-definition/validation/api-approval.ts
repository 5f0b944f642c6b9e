import { type ApiObject, type FieldError, fieldError, type Names } from '@orch/machinery';

type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid';

function approvalOf(annotation: string | undefined): Approval {
  if (annotation === undefined || annotation === '') return 'missing';
  if (annotation.startsWith('unapproved')) return 'bypassed';
  return URL.canParse(annotation) && new URL(annotation).host !== '' ? 'approved' : 'invalid';
}

/** Domains of the project itself: that of its API groups, and that of its labels. */
function isProtected(group: string, names: Names): boolean {
  const domains = [
    names.groups.apiextensions.slice('apiextensions.'.length),
    names.labelPrefixes.domain.replace(/\/$/, ''),
  ];
  return domains.some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** Who takes names from the project's domain says where that was agreed on, or that it was not. */
export function checkApproval(
  next: ApiObject,
  old: ApiObject | undefined,
  group: string,
  names: Names,
): readonly FieldError[] {
  if (!isProtected(group, names)) return [];
  const key = names.annotations.apiApproved;
  const text = next.metadata.annotations?.[key];
  const approval = approvalOf(text);
  // What was wrong before this was asked for may stay as it is.
  if (old !== undefined && approvalOf(old.metadata.annotations?.[key]) === approval) return [];
  const path = `metadata.annotations[${key}]`;
  if (approval === 'missing')
    return [
      fieldError.required(path, `protected groups must have approval annotation ${JSON.stringify(key)}`),
    ];
  return approval === 'invalid'
    ? [fieldError.invalid(path, text, 'must be the URL of an approval, or start with "unapproved"')]
    : [];
}
