import { ApiError, type ApiObject } from '@orch/machinery';
import { reportFailure } from '../../cli/report-failure.ts';
import { type DryRun, dryRunSuffix } from '../../cli/write-flags.ts';
import type { Io } from '../../io.ts';
import { kindName } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import { entryOf, type Inventory, type InventoryEntry, missingEntries } from './inventory.ts';

export interface PruneContext {
  readonly inventory: Inventory;
  readonly session: Session;
  readonly io: Io;
  readonly signal: AbortSignal;
  readonly dryRun: DryRun;
}

export interface PruneRequest {
  /** The inventory before the command. */
  readonly before: readonly InventoryEntry[];
  readonly applied: readonly ApiObject[];
  readonly isPruning: boolean;
  /** The exit status of the applies. After a failure nothing is deleted: the files may be incomplete. */
  readonly status: number;
}

/**
 * Writes the inventory and deletes objects that are no longer in the files. The inventory keeps an object until its
 * deletion is certain, so that an interrupted command can be repeated.
 */
export async function prune(context: PruneContext, request: PruneRequest): Promise<number> {
  const { inventory, dryRun, signal, io } = context;
  const { before, applied, isPruning, status } = request;
  const after = applied.map(entryOf);
  const excess = missingEntries(before, after);
  if (dryRun === 'none') await inventory.write([...after, ...excess], signal);
  if (!isPruning || excess.length === 0) return status;
  if (status !== 0) {
    io.err.write('error: nothing was pruned, because some objects were not applied\n');
    return status;
  }
  const kept: InventoryEntry[] = [];
  // Objects are deleted in the opposite order of their creation.
  for (const entry of excess.toReversed()) if (!(await pruned(entry, context))) kept.unshift(entry);
  if (dryRun === 'none') await inventory.write([...after, ...kept], signal);
  return kept.length === 0 ? 0 : 1;
}

/** Reports whether the object of an entry is deleted. */
async function pruned(
  entry: InventoryEntry,
  { session, io, signal, dryRun }: PruneContext,
): Promise<boolean> {
  const { apiVersion, kind, namespace, name, uid } = entry;
  try {
    const resource = await session.resources.ofKind(apiVersion, kind);
    const client = session.client.resource(resource, namespace === '' ? undefined : namespace);
    const options = {
      preconditions: { uid },
      propagationPolicy: 'Background',
      dryRun: dryRun === 'server',
    } as const;
    await client.delete(name, options, signal);
    io.out.write(`${kindName(resource)}/${name} pruned${dryRunSuffix(dryRun)}\n`);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The name belongs to another object, or to none.
    if (error.status.code === 404 || error.status.code === 409) return true;
    io.err.write(`${reportFailure(error).text}\n`);
    return false;
  }
}
