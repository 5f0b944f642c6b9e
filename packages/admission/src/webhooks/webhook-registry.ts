import { type ObjectSource, type SourceObject, webhookAddress } from '@orch/auth';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@orch/kinds/admissionregistration';
import type { CurrentContent } from '../configuration/plugin-files.ts';
import type { RuleObjects, WriteTarget } from '../types.ts';
import { Webhook, type WebhookSettings, type WebhookSource } from './webhook.ts';
import type { CredentialsFor } from './webhook-credentials.ts';

const never = new AbortController().signal;

type Configuration = MutatingWebhookConfiguration & ValidatingWebhookConfiguration;

export interface WebhookRegistryParts {
  readonly source: ObjectSource;
  /** Name of the resource in sources: `mutatingwebhookconfigurations.admissionregistration`. */
  readonly resource: string;
  readonly settings: WebhookSettings;
  /** From the configuration file of the plugin. */
  readonly credentials: CurrentContent<CredentialsFor>;
}

/**
 * The webhooks of all configurations of a kind, by name of the configuration. Follows the configurations and the credentials: a
 * webhook that did not change keeps its connections.
 */
export class WebhookRegistry implements RuleObjects {
  /** False until the webhooks are known. */
  isEmpty = false;
  readonly source: ObjectSource;
  readonly #settings: WebhookSettings;
  readonly #credentials: CurrentContent<CredentialsFor>;
  /** With which the webhooks were opened. */
  #usedCredentials: CredentialsFor;
  readonly #configurations = new Map<string, Configuration>();
  /** The reasons why configurations cannot be read, by key. */
  readonly #unreadable = new Map<string, unknown>();
  #webhooks: ReadonlyMap<string, Webhook> = new Map();
  #ordered: readonly Webhook[] = [];
  #isOutdated = false;

  constructor({ source, resource, settings, credentials }: WebhookRegistryParts) {
    this.source = source;
    this.#settings = settings;
    this.#credentials = credentials;
    this.#usedCredentials = credentials.current;
    source.subscribe(resource, {
      reset: (objects) => {
        this.#configurations.clear();
        this.#unreadable.clear();
        for (const object of objects) this.#set(object.key, object);
        this.#outdated();
      },
      changed: (key, object) => this.#set(key, object),
    });
  }

  /**
   * Reports whether a webhook may be called for such a write. While configurations are being loaded, or cannot be read,
   * any may.
   */
  handles(target: WriteTarget): boolean {
    if (this.source.loaded(never) !== undefined || this.#unreadable.size > 0) return true;
    const all = this.all();
    this.isEmpty = all.length === 0;
    return all.some((webhook) => webhook.handles(target));
  }

  /** Waits until the configurations are loaded. Rejects with the reason of the signal. */
  loaded(signal: AbortSignal): Promise<void> | undefined {
    return this.source.loaded(signal);
  }

  /**
   * All webhooks in the order in which they are called. Throws an `ApiError` while a configuration cannot be read: its webhooks may refuse
   * the write.
   */
  all(): readonly Webhook[] {
    for (const error of this.#unreadable.values()) throw error;
    if (this.#isOutdated || this.#usedCredentials !== this.#credentials.current) this.#compile();
    return this.#ordered;
  }

  #outdated(): void {
    this.#isOutdated = true;
    this.isEmpty = false;
  }

  #set(key: string, object: SourceObject | undefined): void {
    this.#outdated();
    this.#configurations.delete(key);
    this.#unreadable.delete(key);
    try {
      if (object !== undefined) this.#configurations.set(key, object.read());
    } catch (error) {
      this.#unreadable.set(key, error);
    }
  }

  #compile(): void {
    this.#isOutdated = false;
    this.#usedCredentials = this.#credentials.current;
    const before = this.#webhooks;
    const after = new Map<string, Webhook>();
    for (const source of this.#sources()) {
      let identity = JSON.stringify(source);
      // Older configurations may contain the same webhook more than once.
      while (after.has(identity)) identity += ' ';
      after.set(identity, before.get(identity) ?? new Webhook(source, this.#settings));
    }
    this.#webhooks = after;
    this.#ordered = [...after.values()];
    for (const [identity, webhook] of before) if (!after.has(identity)) webhook[Symbol.dispose]();
  }

  #sources(): readonly WebhookSource[] {
    return [...this.#configurations]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([configuration, { webhooks = [] }]) =>
        webhooks.map((webhook) => ({ configuration, webhook, address: this.#addressOf(webhook) })),
      );
  }

  #addressOf({ clientConfig = {} }: WebhookSource['webhook']): WebhookSource['address'] {
    const address = webhookAddress(clientConfig);
    return { ...address, credentials: this.#usedCredentials(address.at) };
  }
}
