import type { Names } from '@orch/machinery';
import { type Lens, within } from '@orch/schema';

/** `apiVersion` of a subject of a known kind; undefined for any other, which validation refuses. */
export function subjectVersion(kind: string, names: Names): string | undefined {
  switch (kind) {
    case 'User':
    case 'Group':
      return names.apiVersion('rbac', 'v1alpha1');
    case 'ServiceAccount':
      return names.apiVersion('core', 'v1');
    default:
      return undefined;
  }
}

/** `a/b` belongs to group `a`; a version alone belongs to the core group. A group alone is written as `a/`. */
const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

/**
 * Subjects of this version have an `apiVersion` where later ones have a group. For known kinds it is derived from the
 * kind, whatever a client sent, so it can be omitted without loss. For others the group is kept, so that validation
 * refuses it.
 */
const subjectLens: Lens = {
  toHub(subject, { names }) {
    const { apiVersion } = subject;
    delete subject.apiVersion;
    const { kind } = subject;
    if (typeof kind !== 'string') return;
    const group = subjectVersion(kind, names) ?? (typeof apiVersion === 'string' ? apiVersion : '');
    if (groupOf(group) !== '') subject.apiGroup = groupOf(group);
  },
  fromHub(subject, { names }) {
    const { apiGroup } = subject;
    delete subject.apiGroup;
    const { kind } = subject;
    if (typeof kind !== 'string') return;
    const known = subjectVersion(kind, names);
    if (known !== undefined) subject.apiVersion = known;
    else if (typeof apiGroup === 'string' && apiGroup !== '') subject.apiVersion = `${apiGroup}/`;
  },
};

export const bindingLens: Lens = within('subjects[]', subjectLens);
