import { readFile } from 'node:fs/promises';
import type { NodeUsage, PodUsage, UsageSource } from './metrics-api.ts';

/** The numbers in a JSON file with the lists `nodes` and `pods`, which is read for each request. */
export function usageFile(path: string): UsageSource {
  const read = async (): Promise<{ readonly nodes: NodeUsage[]; readonly pods: PodUsage[] }> =>
    JSON.parse(await readFile(path, 'utf8'));
  return { nodes: async () => (await read()).nodes, pods: async () => (await read()).pods };
}
