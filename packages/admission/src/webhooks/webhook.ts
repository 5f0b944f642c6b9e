import type { OpenWebhook, WebhookAddress, WebhookCall, WebhookRequest } from '@orch/auth';
import type { AdmissionEnvironments } from '@orch/cel';
import type { MutatingWebhook, ValidatingWebhook } from '@orch/kinds/admissionregistration';
import { type Clock, errors, messageOf } from '@orch/machinery';
import { anySignal, DeadlineExceeded, DeadlineQueue, disarm } from '@orch/machinery/concurrency';
import { SelectorError } from '@orch/machinery/selectors';
import { MatchConditions } from '../expressions/index.ts';
import { RequestMatcher } from '../matching/request-matcher.ts';
import type { WriteTarget } from '../types.ts';

/** Versions of `AdmissionReview` that the server sends. */
export type ReviewVersion = 'v1' | 'v1beta1';

const isKnownVersion = (version: string): version is ReviewVersion =>
  version === 'v1' || version === 'v1beta1';

/** A webhook as declared by its configuration, its index there, and its client. */
export interface WebhookSource {
  readonly configuration: string;
  readonly webhook: MutatingWebhook & ValidatingWebhook;
  readonly address: WebhookAddress;
}

/** The settings that the webhooks of a server share. */
export interface WebhookSettings {
  readonly open: OpenWebhook;
  readonly clock: Clock;
  /** For match conditions; undefined in releases that do not have them. */
  readonly environments: AdmissionEnvironments | undefined;
}

const MS_PER_SECOND = 1000;
const DEFAULT_TIMEOUT_SECONDS = 10;

/** A webhook of a configuration, prepared for many requests (access-control document, 4.4). */
export class Webhook implements Disposable {
  readonly name: string;
  /** Name of the configuration that contains it. */
  readonly configuration: string;
  /** The first of its versions that the server sends; undefined when there is none: calls fail. */
  readonly reviewVersion: ReviewVersion | undefined;
  /** Whether a request continues when the webhook cannot be called. */
  readonly ignoresFailures: boolean;
  readonly supportsDryRun: boolean;
  readonly reinvokedIfNeeded: boolean;
  readonly timeoutMs: number;
  /** Deadlines of its calls. */
  readonly #deadlines: DeadlineQueue;
  /** Undefined without any. */
  readonly conditions: MatchConditions | undefined;
  readonly #matcher: RequestMatcher | SelectorError;
  readonly #call: WebhookCall;

  constructor({ configuration, webhook, address }: WebhookSource, settings: WebhookSettings) {
    const { open, clock, environments } = settings;
    this.name = webhook.name ?? '';
    this.configuration = configuration;
    this.reviewVersion = webhook.admissionReviewVersions?.find(isKnownVersion);
    this.ignoresFailures = webhook.failurePolicy === 'Ignore';
    this.supportsDryRun = webhook.sideEffects === 'None' || webhook.sideEffects === 'NoneOnDryRun';
    this.reinvokedIfNeeded = webhook.reinvocationPolicy === 'IfNeeded';
    this.timeoutMs = (webhook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * MS_PER_SECOND;
    this.#deadlines = new DeadlineQueue(clock, this.timeoutMs, 0);
    this.#matcher = matcherOf(webhook);
    const { matchConditions = [] } = webhook;
    this.conditions =
      environments === undefined || matchConditions.length === 0
        ? undefined
        : new MatchConditions(matchConditions, environments);
    this.#call = open(address);
  }

  /** Reports whether a request may match, before its objects are read. */
  handles(target: WriteTarget): boolean {
    return this.matcher.handles(target);
  }

  /** Throws an `ApiError` for a stored configuration whose selectors cannot be read. */
  get matcher(): RequestMatcher {
    if (!(this.#matcher instanceof SelectorError)) return this.#matcher;
    throw errors.internal(
      this.#matcher,
      `the selectors of the webhook ${JSON.stringify(this.name)} are invalid: ${messageOf(this.#matcher)}`,
    );
  }

  /** See `WebhookCall`; rejects with `DeadlineExceeded` after the timeout. */
  async call(request: WebhookRequest, signal: AbortSignal): Promise<unknown> {
    using scope = anySignal([signal]);
    const deadline = this.#deadlines.arm(() => scope.abort(new DeadlineExceeded(this.timeoutMs)));
    try {
      return await this.#call(request, scope.signal);
    } finally {
      disarm(deadline);
    }
  }

  [Symbol.dispose](): void {
    this.#call[Symbol.dispose]();
  }
}

function matcherOf({
  rules = [],
  matchPolicy,
  namespaceSelector,
  objectSelector,
}: WebhookSource['webhook']): RequestMatcher | SelectorError {
  try {
    return new RequestMatcher({
      rules,
      matchPolicy: matchPolicy === 'Exact' ? 'Exact' : 'Equivalent',
      // Validation requires the fields of requirements.
      namespaceSelector: namespaceSelector,
      objectSelector: objectSelector,
    });
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
}
