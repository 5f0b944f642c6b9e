import type { PodTemplateSpec, ReplicationController, ReplicationControllerSpec } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Derive } from '@orch/schema';

type Labels = Record<string, string>;

const labelsOf = (template: PodTemplateSpec | null | undefined): Labels | undefined =>
  template?.metadata?.labels && { ...template.metadata.labels };

/** The pods of the template are the relevant ones. */
export const templateLabels = (spec: ReplicationControllerSpec): Labels | undefined =>
  labelsOf(spec.template);

/** An object with a pod template. */
type LabelledByTemplate = Pick<ReplicationController, 'metadata'> & {
  readonly spec?: { readonly template?: PodTemplateSpec | null };
};

/** A controller without labels gets those of its pods. */
export const deriveLabels: Derive<Draft<LabelledByTemplate>> = (object) => {
  const { metadata } = object;
  const labels = metadata.labels === undefined ? labelsOf(object.spec?.template) : undefined;
  if (labels === undefined) return false;
  metadata.labels = labels;
  return true;
};
