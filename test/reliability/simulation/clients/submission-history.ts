import assert from 'node:assert/strict';
import { type AdmissionWebhooks, refused, stampOf, webhookNames } from '../world/admission-webhooks.ts';
import type { StoredChange } from '../world/history.ts';

/** The highest values that the policy may allow. A value above all of them is never allowed. */
export const limits = [100, 200] as const;
const HIGHEST = Math.max(...limits);

/** A write that admission decided on, and its answer. */
export interface Submission {
  /** Unique. */
  readonly id: string;
  readonly value: number;
  readonly startedAt: number;
  readonly outcome: 'done' | 'unknown' | { readonly refusal: string };
}

interface Guarded {
  readonly id: string;
  readonly value: string;
  readonly stamp?: string;
}

/** The objects of the namespace that admission guards. */
export const guardedNamespace = 'guarded';

/** Throws if an object was stored that admission had to refuse or to change, or if an answer contradicts what is stored. */
export function checkStored(changes: readonly StoredChange[], submissions: readonly Submission[]): void {
  const stored = new Map<string, number>();
  for (const { key, rev, object } of changes) {
    if (object === undefined || !key.startsWith(`${guardedNamespace}/item-`)) continue;
    const { id, value, stamp } = object['data'] as unknown as Guarded;
    const what = `${key} at ${rev} with ${value}`;
    assert.equal(stamp, stampOf(value), `${what}: the stamp of the mutating webhook`);
    assert.ok(Number(value) <= HIGHEST, `${what} is stored, against the policy`);
    assert.notEqual(
      Number(value) % refused.strict,
      0,
      `${what} is stored, against a webhook that must agree`,
    );
    stored.set(id, (stored.get(id) ?? 0) + 1);
  }
  for (const { id, outcome } of submissions) {
    const times = stored.get(id) ?? 0;
    assert.ok(times <= 1, `${id} is stored ${times} times`);
    if (outcome === 'done') assert.equal(times, 1, `${id} was acknowledged and is not stored`);
    if (typeof outcome === 'object')
      assert.equal(times, 0, `${id} was refused and is stored: ${outcome.refusal}`);
  }
}

/** Throws if a webhook has decided otherwise than it does, or a failure has had the effect of the other failure policy. */
export function checkDecision(
  { id, value, startedAt, outcome }: Submission,
  webhooks: AdmissionWebhooks,
): void {
  const isRefusedBy = (name: 'strict' | 'lenient'): boolean => value % refused[name] === 0;
  if (outcome === 'done' && isRefusedBy('lenient'))
    assert.ok(
      !webhooks.of('lenient').hasWorkedSince(startedAt),
      `${id} with ${value} was accepted: a webhook was not asked`,
    );
  if (typeof outcome === 'string') return;
  const { refusal } = outcome;
  for (const name of webhookNames) {
    if (!refusal.includes(`${name}.example.com`)) continue;
    if (refusal.includes('denied the request'))
      assert.ok(name !== 'stamping' && isRefusedBy(name), `${id} with ${value}: ${refusal}`);
    else {
      assert.notEqual(name, 'lenient', `a failure that must be ignored refuses ${id}: ${refusal}`);
      assert.ok(!webhooks.of(name).hasWorkedSince(startedAt), `${id}: ${refusal}, and it works`);
    }
  }
}
