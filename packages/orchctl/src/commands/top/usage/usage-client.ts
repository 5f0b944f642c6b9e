import type { ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { visibleText } from '@orch/machinery/formats';
import { switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { CommandError } from '../../../command-error.ts';
import { tabColumns } from '../../../print/tab-columns.ts';
import type { Session } from '../../../session/session.ts';

const section = 'Flags';

/** Flags of both commands. */
export const usageFlags = {
  noHeaders: switchFlag({ name: 'no-headers', help: 'Print no header.', section }),
  sortBy: textFlag({ name: 'sort-by', help: 'Sort by cpu or memory, largest first.', section }),
  showSwap: switchFlag({ name: 'show-swap', help: 'Also print the swap space in use.', section }),
  useProtocolBuffers: switchFlag(
    { name: 'use-protocol-buffers', help: 'Accepted for scripts; it has no effect.', section },
    true,
  ),
} as const;

export function readSortBy(text: string): '' | 'cpu' | 'memory' {
  if (text === '' || text === 'cpu' || text === 'memory') return text;
  throw new UsageError('--sort-by accepts only cpu or memory');
}

/** The name among the arguments; undefined for all that the selectors select. */
export function readName(kind: string, words: readonly string[], hasSelector: boolean): string | undefined {
  if (words.length > 1) throw new UsageError(`${kind} [NAME | -l label]`);
  if (words.length > 0 && hasSelector) throw new UsageError('only one of NAME or selector can be provided');
  return words[0];
}

/** The resource of the metrics API; `pods` or `nodes`. Rejects with a `CommandError` when no extension serves it. */
export async function usageClient(
  { client, names, resources }: Session,
  resource: 'pods' | 'nodes',
  namespace?: string,
): Promise<ResourceClient<ApiObject>> {
  const group = names.group('metrics');
  try {
    return client.resource(await resources.named(`${resource}.${group}`), namespace);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(
      `Metrics API not available: no server is registered for the group ${group}. "orchctl top" shows the API server itself`,
      { cause: error },
    );
  }
}

const GAP = 3;
const MIN_WIDTH = 6;

/** Rows as kubectl aligns them here: every cell is padded. */
export const usageTable = (rows: readonly (readonly string[])[]): string =>
  tabColumns(visibleText(rows.map((row) => `${row.join('\t')}\t\n`).join('')), {
    gap: GAP,
    minWidth: MIN_WIDTH,
  });
