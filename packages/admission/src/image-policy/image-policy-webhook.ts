import { ClientConfigError, type Remote } from '@orch/auth';
import type { Clock, Names } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import { qualifiedName } from '@orch/machinery/formats';
import { type ConfigurationParts, requiredConfiguration } from '../configuration/plugin-configuration.ts';
import { type AnyContainer, containersOf, podOf } from '../shared/pods.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal, ResourceTarget, Verdict } from '../types.ts';
import type { ImageReviewSpec } from './image-review.ts';
import { ImageReviewer, type ReviewOutcome } from './image-reviewer.ts';
import { type ImagePolicy, readImagePolicy } from './read-image-policy.ts';

export interface ImagePolicyParts extends ConfigurationParts {
  readonly names: Names;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Opens the service of a client configuration file, over TLS. Throws `ClientConfigError`. */
  readonly openService: (file: string, firstPauseMs: number) => Pick<Remote, 'query'>;
}

const EPHEMERAL = 'ephemeralcontainers';

const handles = ({ group, resource, subresource, operation }: ResourceTarget): boolean =>
  group === '' &&
  resource === 'pods' &&
  (subresource === '' || subresource === EPHEMERAL) &&
  (operation === 'CREATE' || operation === 'UPDATE');

/** `ImagePolicyWebhook`: a backend decides on the images of pods (access-control document, 4.6). */
export function imagePolicyWebhook(parts: ImagePolicyParts): AdmissionPlugin {
  const { names, clock } = parts;
  const policy = readImagePolicy(requiredConfiguration(parts.configuration, 'ImagePolicyWebhook'));
  const apiVersion = names.apiVersion('imagepolicy', 'v1alpha1');
  const reviewer = new ImageReviewer({ remote: openBackend(policy, parts), policy, apiVersion, clock });
  const reviewed = (
    write: AdmissionAttributes,
    decide: (outcome: ReviewOutcome) => Refusal | undefined,
  ): Verdict => {
    const spec = reviewOf(write, names);
    return spec === undefined ? undefined : whenFulfilled(reviewer.review(spec, write.signal), decide);
  };
  return {
    name: 'ImagePolicyWebhook',
    handles,
    // Later plugins and webhooks may change the images, so the decision follows them.
    mutate: (write) =>
      policy.defaultAllow && write.subresource === ''
        ? reviewed(write, (outcome) => markFailedOpen(write, outcome, names))
        : undefined,
    validate: (write) =>
      reviewed(write, (outcome) => {
        annotateAudit(write, outcome, { names, ...policy });
        return refusalOf(outcome, policy);
      }),
  };
}

function openBackend(
  { kubeConfigFile, path, retryBackoffMs }: ImagePolicy,
  { openService }: ImagePolicyParts,
): Pick<Remote, 'query'> {
  try {
    return openService(path, retryBackoffMs);
  } catch (error) {
    if (error instanceof ClientConfigError) return kubeConfigFile.fail(`${path}: ${error.message}`);
    throw error;
  }
}

/** The review that a write requires; undefined when it adds no images to those of the stored pod. */
function reviewOf(
  write: AdmissionAttributes,
  { annotations, auditAnnotations }: Names,
): ImageReviewSpec | undefined {
  const { metadata, spec = {} } = podOf(write.object) ?? {};
  const written: readonly AnyContainer[] =
    write.subresource === EPHEMERAL
      ? (spec.ephemeralContainers ?? [])
      : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const before = new Set(containersOf(podOf(write.oldObject)?.spec ?? {}).map(({ image = '' }) => image));
  if (written.every(({ image = '' }) => before.has(image))) return undefined;
  const passed = Object.entries(metadata?.annotations ?? {}).filter(
    ([key]) => key.includes(annotations.imagePolicyInfix) && key !== auditAnnotations.imagePolicyFailedOpen,
  );
  return {
    containers: written.map(({ image = '' }) => ({ image })),
    annotations: Object.fromEntries(passed),
    namespace: write.namespace,
  };
}

/** The annotation allows users to find pods whose images were not reviewed. */
function markFailedOpen({ object }: AdmissionAttributes, outcome: ReviewOutcome, names: Names): undefined {
  if (object === undefined || !('failure' in outcome)) return;
  const { annotations } = object.metadata;
  object.metadata.annotations = { ...annotations, [names.auditAnnotations.imagePolicyFailedOpen]: 'true' };
}

function annotateAudit(
  { report }: AdmissionAttributes,
  outcome: ReviewOutcome,
  { names, defaultAllow }: { readonly names: Names; readonly defaultAllow: boolean },
): void {
  const keys = names.auditAnnotations;
  if ('failure' in outcome) {
    if (!defaultAllow) return;
    report.annotate(`${keys.imagePolicyWebhookPrefix}failed-open`, 'true');
    report.annotate(keys.imagePolicyFailedOpen, 'true');
    return;
  }
  for (const [name, value] of Object.entries(outcome.auditAnnotations)) {
    const key = `${keys.imagePolicyWebhookPrefix}${name}`;
    if (qualifiedName(key) === undefined) report.annotate(key, value);
  }
}

function refusalOf(outcome: ReviewOutcome, { defaultAllow }: ImagePolicy): Refusal | undefined {
  if ('failure' in outcome) return defaultAllow ? undefined : `the image policy webhook: ${outcome.failure}`;
  if (outcome.allowed) return undefined;
  return outcome.reason === ''
    ? 'one or more images rejected by webhook backend'
    : `image policy webhook backend denied one or more images: ${outcome.reason}`;
}
