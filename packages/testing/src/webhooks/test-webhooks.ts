import type { ApiObject } from '@orch/client';
import type { AdmissionHandler, ConversionHandler } from '@orch/client/webhooks';
import type { Manifest } from '../manifests/read-manifests.ts';

/** The webhooks of a test: its handlers, and the objects that make the server call them. */
export interface TestWebhooks {
  /** Handlers of AdmissionReview by path, such as `/validate-widgets`. */
  readonly admission?: Readonly<Record<string, AdmissionHandler>>;
  /** Handlers of ConversionReview by path. */
  readonly conversion?: Readonly<Record<string, ConversionHandler>>;
  /**
   * The webhook configurations, as in a cluster: of the `clientConfig` of each webhook, only the path is used. Definitions
   * of custom resources with a conversion webhook belong to `crds`. A text is the path of a file or folder of manifests, whose other
   * objects are ignored.
   */
  readonly configurations?: readonly Manifest[];
}

/** Where the webhooks of a test are served. */
export interface WebhookAddress {
  /** `https://127.0.0.1:PORT`. */
  readonly origin: string;
  /** PEM. */
  readonly authority: string;
  readonly paths: ReadonlySet<string>;
}

const clientConfigs: ReadonlySet<string> = new Set(['clientConfig', 'webhookClientConfig']);

/** An object whose webhooks are those of a test. Throws a TypeError for a webhook without a handler. */
export function redirected<T>(object: T, address: WebhookAddress): T {
  return redirectedValue(object, address) as T;
}

/** A definition whose conversion webhook, if it has one with a handler, is that of a test. */
export function withConversion(definition: ApiObject, address: WebhookAddress): ApiObject {
  const { conversion } = (definition['spec'] ?? {}) as {
    readonly conversion?: { readonly strategy?: string };
  };
  return conversion?.strategy === 'Webhook' ? redirected(definition, address) : definition;
}

function redirectedValue(value: unknown, address: WebhookAddress): unknown {
  if (Array.isArray(value)) return value.map((one) => redirectedValue(one, address));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      clientConfigs.has(key) ? clientConfigOf(field, address) : redirectedValue(field, address),
    ]),
  );
}

function clientConfigOf(config: unknown, { origin, authority, paths }: WebhookAddress) {
  const path = pathOf(config);
  if (!paths.has(path)) throw new TypeError(`the webhook ${path} has no handler in the test`);
  return { url: origin + path, caBundle: Buffer.from(authority).toString('base64') };
}

function pathOf(config: unknown): string {
  const { url, service } = (config ?? {}) as {
    readonly url?: string;
    readonly service?: { readonly path?: string };
  };
  return url === undefined ? (service?.path ?? '/') : new URL(url).pathname;
}
