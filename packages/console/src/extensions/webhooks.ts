import { asObject, asObjects, asStrings, asText, type JsonObject } from '@orch/machinery/json';
import type { Exposition, MetricSample } from '../health/exposition.ts';
import { quantileBound } from '../health/growth.ts';

/** An admission webhook, and what the replica that answers has seen of it since its start. */
export interface WebhookState {
  /** `MutatingWebhookConfiguration` or `ValidatingWebhookConfiguration`. */
  readonly kind: string;
  readonly configuration: string;
  readonly name: string;
  /** The operations and resources that it is called for: `CREATE of pods`. */
  readonly rules: readonly string[];
  /** What happens to a write if the webhook cannot be called: `Fail` or `Ignore`. */
  readonly failurePolicy: string;
  /** Writes that it was called for. */
  readonly calls: number;
  /** Writes that it has refused. */
  readonly refused: number;
  /** Writes that were refused because it could not be called. */
  readonly failed: number;
  /** Writes that continued although it could not be called. */
  readonly ignored: number;
  /** An upper bound of the duration of 99 of 100 calls; undefined without calls, and beyond the last bound. */
  readonly p99Seconds: number | undefined;
}

const DURATIONS = 'apiserver_admission_webhook_admission_duration_seconds_bucket';
const REJECTIONS = 'apiserver_admission_webhook_rejection_count';
const IGNORED = 'apiserver_admission_webhook_fail_open_count';

/** The names of the metrics that `webhooksOf` reads. */
export const webhookSeries: readonly string[] = [DURATIONS, REJECTIONS, IGNORED];

/** The value of the label `type` for the webhooks of a kind. */
const types: Readonly<Record<string, string>> = {
  MutatingWebhookConfiguration: 'admit',
  ValidatingWebhookConfiguration: 'validating',
};

/** The webhooks of configurations of one kind. Webhooks of the same name share their numbers, as in the metrics. */
export const webhooksOf = (
  kind: string,
  configurations: readonly JsonObject[],
  metrics: Exposition,
): readonly WebhookState[] =>
  configurations.flatMap((configuration) =>
    asObjects(configuration['webhooks']).map((webhook) => ({
      kind,
      configuration: asText(asObject(configuration['metadata'])['name']),
      name: asText(webhook['name']),
      rules: asObjects(webhook['rules']).map(ruleText),
      failurePolicy: asText(webhook['failurePolicy']),
      ...countsOf({ name: asText(webhook['name']), type: types[kind] ?? '' }, metrics),
    })),
  );

function countsOf({ name, type }: { readonly name: string; readonly type: string }, metrics: Exposition) {
  const own = (family: string): readonly MetricSample[] =>
    (metrics.get(family) ?? []).filter(({ labels }) => labels['name'] === name && labels['type'] === type);
  const buckets = own(DURATIONS);
  const rejections = own(REJECTIONS);
  const isAnswer = ({ labels }: MetricSample): boolean => labels['error_type'] === 'no_error';
  const p99 = quantileBound(buckets, 0.99);
  return {
    calls: sum(buckets.filter(({ labels }) => labels['le'] === '+Inf')),
    refused: sum(rejections.filter(isAnswer)),
    failed: sum(rejections.filter((sample) => !isAnswer(sample))),
    ignored: sum(own(IGNORED)),
    p99Seconds: p99 !== undefined && Number.isFinite(p99) ? p99 : undefined,
  };
}

/** The sum of the values of samples. */
export const sum = (samples: readonly MetricSample[]): number =>
  samples.reduce((total, { value }) => total + value, 0);

/** `CREATE, UPDATE of pods, deployments.apps`. */
export function ruleText(rule: JsonObject): string {
  const groups = asStrings(rule['apiGroups']);
  const resources = asStrings(rule['resources']).flatMap((resource) =>
    groups.map((group) => (group === '' || group === '*' ? resource : `${resource}.${group}`)),
  );
  return `${asStrings(rule['operations']).join(', ')} of ${resources.join(', ')}`;
}
