import { type WebhookAddress, webhookAddress } from '@orch/auth';
import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';

export type ReviewVersion = 'v1' | 'v1beta1';

/** The webhook that converts the objects of a definition. */
export interface ConversionWebhook {
  readonly address: WebhookAddress;
  /** The first review version in the definition that the server supports; undefined when there is none. */
  readonly reviewVersion: ReviewVersion | undefined;
}

const isKnown = (version: unknown): version is ReviewVersion => version === 'v1' || version === 'v1beta1';

/** The conversion webhook of a definition; undefined when its versions are converted without one. */
export function conversionWebhook({ spec }: CustomResourceDefinition): ConversionWebhook | undefined {
  const { strategy, webhook } = spec?.conversion ?? {};
  if (strategy !== 'Webhook') return undefined;
  const { caBundle = '', service, url } = webhook?.clientConfig ?? {};
  const { name = '', namespace = '', path = '', port = 0 } = service ?? {};
  const address = webhookAddress({
    ...(url === undefined ? {} : { url }),
    service: { namespace, name, port, path },
    caBundle,
  });
  return { address, reviewVersion: webhook?.conversionReviewVersions?.find(isKnown) };
}
