import { type FieldError, fieldError } from '@orch/machinery';
import {
  checkReviewVersions,
  hasKnownVersion,
} from '../../../admissionregistration/shared/validation/review-versions.ts';
import { checkClientConfig } from '../../../admissionregistration/shared/validation/service-address.ts';
import { asObject, asStrings, type JsonObject } from '../../../read.ts';

const path = 'spec.conversion';

/** What belongs to webhooks, under the names of the older form. */
export const reviewVersionsOf = (conversion: JsonObject): readonly string[] =>
  asStrings(asObject(conversion['webhook'])['conversionReviewVersions']);

/** Whether a definition names no versions of the review, or one that the server knows. */
export const hasKnownReviewVersions = (conversion: JsonObject): boolean => {
  const versions = reviewVersionsOf(conversion);
  return versions.length === 0 || hasKnownVersion(versions);
};

function checkWebhook(conversion: JsonObject, known: boolean): readonly FieldError[] {
  const { clientConfig } = asObject(conversion['webhook']);
  const at = `${path}.webhookClientConfig`;
  return [
    ...(clientConfig === undefined
      ? [fieldError.required(at, 'required when strategy is set to Webhook')]
      : checkClientConfig(at, asObject(clientConfig))),
    ...checkReviewVersions(`${path}.conversionReviewVersions`, reviewVersionsOf(conversion), { known }),
  ];
}

/** A webhook where there is to be one, and nowhere else. */
export function checkConversion(conversion: JsonObject, known: boolean): readonly FieldError[] {
  if (conversion['strategy'] === 'Webhook') return checkWebhook(conversion, known);
  const why = 'should not be set when strategy is not set to Webhook';
  return [
    ...(asObject(conversion['webhook'])['clientConfig'] === undefined
      ? []
      : [fieldError.forbidden(`${path}.webhookClientConfig`, why)]),
    ...(reviewVersionsOf(conversion).length === 0
      ? []
      : [fieldError.forbidden(`${path}.conversionReviewVersions`, why)]),
  ];
}
