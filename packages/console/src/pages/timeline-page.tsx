import { useState } from 'preact/hooks';
import { readTimeline, type Timeline, type TimelineEntry } from '../api/timeline.ts';
import { kindWord } from '../parts/kind-list.tsx';
import { Failure } from '../parts/notice.tsx';
import { Ago } from '../parts/object-parts.tsx';
import { SettledField } from '../parts/settled-field.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useNow } from '../parts/use-now.ts';
import { addressOf, startView } from '../view/view.ts';
import type { ToolProps } from './tool.ts';

const spans = [
  { word: '10m', title: 'Ten minutes', ms: 600_000 },
  { word: '1h', title: 'An hour', ms: 3_600_000 },
  { word: '1d', title: 'A day', ms: 86_400_000 },
  { word: '7d', title: 'A week', ms: 604_800_000 },
] as const;

/** Entries that are drawn. */
const MAX_ENTRIES = 500;

/** The changes in a namespace or the cluster: when, by whom, and which fields. */
export function TimelinePage({ session: { connection }, kinds, view, go }: ToolProps) {
  const { namespace = '', span = '', search = '' } = view.question ?? {};
  const { word, ms } = spans.find((each) => each.word === span) ?? spans[0];
  const [reading, setReading] = useState(0);
  const nowMs = useNow();
  const answer = useAnswer(JSON.stringify([namespace, word, reading]), (signal) =>
    readTimeline(connection, { kinds, choice: { namespace, sinceMs: nowMs - ms } }, signal),
  );
  const ask = (change: Readonly<Record<string, string>>, how?: 'replace'): void =>
    go({ question: { namespace, span: word, search, ...change } }, how);
  return (
    <main class="page object" aria-labelledby="title">
      <header>
        <h1 id="title">Timeline</h1>
      </header>
      <form class="selection" aria-label="Selection" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Search</span>
          <input
            id="search"
            type="search"
            value={search}
            placeholder="Words in the changes"
            autocomplete="off"
            onInput={({ currentTarget }) => ask({ search: currentTarget.value }, 'replace')}
          />
        </label>
        <SettledField
          name="Namespace"
          value={namespace}
          hint="All, and the cluster"
          onSettled={(settled) => ask({ namespace: settled })}
        />
        <label>
          <span>Time</span>
          <select value={word} onChange={({ currentTarget }) => ask({ span: currentTarget.value })}>
            {spans.map((each) => (
              <option key={each.word} value={each.word}>
                {each.title}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => setReading(reading + 1)}>
          Read again
        </button>
      </form>
      {answer.kind === 'waiting' ? <p role="status">The changes of all kinds are read.</p> : null}
      {answer.kind === 'failed' ? <Failure problem={answer.problem} /> : null}
      {answer.kind !== 'found' ? null : answer.value === undefined ? (
        <p>This server keeps no history.</p>
      ) : (
        <Entries {...{ search, nowMs }} timeline={answer.value} />
      )}
    </main>
  );
}

interface EntriesProps {
  readonly timeline: Timeline;
  readonly search: string;
  readonly nowMs: number;
}

function Entries({ timeline: { entries, cut, failed }, search, nowMs }: EntriesProps) {
  const words = search.toLowerCase().split(/\s+/);
  const matching = entries.filter((entry) => words.every((word) => textOf(entry).includes(word)));
  return (
    <>
      <p role="status">{`${matching.length} change${matching.length === 1 ? '' : 's'}`}</p>
      <ul class="events">
        {matching.slice(0, MAX_ENTRIES).map((entry) => (
          <Entry key={`${entry.revision} ${entry.namespace} ${entry.name}`} {...{ entry, nowMs }} />
        ))}
      </ul>
      {matching.length > MAX_ENTRIES ? <p>Older changes are not shown: search for words.</p> : null}
      {cut.length === 0 ? null : <p>{`There are more changes of ${[...cut].sort().join(', ')}.`}</p>}
      {failed.size === 0 ? null : (
        <details>
          <summary>{`Not known for ${failed.size} ${failed.size === 1 ? 'kind' : 'kinds'}`}</summary>
          <ul>
            {[...failed].map(([kind, reason]) => (
              <li key={kind}>{`${kind}: ${reason}`}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const textOf = ({ resource, namespace, name, change, user, fields }: TimelineEntry): string =>
  [resource.kind, resource.resource, namespace, name, change, user, ...fields].join(' ').toLowerCase();

function Entry({ entry, nowMs }: { readonly entry: TimelineEntry; readonly nowMs: number }) {
  const { resource, namespace, name, time, change, user, impersonatedBy, fields, moreFields } = entry;
  const object = { namespace, name };
  const more = moreFields > 0 ? ` and ${moreFields} more` : '';
  return (
    <li>
      <Ago ms={Date.parse(time) || 0} nowMs={nowMs} />{' '}
      <a href={addressOf({ ...startView, kind: kindWord(resource), object })}>
        {`${resource.kind} ${namespace === '' ? '' : `${namespace}/`}${name}`}
      </a>
      {` ${change} by ${user}${impersonatedBy === '' ? '' : ` (by ${impersonatedBy})`}`}
      {fields.length === 0 ? null : <span class="quiet">{`: ${fields.join(', ')}${more}`}</span>}
    </li>
  );
}
