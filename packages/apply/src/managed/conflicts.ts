import type { StatusCause } from '@orch/machinery';
import { pathText } from '../fields/path-text.ts';
import { compareText } from '../values/text-order.ts';
import type { ManagerId } from './owner.ts';
import type { Taken } from './resolve-ownership.ts';

/** One field that an apply would take from another manager. */
export interface Conflict {
  readonly owner: ManagerId;
  /** The field as clients print it: `.spec.replicas`. */
  readonly field: string;
}

/** Causes that one answer lists: a malicious object may have a hundred thousand fields. */
const MAX_LISTED = 1_000;

/** A manager as clients print it: `"kubectl" using apps/v1`. */
export function managerText({ manager, operation, apiVersion, subresource }: ManagerId): string {
  const name = JSON.stringify(manager);
  const named = subresource === '' ? name : `${name} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Update' ? `${named} using ${apiVersion}` : named;
}

/** Conflicts field by field, by manager and then in the order of the fields. */
export function conflictsOf(taken: readonly Taken[]): Conflict[] {
  const conflicts: Conflict[] = [];
  const byManager = [...taken].sort((a, b) => compareText(managerText(a.owner.id), managerText(b.owner.id)));
  for (const { owner, set } of byManager) {
    for (const path of set.paths()) conflicts.push({ owner: owner.id, field: pathText(path) });
  }
  return conflicts;
}

/** Causes of the 409 that an apply with conflicts is answered with (spec 7). */
export const conflictCauses = (conflicts: readonly Conflict[]): StatusCause[] =>
  conflicts.slice(0, MAX_LISTED).map(({ owner, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(owner)}`,
    field,
  }));

/** The message of that answer, in the wording that clients display to users. */
export function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.owner)}: ${first.field}`;
  }
  const lines: string[] = [];
  let manager: string | undefined;
  for (const { owner, field } of conflicts.slice(0, MAX_LISTED)) {
    const text = managerText(owner);
    if (text !== manager) lines.push(`conflicts with ${text}:`);
    manager = text;
    lines.push(`- ${field}`);
  }
  if (conflicts.length > MAX_LISTED) lines.push(`and ${conflicts.length - MAX_LISTED} more`);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}
