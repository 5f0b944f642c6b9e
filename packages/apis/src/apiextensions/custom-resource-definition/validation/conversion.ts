import type { CustomResourceConversion } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError } from '@orch/machinery';
import {
  checkReviewVersions,
  hasKnownVersion,
} from '../../../admissionregistration/shared/validation/review-versions.ts';
import { checkClientConfig } from '../../../admissionregistration/shared/validation/service-address.ts';

const path = 'spec.conversion';

/** The review versions of webhooks, under the names of the older version. */
const reviewVersionsOf = (conversion: CustomResourceConversion): readonly string[] =>
  conversion.webhook?.conversionReviewVersions ?? [];

/** Reports whether a definition lists no review versions, or at least one that the server supports. */
export const hasKnownReviewVersions = (conversion: CustomResourceConversion): boolean => {
  const versions = reviewVersionsOf(conversion);
  return versions.length === 0 || hasKnownVersion(versions);
};

function checkWebhook(conversion: CustomResourceConversion, known: boolean): readonly FieldError[] {
  const { clientConfig } = conversion.webhook ?? {};
  const at = `${path}.webhookClientConfig`;
  return [
    ...(clientConfig === undefined
      ? [fieldError.required(at, 'required when strategy is set to Webhook')]
      : checkClientConfig(at, clientConfig)),
    ...checkReviewVersions(`${path}.conversionReviewVersions`, reviewVersionsOf(conversion), { known }),
  ];
}

/** Checks that a webhook is set for the strategy Webhook, and only there. */
export function checkConversion(conversion: CustomResourceConversion, known: boolean): readonly FieldError[] {
  if (conversion.strategy === 'Webhook') return checkWebhook(conversion, known);
  const why = 'should not be set when strategy is not set to Webhook';
  return [
    ...(conversion.webhook?.clientConfig === undefined
      ? []
      : [fieldError.forbidden(`${path}.webhookClientConfig`, why)]),
    ...(reviewVersionsOf(conversion).length === 0
      ? []
      : [fieldError.forbidden(`${path}.conversionReviewVersions`, why)]),
  ];
}
