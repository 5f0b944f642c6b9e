import {
  type DeleteOptions,
  followObject,
  isNotFound,
  type ResourceClient,
  TransportError,
} from '@orch/client';
import type { ApiObject, Status } from '@orch/machinery';
import { asStrings, asText, isJsonObject, objectAt } from '@orch/machinery/json';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { type Target, targetName } from '../../resources/targets.ts';
import { followOptions } from '../../session/follow-options.ts';

export interface Deletion {
  readonly client: ResourceClient;
  readonly target: Target;
  readonly options?: DeleteOptions;
  /** Milliseconds; without a limit when absent. */
  readonly timeoutMs?: number | undefined;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** Deletes an object and waits until it is gone. */
export async function deleteAndWait(deletion: Deletion): Promise<void> {
  const { client, target, options = {}, signal } = deletion;
  const answer = await client.delete(target.name, options, signal);
  await waitUntilGone(deletion, uidIn(answer));
}

/**
 * The uid of the deleted object, from the object or the Status of its removal; empty when the server does not report
 * it.
 */
export function uidIn(answer: ApiObject | Status): string {
  const object: Record<string, unknown> = { ...answer };
  return asText(objectAt(object, 'metadata')['uid']) || asText(objectAt(object, 'details')['uid']);
}

/** Time that a command waits before it reports why a deletion is delayed. */
const REPORT_AFTER_MS = 5_000;

/**
 * Waits until an object with this uid does not exist. After some seconds, the finalizers that delay it are reported on
 * standard error. Rejects with a CommandError at the timeout.
 */
export async function waitUntilGone(deletion: Deletion, uid: string): Promise<void> {
  const { client, target, timeoutMs, io, signal } = deletion;
  const limit = new AbortController();
  const stopTimer =
    timeoutMs === undefined
      ? undefined
      : io.env.clock.schedule(timeoutMs, () => limit.abort(new Error('timeout')));
  let last: ApiObject | undefined;
  const stopReport = io.env.clock.schedule(REPORT_AFTER_MS, () => reportDelay(target, last, io));
  const both = AbortSignal.any([signal, limit.signal]);
  try {
    if (await isGone(client, target.name, both)) return;
    const options = { ...followOptions(io), retriesFirst: true };
    for await (const object of followObject(client, target.name, options, both)) {
      if (object === undefined || (uid !== '' && object.metadata.uid !== uid)) return;
      last = object;
    }
  } catch (error) {
    if (limit.signal.aborted && !signal.aborted)
      throw new CommandError(`timed out waiting for the deletion of ${targetName(target)}${delayOf(last)}`);
    throw error;
  } finally {
    stopTimer?.();
    stopReport();
  }
}

/** Reports whether the object is gone already, which needs no permission to watch. */
async function isGone(client: ResourceClient, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.get(name, {}, signal);
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    // The watch repeats the read.
    if (error instanceof TransportError) return false;
    throw error;
  }
}

function reportDelay(target: Target, object: ApiObject | undefined, io: Io): void {
  io.err.write(`waiting for the deletion of ${targetName(target)}${delayOf(object)}\n`);
}

/** The reason why the deletion of an object is delayed. */
function delayOf(object: ApiObject | undefined): string {
  if (object === undefined || !isJsonObject(object.metadata)) return '';
  const finalizers = asStrings(object.metadata.finalizers);
  if (finalizers.length > 0) return `: its finalizers ${finalizers.join(', ')} are not removed yet`;
  return object.metadata.deletionTimestamp === undefined ? '' : ': its grace period has not ended yet';
}
