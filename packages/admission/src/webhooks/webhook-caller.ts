import { type ApiError, type Env, errors, messageOf, type Names } from '@orch/machinery';
import { DeadlineExceeded } from '@orch/machinery/concurrency';
import type { AdmissionAttributes } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import {
  annotationKey,
  encodeReview,
  type ReviewAnswer,
  type ReviewQuestion,
  readAnswer,
} from './admission-review.ts';
import type { EncodedVersion } from './encoded-objects.ts';
import type { Webhook } from './webhook.ts';
import {
  type RejectionType,
  type WebhookMetrics,
  type WebhookType,
  webhookMetrics,
} from './webhook-metrics.ts';

/** Maximum size of a response in addition to that of the request. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const OK = 200;
/** Code of calls without a response, in metrics. */
const NOT_ANSWERED = 503;

export interface CallerParts extends Pick<Env, 'clock' | 'random' | 'metrics' | 'log'> {
  readonly names: Names;
}

/** One call of a webhook for a write. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly write: AdmissionAttributes;
  /** In which the webhook receives the objects. */
  readonly version: VersionedResource;
  readonly objects: EncodedVersion;
  /** For annotations of the failure: `<prefix><round>_index_<index>`. */
  readonly failedOpenKey: string;
  /** Receives the duration of the call, in milliseconds, regardless of its outcome. */
  readonly took: (ms: number) => void;
}

/** A webhook that could not be called. Its failure policy applies to the write. */
class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly code: number;

  constructor(message: string, code: number, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Calls webhooks, and decides on the write when one denies it or fails. */
export class WebhookCaller {
  readonly #parts: CallerParts;
  readonly #mutates: boolean;
  readonly #metrics: WebhookMetrics;
  /** Resource of the objects that configure the webhooks. */
  readonly #configurations: string;

  constructor(parts: CallerParts, type: WebhookType) {
    this.#parts = parts;
    this.#mutates = type === 'admit';
    this.#configurations = `${this.#mutates ? 'mutating' : 'validating'}webhookconfigurations`;
    this.#metrics = webhookMetrics(type, parts.metrics, parts.clock);
  }

  /**
   * Calls a webhook, and `allowed` with its response when it allows the write. Returns false also when it failed and
   * ignores failures. Rejects with the `ApiError` for the client, or with the reason of the signal.
   */
  async run(
    invocation: Invocation,
    allowed: (answer: ReviewAnswer) => boolean | Promise<boolean>,
  ): Promise<boolean> {
    const { webhook, write } = invocation;
    const began = this.#metrics.seconds();
    const end = (rejected: RejectionType | undefined, code: number): void => {
      const seconds = this.#metrics.seconds() - began;
      write.report.step({
        stage: 'webhook',
        name: webhook.name,
        configuration: { resource: this.#configurations, name: webhook.configuration },
        ms: seconds * 1000,
        refused: rejected !== undefined,
      });
      this.#metrics.ended({ webhook: webhook.name, operation: write.operation, seconds, rejected, code });
    };
    try {
      const answer = await this.#ask(invocation);
      if (!answer.allowed) {
        const { status } = answer;
        end('no_error', status.code);
        throw new Denied(errors.deniedByWebhook(webhook.name, status));
      }
      const result = await allowed(answer);
      end(undefined, OK);
      return result;
    } catch (error) {
      if (error instanceof Denied) throw error.status;
      if (write.signal.aborted) throw write.signal.reason;
      if (!(error instanceof CallFailure)) {
        end('apiserver_internal_error', 0);
        throw error;
      }
      end(webhook.ignoresFailures ? undefined : 'calling_webhook_error', error.code);
      this.#failed(invocation, error);
      return false;
    }
  }

  /** Throws unless the webhook ignores failures. */
  #failed({ webhook, write, failedOpenKey }: Invocation, failure: CallFailure): void {
    const message = `failed calling webhook ${JSON.stringify(webhook.name)}: ${failure.message}`;
    if (!webhook.ignoresFailures) throw errors.failedWebhook(message, failure);
    this.#metrics.failedOpen(webhook.name);
    this.#parts.log.warn('an admission webhook failed, and its failures are ignored', {
      webhook: webhook.name,
      configuration: webhook.configuration,
      problem: failure.message,
    });
    write.report.annotate(failedOpenKey, webhook.name);
  }

  async #ask(invocation: Invocation): Promise<ReviewAnswer> {
    const { webhook, write, version, objects } = invocation;
    const { names, random } = this.#parts;
    const { name, reviewVersion } = webhook;
    if (write.dryRun && !webhook.supportsDryRun)
      throw errors.malformedRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
    if (reviewVersion === undefined)
      throw new CallFailure('it accepts no known version of AdmissionReview', NOT_ANSWERED);
    const question: ReviewQuestion = {
      names,
      reviewVersion,
      uid: random.uuid(),
      write,
      version,
      objects,
    };
    const answer = await this.#answer(invocation, encodeReview(question));
    const read = this.#read(question, answer);
    for (const [key, value] of Object.entries(read.auditAnnotations)) {
      const annotation = annotationKey(name, key);
      if (annotation !== undefined) write.report.annotate(annotation, value);
    }
    for (const warning of read.warnings) write.report.warn(warning);
    return read;
  }

  async #answer({ webhook, write: { signal }, took }: Invocation, body: Buffer): Promise<unknown> {
    const { clock } = this.#parts;
    const { timeoutMs } = webhook;
    const began = clock.monotonic();
    const maxAnswerBytes = body.length + MAX_ANSWER_BYTES;
    const query = `timeout=${timeoutMs / 1000}s`;
    try {
      return await webhook.call({ body, maxAnswerBytes, query }, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw new CallFailure(`failed to call webhook: ${problemOf(error)}`, codeOf(error), error);
    } finally {
      took(clock.monotonic() - began);
    }
  }

  #read(question: ReviewQuestion, answer: unknown): ReviewAnswer {
    try {
      return readAnswer(question, answer, this.#mutates);
    } catch (error) {
      throw new CallFailure(`received invalid webhook response: ${messageOf(error)}`, NOT_ANSWERED, error);
    }
  }
}

/** Distinguishes a denial, which is counted, from the failures of this server. */
class Denied extends Error {
  readonly status: ApiError;

  constructor(status: ApiError) {
    super(status.message);
    this.status = status;
  }
}

const problemOf = (error: unknown): string =>
  error instanceof DeadlineExceeded
    ? `it did not respond within ${error.afterMs / 1000} s (deadline exceeded)`
    : messageOf(error);

function codeOf(error: unknown): number {
  const { status } = error as { readonly status?: unknown };
  return typeof status === 'number' ? status : NOT_ANSWERED;
}
