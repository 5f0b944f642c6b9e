import type { DiscoveredResource, ObjectChange } from '@orch/client';
import { ApiError } from '@orch/machinery';
import type { Session } from '../../session/session.ts';
import { inFlight } from '../apply/in-flight.ts';
import { fieldsText, userText } from '../history/history.ts';
import { allChanges, isWithoutHistory } from '../history/read-history.ts';

/** A change of an object, as it stands between events. */
export interface TimelineChange extends ObjectChange {
  readonly kind: string;
}

/** The range and the object of a history. */
export interface TimelineRequest {
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined for the objects of all resources. */
  readonly only: { readonly resource: DiscoveredResource; readonly name: string } | undefined;
  readonly since: string;
}

/** Requests at the same time. */
const CONCURRENCY = 8;
/** Answers for resources that the user may not list, or that have no history. */
const UNREADABLE: ReadonlySet<number> = new Set([400, 403, 404, 405]);

/**
 * The changes of all objects that the user may list. Undefined when the server keeps no history. Resources whose history cannot be
 * read are left out.
 */
export async function timelineChanges(
  { client, resources }: Session,
  { namespace, only, since }: TimelineRequest,
  signal: AbortSignal,
): Promise<readonly TimelineChange[] | undefined> {
  const { preferred } = await resources.all();
  const listed = preferred.filter(({ namespaced, verbs }) => namespaced && verbs.includes('list'));
  const changes: TimelineChange[] = [];
  let hasHistory = false;
  const act = async (resource: DiscoveredResource): Promise<readonly TimelineChange[]> => {
    try {
      const reading = client.history(resource, namespace).changes(only?.name, { since }, signal);
      const found = await allChanges(reading);
      hasHistory = true;
      return found.map((change) => ({ ...change, kind: resource.kind }));
    } catch (error) {
      if (!(error instanceof ApiError) || !UNREADABLE.has(error.status.code ?? 0)) throw error;
      hasHistory ||= !isWithoutHistory(error);
      return [];
    }
  };
  const report = (_: DiscoveredResource, found: readonly TimelineChange[]): void => {
    changes.push(...found);
  };
  await inFlight(only === undefined ? listed : [only.resource], CONCURRENCY, { act, report });
  return hasHistory ? changes : undefined;
}

const words: Readonly<Record<string, string>> = {
  created: 'Created',
  updated: 'Updated',
  deleted: 'Deleted',
};

/** The columns of a change: type, reason, object and message of an event. */
export const changeCells = (change: TimelineChange): readonly string[] => [
  'Change',
  words[change.change] ?? change.change,
  `${change.kind}/${change.name}`,
  messageOf(change),
];

function messageOf(change: TimelineChange): string {
  const by = `by ${userText(change)}${change.manager === '' ? '' : ` with ${change.manager}`}`;
  return change.change === 'updated' ? `${by}: ${fieldsText(change)}` : by;
}
