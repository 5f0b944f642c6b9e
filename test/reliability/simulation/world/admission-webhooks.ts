import type { OpenWebhook } from '@orch/auth';
import type { ApiObject, Clock } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';
import { parseJson } from '@orch/machinery/json';

/** What a webhook does: a mutating one that stamps objects, and validating ones with each failure policy. */
export const webhookNames = ['stamping', 'strict', 'lenient'] as const;
export type WebhookName = (typeof webhookNames)[number];

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string; readonly object: ApiObject };
}

/** The values that the validating webhooks refuse: the multiples of these numbers. */
export const refused = { strict: 7, lenient: 5 } as const;

export const valueIn = (object: ApiObject): string => (object['data'] as { value: string }).value;
export const stampOf = (value: string): string => `stamp of ${value}`;

/** An admission webhook, and how it fails. */
class AdmissionWebhook {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #state: 'works' | 'fails' | 'hangs' = 'works';
  #workedSince = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  set state(state: 'works' | 'fails' | 'hangs') {
    if (this.#state !== 'works' && state === 'works') this.#workedSince = this.#clock.monotonic();
    this.#state = state;
  }

  /** Whether it has worked at each moment since a time. */
  hasWorkedSince(time: number): boolean {
    return this.#state === 'works' && this.#workedSince < time;
  }

  /** Throws unless it works. */
  async reach(signal: AbortSignal): Promise<void> {
    if (this.#state === 'fails') throw new Error('connection refused');
    if (this.#state !== 'hangs') return;
    await aborted(signal);
    throw signal.reason;
  }
}

/** The admission webhooks of a simulation, at `https://NAME.example.com/`. */
export class AdmissionWebhooks {
  readonly #all: Readonly<Record<WebhookName, AdmissionWebhook>>;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    const [stamping, strict, lenient] = Array.from({ length: 3 }, () => new AdmissionWebhook(clock));
    if (stamping === undefined || strict === undefined || lenient === undefined) throw new RangeError();
    this.#all = { stamping, strict, lenient };
  }

  of(name: WebhookName): AdmissionWebhook {
    return this.#all[name];
  }

  /** One of them fails in one of two ways. */
  fail(choice: number): void {
    const name = webhookNames[choice % webhookNames.length] ?? 'strict';
    this.of(name).state = choice % 2 === 0 ? 'fails' : 'hangs';
  }

  endFailures(): void {
    for (const name of webhookNames) this.of(name).state = 'works';
  }

  readonly open: OpenWebhook = ({ at }) => {
    const name = new URL(String(at)).hostname.split('.', 1)[0] as WebhookName;
    const call = async ({ body }: { readonly body: Buffer }, signal: AbortSignal): Promise<unknown> => {
      await this.of(name).reach(signal);
      return answerOf(name, parseJson(body) as unknown as Review);
    };
    return Object.assign(call, { [Symbol.dispose]: () => undefined });
  };
}

function answerOf(name: WebhookName, { apiVersion, kind, request: { uid, object } }: Review): object {
  const value = valueIn(object);
  if (name !== 'stamping') {
    const allowed = Number(value) % refused[name] !== 0;
    return { apiVersion, kind, response: { uid, allowed } };
  }
  const operations = [{ op: 'add', path: '/data/stamp', value: stampOf(value) }];
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { apiVersion, kind, response: { uid, allowed: true, patchType: 'JSONPatch', patch } };
}
