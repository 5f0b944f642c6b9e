import { hash } from 'node:crypto';
import type { ObjectConverter } from '@orch/apis';
import type { WebhookCall } from '@orch/auth';
import { ApiError, type ApiObject, type Clock, messageOf, type Names, type Random } from '@orch/machinery';
import { abortable, DeadlineExceeded, deferred, withDeadline } from '@orch/machinery/concurrency';
import { encodeJson } from '@orch/machinery/json';
import type { ConversionDurations } from './conversion-metrics.ts';
import {
  answeredObjects,
  type ConversionReview,
  checkedConversions,
  conversionFailed,
  encodeReview,
} from './conversion-review.ts';
import type { ConversionWebhook } from './conversion-webhook.ts';
import { KeptConversions } from './kept-conversions.ts';

/** Time that a webhook has for one review. */
const TIMEOUT_MS = 30_000;
/** Maximum size of a response: a few times the largest review. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Results of larger reviews are not kept: they belong to lists, which are cached with their objects. */
const MAX_KEPT_OBJECTS = 16;

export interface WebhookConverterOptions {
  readonly names: Names;
  readonly clock: Clock;
  readonly random: Random;
  readonly webhook: ConversionWebhook;
  readonly call: WebhookCall;
  readonly durations: ConversionDurations;
}

/** An object whose conversion was not requested before. */
interface Pending {
  readonly key: string;
  readonly object: ApiObject;
  readonly json: Buffer;
  readonly resolve: (converted: ApiObject) => void;
  readonly reject: (error: unknown) => void;
}

const never = new AbortController().signal;

/** Converts objects by asking the webhook of a definition. An object that is being converted is not sent a second time. */
export class WebhookConverter implements ObjectConverter, Disposable {
  readonly #options: WebhookConverterOptions;
  readonly #kept = new KeptConversions();
  readonly #inFlight = new Map<string, Promise<ApiObject>>();
  #hasOutdated = false;

  constructor(options: WebhookConverterOptions) {
    this.#options = options;
  }

  get hasOutdated(): boolean {
    return this.#hasOutdated;
  }

  noteOutdated(): void {
    this.#hasOutdated = true;
  }

  find(object: ApiObject, apiVersion: string): ApiObject | undefined {
    return this.#kept.find(keyOf(sentJson(object), apiVersion));
  }

  async hold(object: ApiObject, apiVersion: string, signal: AbortSignal): Promise<Disposable> {
    const key = keyOf(sentJson(object), apiVersion);
    const [converted] = await this.convert([object], apiVersion, signal);
    if (converted === undefined) throw new TypeError('a conversion has as many results as objects');
    return this.#kept.hold(key, converted);
  }

  convert(
    objects: readonly ApiObject[],
    apiVersion: string,
    signal: AbortSignal,
  ): Promise<readonly ApiObject[]> {
    const batch: Pending[] = [];
    const results = objects.map((original): ApiObject | Promise<ApiObject> => {
      const json = sentJson(original);
      const key = keyOf(json, apiVersion);
      const known = this.#kept.find(key) ?? this.#inFlight.get(key);
      if (known !== undefined) return known;
      const { promise, resolve, reject } = deferred<ApiObject>();
      batch.push({ key, object: withoutUnsent(original), json, resolve, reject });
      this.#inFlight.set(key, promise);
      return promise;
    });
    const all = Promise.all(results);
    if (batch.length > 0) void this.#convertBatch(batch, apiVersion);
    return abortable(all, signal);
  }

  /** Closes connections once no request needs them. Conversions that are requested later still work. */
  [Symbol.dispose](): void {
    this.#options.call[Symbol.dispose]();
  }

  async #convertBatch(batch: readonly Pending[], apiVersion: string): Promise<void> {
    const observe = this.#options.durations.start(batch[0]?.object.apiVersion ?? '', apiVersion);
    try {
      const converted = await this.#request(batch, apiVersion);
      for (const [i, { key, json, resolve, reject }] of batch.entries()) {
        const object = converted[i];
        if (object === undefined) reject(new TypeError('a conversion has as many results as objects'));
        else {
          if (batch.length <= MAX_KEPT_OBJECTS) this.#kept.add(key, object, json.length);
          resolve(object);
        }
      }
      observe(true);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      observe(false);
    } finally {
      for (const { key } of batch) this.#inFlight.delete(key);
    }
  }

  async #request(batch: readonly Pending[], desiredApiVersion: string): Promise<readonly ApiObject[]> {
    const { names, clock, random, webhook, call } = this.#options;
    const { reviewVersion } = webhook;
    const originals = batch.map(({ object }) => object);
    const [first] = originals;
    if (first === undefined) return [];
    try {
      if (reviewVersion === undefined) throw new Error('it supports no known version of ConversionReview');
      const review: ConversionReview = { names, reviewVersion, uid: random.uuid(), desiredApiVersion };
      const body = encodeReview(
        review,
        batch.map(({ json }) => json),
      );
      using deadline = withDeadline(never, clock, TIMEOUT_MS);
      const request = { body, maxAnswerBytes: MAX_ANSWER_BYTES };
      const answer = await abortable(call(request, deadline.signal), deadline.signal);
      return checkedConversions(originals, answeredObjects(review, answer), desiredApiVersion);
    } catch (error) {
      if (error instanceof ApiError && error.status.code === 500) throw error;
      throw conversionFailed(first, problemOf(error));
    }
  }
}

const problemOf = (error: unknown): string =>
  error instanceof DeadlineExceeded
    ? `it did not respond within ${error.afterMs / 1000} s`
    : messageOf(error);

/** The object without the fields that webhooks do not receive, as in the reference: they are not part of the form in which a version is stored. */
function withoutUnsent(object: ApiObject): ApiObject {
  const { managedFields: _owners, resourceVersion: _revision, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const sentJson = (object: ApiObject): Buffer => encodeJson(withoutUnsent(object));

const keyOf = (json: Buffer, apiVersion: string): string => `${apiVersion} ${hash('sha256', json, 'base64')}`;
