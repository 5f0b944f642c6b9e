import { type ApiObject, asNumber, asObject, asText, specOf } from '@orch/machinery';

/** A service of the cluster behind which a webhook listens. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly path: string;
}

/** Where a webhook is, and which authorities its certificate is checked with. */
export interface WebhookAddress {
  /** A URL, or a service. */
  readonly at: string | WebhookService;
  /** PEM; the authorities of the system when absent. */
  readonly ca: string | undefined;
}

/** Posts a JSON body and returns the parsed answer. Rejects with a message for people, or with the reason of the signal. */
export interface WebhookCall extends Disposable {
  (body: Buffer, signal: AbortSignal): Promise<unknown>;
}

/** Makes the connections to a webhook; they are opened when it is called. */
export type OpenWebhook = (address: WebhookAddress) => WebhookCall;

export type ReviewVersion = 'v1' | 'v1beta1';

/** The webhook that converts the objects of a definition. */
export interface ConversionWebhook {
  readonly address: WebhookAddress;
  /** The first version of the review in the definition that the server knows; undefined when there is none. */
  readonly reviewVersion: ReviewVersion | undefined;
}

const USUAL_PORT = 443;

const isKnown = (version: unknown): version is ReviewVersion => version === 'v1' || version === 'v1beta1';

/** The conversion webhook of a definition; undefined when its versions are converted without one. */
export function conversionWebhook(definition: ApiObject): ConversionWebhook | undefined {
  const { strategy, webhook } = asObject(specOf(definition)['conversion']);
  if (strategy !== 'Webhook') return undefined;
  const { clientConfig, conversionReviewVersions } = asObject(webhook);
  const { caBundle, service, url } = asObject(clientConfig);
  const { name, namespace, path, port } = asObject(service);
  const at =
    typeof url === 'string'
      ? url
      : {
          namespace: asText(namespace),
          name: asText(name),
          port: asNumber(port) || USUAL_PORT,
          path: asText(path) || '/',
        };
  const ca = asText(caBundle);
  return {
    address: { at, ca: ca === '' ? undefined : Buffer.from(ca, 'base64').toString() },
    reviewVersion: Array.isArray(conversionReviewVersions)
      ? conversionReviewVersions.find(isKnown)
      : undefined,
  };
}
