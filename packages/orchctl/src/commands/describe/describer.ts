import type { Client, ResourceClient, TypedClient } from '@orch/client';
import type { ApiObject, GroupKey, Names } from '@orch/machinery';
import { allPages } from '../../resources/all-pages.ts';
import type { Description } from './text/description.ts';

/** The context of descriptions besides the object. */
export interface DescribeContext {
  readonly client: Client;
  readonly names: Names;
  /** Clients of built-in resources in the namespace of the object. */
  readonly typed: TypedClient;
  readonly nowMs: number;
  /** Lists are read in chunks of this many objects; 0 reads all at once. */
  readonly chunkSize: number;
  readonly signal: AbortSignal;
}

/** An object that events are about. Absent fields select events with any value. */
export interface EventSubject {
  readonly name: string;
  readonly namespace: string;
  readonly kind?: string;
  readonly uid?: string;
}

/** The description of objects of a kind. */
export interface Describer<T extends ApiObject = ApiObject> {
  readonly group: GroupKey;
  readonly kind: string;
  /** Versions in which the object may be read, the preferred one first. */
  readonly versions: readonly string[];
  /** The group in which the object is read, for kinds that have moved. */
  readonly readGroup?: GroupKey;
  /** Absent: events about the object. Empty: the description has no events. */
  readonly events?: (object: T) => readonly EventSubject[];
  describe(out: Description, object: T, context: DescribeContext): Promise<void> | void;
}

/** Forgets the type of the objects, for lists of describers. */
export const describer = <T extends ApiObject>(definition: Describer<T>): Describer =>
  definition as unknown as Describer;

export const noEvents = (): readonly EventSubject[] => [];

/** All objects that a list request selects. */
export async function listAll<T extends ApiObject>(
  client: ResourceClient<T>,
  { chunkSize, signal }: Pick<DescribeContext, 'chunkSize' | 'signal'>,
  selection: { readonly labelSelector?: string; readonly fieldSelector?: string } = {},
): Promise<readonly T[]> {
  const pages = await allPages(chunkSize, (limit) => client.pages({ ...selection, ...limit }, signal));
  return pages.flatMap(({ items }) => items);
}
