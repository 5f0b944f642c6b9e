import { type WebhookAddress, webhookAddress } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import { asNumber, asObject, asText, specOf } from '@orch/machinery/json';

export type ReviewVersion = 'v1' | 'v1beta1';

/** The webhook that converts the objects of a definition. */
export interface ConversionWebhook {
  readonly address: WebhookAddress;
  /** The first review version in the definition that the server supports; undefined when there is none. */
  readonly reviewVersion: ReviewVersion | undefined;
}

const isKnown = (version: unknown): version is ReviewVersion => version === 'v1' || version === 'v1beta1';

/** The conversion webhook of a definition; undefined when its versions are converted without one. */
export function conversionWebhook(definition: ApiObject): ConversionWebhook | undefined {
  const { strategy, webhook } = asObject(specOf(definition)['conversion']);
  if (strategy !== 'Webhook') return undefined;
  const { clientConfig, conversionReviewVersions } = asObject(webhook);
  const { caBundle, service, url } = asObject(clientConfig);
  const { name, namespace, path, port } = asObject(service);
  const address = webhookAddress({
    ...(typeof url === 'string' ? { url } : {}),
    service: {
      namespace: asText(namespace),
      name: asText(name),
      port: asNumber(port),
      path: asText(path),
    },
    caBundle: asText(caBundle),
  });
  return {
    address,
    reviewVersion: Array.isArray(conversionReviewVersions)
      ? conversionReviewVersions.find(isKnown)
      : undefined,
  };
}
