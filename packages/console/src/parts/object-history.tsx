import type { ObjectChange } from '@orch/client';
import { useEffect, useState } from 'preact/hooks';
import { type ObjectHistory, readHistory, yamlAt } from '../api/history.ts';
import type { ObjectPlace } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { Difference } from './difference.tsx';
import { Failure } from './notice.tsx';
import { ObjectMoments, type ObjectMomentsProps } from './object-moments.tsx';
import { Ago } from './object-parts.tsx';
import type { PartOpening } from './part-opening.ts';

export interface ObjectHistoryProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  /** The resourceVersion of the object. */
  readonly version: string;
  readonly nowMs: number;
  /** Whether the object exists. */
  readonly isPresent: boolean;
  /** The comparison of states. */
  readonly part: PartOpening;
}

type HistoryState = { readonly history?: ObjectHistory | undefined; readonly problem?: unknown } | undefined;

/** Who changed an object, when, and which fields; each change can be opened as a difference. */
export function ObjectHistorySection(props: ObjectHistoryProps) {
  const { session, place, version, nowMs, isPresent, part } = props;
  const state = useHistory(session, place, version);
  if (state === undefined) return null;
  const { history, problem } = state;
  const changes = history?.changes ?? [];
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {problem === undefined ? null : <Failure problem={problem} />}
      {problem === undefined && history === undefined ? (
        <p>This server keeps no history of this object.</p>
      ) : null}
      {changes.map((change) => (
        <Change key={change.revision} {...{ session, place, change, nowMs }} />
      ))}
      {history?.hasMore === true ? <p>Older changes are not shown.</p> : null}
      {changes.length === 0 ? null : <Moments {...{ session, place, changes, nowMs, isPresent, part }} />}
    </section>
  );
}

function Moments({ part, ...props }: ObjectMomentsProps & { readonly part: PartOpening }) {
  return (
    <details open={part.isOpen} onToggle={(event) => part.set(event.currentTarget.open)}>
      <summary>Compare and restore states</summary>
      {part.isOpen ? <ObjectMoments {...props} /> : null}
    </details>
  );
}

interface ChangeProps extends Pick<ObjectHistoryProps, 'session' | 'place' | 'nowMs'> {
  readonly change: ObjectChange;
}

function Change({ session, place, change, nowMs }: ChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const { user, impersonatedBy, fields, moreFields, note } = change;
  const who = impersonatedBy === '' ? user : `${user} (by ${impersonatedBy})`;
  const more = moreFields > 0 ? ` and ${moreFields} more` : '';
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Ago ms={Date.parse(change.time) || 0} nowMs={nowMs} /> <strong>{change.change}</strong>
        {` by ${who}${fields.length === 0 ? '' : `: ${fields.join(', ')}${more}`}${note === '' ? '' : ` (${note})`}`}
      </summary>
      {isOpen ? <ChangedYaml {...{ session, place, change }} /> : null}
    </details>
  );
}

/** What a change has changed, read when it is opened. */
function ChangedYaml({
  session: { connection },
  place,
  change,
}: Pick<ChangeProps, 'session' | 'place' | 'change'>) {
  const [texts, setTexts] = useState<readonly [before: string, after: string]>();
  const [problem, setProblem] = useState<unknown>();
  const { revision, previousRevision } = change;
  const { resource, namespace, name } = place;
  useEffect(() => {
    const left = new AbortController();
    const at = (moment: string): Promise<string> =>
      yamlAt(connection, { place: { resource, namespace, name }, revision: moment }, left.signal);
    Promise.all([at(previousRevision), at(revision)]).then(
      setTexts,
      (failure) => left.signal.aborted || setProblem(failure),
    );
    return () => left.abort(new DOMException('the change was closed', 'AbortError'));
  }, [connection, resource, namespace, name, revision, previousRevision]);
  if (problem !== undefined) return <Failure problem={problem} />;
  if (texts === undefined) return <p role="status">Loading</p>;
  return <Difference original={texts[0]} changed={texts[1]} />;
}

function useHistory(
  { connection }: PageSession,
  { resource, namespace, name }: ObjectPlace,
  version: string,
): HistoryState {
  const [state, setState] = useState<HistoryState>();
  useEffect(() => {
    const left = new AbortController();
    readHistory(connection, { resource, namespace, name }, left.signal).then(
      (history) => setState({ history }),
      (problem) => left.signal.aborted || setState({ problem }),
    );
    return () => left.abort(new DOMException('the object was left', 'AbortError'));
  }, [connection, resource, namespace, name, version]);
  return state;
}
