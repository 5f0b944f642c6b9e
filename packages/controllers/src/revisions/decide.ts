import { type kinds, ownerReferenceTo, type Stored } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { asObject } from '@orch/machinery/json';
import { hashOf, stableText } from '../pods/template.ts';

export type Revision = kinds.apps.ControllerRevision;
type PodTemplate = kinds.core.PodTemplateSpec;

/** The label with the name of the revision, or its hash, that a pod was made from. */
export const REVISION_LABEL = 'controller-revision-hash';

export interface RevisionDecision {
  /** The revision of the current template, if it exists. */
  readonly current: Stored<Revision> | undefined;
  /** The revision to create, if there is none. */
  readonly create?: Revision;
  /** The number that the revision must have to be the latest, if it has another: an earlier template is used again. */
  readonly renumber?: number;
}

const numberOf = ({ revision }: Revision): number => Number(revision);

/** The template that a revision keeps. */
export function templateOf({ data }: Revision): PodTemplate {
  const { $patch: _, ...template } = asObject(asObject(asObject(data)['spec'])['template']);
  return template as PodTemplate;
}

/** Finds the revision of a template among those of an owner, or decides to create it. */
export function decideRevision(
  owner: Stored<ApiObject>,
  {
    template,
    hashLabel,
    collisions,
  }: { readonly template: PodTemplate; readonly hashLabel: string; readonly collisions: number },
  existing: readonly Stored<Revision>[],
): RevisionDecision {
  const text = stableText(template);
  const latest = existing.reduce((most, each) => Math.max(most, numberOf(each)), 0);
  const current = existing
    .filter((each) => stableText(templateOf(each)) === text)
    .sort((a, b) => numberOf(b) - numberOf(a))[0];
  if (current !== undefined) return { current, ...(numberOf(current) < latest && { renumber: latest + 1 }) };
  const hash = hashOf(template, collisions);
  const { name, namespace, annotations } = owner.metadata;
  const create: Revision = {
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace !== undefined && { namespace }),
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      ...(annotations !== undefined && { annotations: { ...annotations } }),
      ownerReferences: [ownerReferenceTo(owner)],
    },
    data: { spec: { template: { ...template, $patch: 'replace' } } },
    revision: latest + 1,
  };
  return { current: undefined, create };
}

/** The oldest revisions beyond the limit, of those that nothing uses. */
export function surplusRevisions(
  existing: readonly Stored<Revision>[],
  { limit, isUsed }: { readonly limit: number; isUsed(name: string): boolean },
): readonly Stored<Revision>[] {
  const unused = existing
    .filter(({ metadata }) => !isUsed(metadata.name))
    .sort((a, b) => numberOf(a) - numberOf(b));
  return unused.slice(0, Math.max(0, unused.length - limit));
}
