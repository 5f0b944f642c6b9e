import type { DiscoveredResource } from '@orch/client';
import type { Connection } from './connection.ts';

/** The kinds of a server. */
export interface Kinds {
  /** Each resource once, in the preferred version of its group, sorted by group and name; the core group first. */
  readonly resources: readonly DiscoveredResource[];
  /** `apiVersion` of parts whose server did not answer, with the reason. */
  readonly failed: ReadonlyMap<string, string>;
}

export async function readKinds({ client }: Connection, signal: AbortSignal): Promise<Kinds> {
  const { preferred, failed } = await client.discovery.read(signal);
  const order = ({ group, resource }: DiscoveredResource): string => `${group} ${resource}`;
  return { resources: [...preferred].sort((a, b) => (order(a) < order(b) ? -1 : 1)), failed };
}
