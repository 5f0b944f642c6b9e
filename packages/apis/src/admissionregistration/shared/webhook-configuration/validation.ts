import type { ValidatingWebhook, ValidatingWebhookConfiguration } from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import { atOnce } from '@orch/machinery/concurrency';
import { jsonEquals } from '@orch/machinery/json';
import { problemsOf } from '@orch/machinery/object-meta';
import { ExpressionCheck } from '../policy/expression-check.ts';
import { checkReviewVersions, hasKnownVersion } from '../validation/review-versions.ts';
import { checkRule } from '../validation/rule.ts';
import { checkClientConfig } from '../validation/service-address.ts';

const harmless: readonly string[] = ['None', 'NoneOnDryRun'];
const sideEffects: readonly string[] = [...harmless, 'Some', 'Unknown'];

/** The fields that the rules read; webhooks of both kinds have them. */
type Webhook = ValidatingWebhook;

const webhooksOf = (object: ValidatingWebhookConfiguration | undefined): readonly Webhook[] =>
  object?.webhooks ?? [];

const areHarmless = (webhooks: readonly Webhook[]): boolean =>
  webhooks.every((webhook) => harmless.includes(webhook.sideEffects ?? ''));

const haveUniqueNames = (webhooks: readonly Webhook[]): boolean =>
  new Set(webhooks.map((webhook) => webhook.name)).size === webhooks.length;

const haveKnownVersions = (webhooks: readonly Webhook[]): boolean =>
  webhooks.every((webhook) => hasKnownVersion(webhook.admissionReviewVersions ?? []));

/** Applicable rules: those of the version, except those that the stored object violates. */
interface ValidationOptions {
  readonly uniqueNames: boolean;
  readonly harmless: boolean;
  readonly knownVersions: boolean;
}

function validationOptionsOf(
  old: ValidatingWebhookConfiguration | undefined,
  requestVersion: string,
): ValidationOptions {
  const strict = requestVersion === 'admissionregistration/v1';
  const before = webhooksOf(old);
  return {
    uniqueNames: strict && haveUniqueNames(before),
    harmless: strict && areHarmless(before),
    knownVersions: haveKnownVersions(before),
  };
}

function checkSideEffects(
  path: string,
  value: string | undefined,
  options: ValidationOptions,
): readonly FieldError[] {
  if (value === undefined) {
    return options.harmless ? [fieldError.required(path, `must specify one of ${harmless.join(', ')}`)] : [];
  }
  const allowed = options.harmless ? harmless : sideEffects;
  return allowed.includes(value) ? [] : [fieldError.notSupported(path, value, allowed)];
}

function checkWebhook(path: string, webhook: Webhook, options: ValidationOptions): readonly FieldError[] {
  return [
    ...checkClientConfig(`${path}.clientConfig`, webhook.clientConfig ?? {}),
    ...problemsOf(webhook.rules ?? [], (rule, i) => checkRule(`${path}.rules[${i}]`, rule)),
    ...checkSideEffects(`${path}.sideEffects`, webhook.sideEffects ?? undefined, options),
    ...checkReviewVersions(`${path}.admissionReviewVersions`, webhook.admissionReviewVersions ?? [], {
      known: options.knownVersions,
    }),
  ];
}

/** The expressions of conditions that an update changes. */
function checkConditions(
  path: string,
  { matchConditions = [] }: Webhook,
  old: Webhook | undefined,
): readonly FieldError[] {
  if (jsonEquals(matchConditions, old?.matchConditions ?? [])) return [];
  const check = new ExpressionCheck({ hasParams: false, hasNamespace: false });
  return atOnce(check.matchConditions(`${path}.matchConditions`, matchConditions));
}

/**
 * Rules that span fields of webhooks (facts: webhook configurations). The older version has fewer, and in any version
 * rules that the stored object violates do not apply.
 */
export function validateWebhooks(
  next: ValidatingWebhookConfiguration,
  old: ValidatingWebhookConfiguration | undefined,
  requestVersion: string,
): readonly FieldError[] {
  const options = validationOptionsOf(old, requestVersion);
  // The first of several webhooks with one name counts.
  const earlier = webhooksOf(old).map((webhook) => [webhook.name ?? '', webhook] as const);
  const stored = new Map(earlier.toReversed());
  const names = new Set<string>();
  return problemsOf(webhooksOf(next), (webhook, i) => {
    const path = `webhooks[${i}]`;
    const name = webhook.name ?? '';
    const isTaken = options.uniqueNames && name !== '' && names.has(name);
    names.add(name);
    return [
      ...checkWebhook(path, webhook, options),
      ...checkConditions(path, webhook, stored.get(name)),
      ...(isTaken ? [fieldError.duplicate(`${path}.name`, name)] : []),
    ];
  });
}
