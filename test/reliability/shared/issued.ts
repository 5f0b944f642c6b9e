import assert from 'node:assert/strict';
import { parseJson } from '@orch/machinery/json';
import { prefixRange, type Revision, readable, type Store } from '@orch/storage';

/** All values that members of objects ever had, by the name of the object. */
export class Issued {
  readonly #values = new Map<string, Set<string>>();

  note(name: string, value: unknown): void {
    if (typeof value !== 'string' || value === '') return;
    const values = this.#values.get(name) ?? new Set();
    this.#values.set(name, values.add(value));
  }

  check(expected: Iterable<string>): void {
    for (const name of expected) {
      assert.equal(this.#values.get(name)?.size ?? 0, 1, `values that ${name} was ever given`);
    }
  }
}

export interface AllIssued {
  readonly certificates: Issued;
  readonly tokens: Issued;
}

/**
 * Records the content of every revision of certificate requests and token Secrets, from the beginning of the store's
 * history through `through`, or until the signal aborts.
 */
export async function noteIssued(
  store: Store,
  { certificates, tokens }: AllIssued,
  signal: AbortSignal,
  through: Revision = Number.POSITIVE_INFINITY,
): Promise<void> {
  try {
    for await (const { rev, events } of store.watch(prefixRange('/'), 0, signal)) {
      for (const event of events) {
        if (event.type !== 'put') continue;
        const { key, value } = readable(event.kv);
        const name = key.slice(key.lastIndexOf('/') + 1);
        const isRequest = key.includes('/certificatesigningrequests.');
        if (!isRequest && !key.includes('/secrets/')) continue;
        const object = parseJson(value) as Record<string, Record<string, unknown> | undefined>;
        if (isRequest) certificates.note(name, object['status']?.['certificate']);
        else tokens.note(name, object['data']?.['token']);
      }
      if (rev >= through) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
