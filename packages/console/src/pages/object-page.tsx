import type { DiscoveredResource } from '@orch/client';
import { browserEnv } from '@orch/client/browser';
import type { ApiObject } from '@orch/machinery';
import { useRef, useState } from 'preact/hooks';
import type { Kinds } from '../api/discovery.ts';
import { objectSource } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { LiveObjects } from '../object/live-object.ts';
import { DefinitionParts } from '../parts/definition-parts.tsx';
import { FreshnessLine } from '../parts/freshness-line.tsx';
import { Managers } from '../parts/managers.tsx';
import { Failure } from '../parts/notice.tsx';
import { ObjectActions } from '../parts/object-actions.tsx';
import { ObjectEvents } from '../parts/object-events.tsx';
import { ObjectGraph } from '../parts/object-graph.tsx';
import { ObjectHistorySection } from '../parts/object-history.tsx';
import { Conditions, Metadata, StatusFacts } from '../parts/object-parts.tsx';
import { ObjectWhy } from '../parts/object-why.tsx';
import { isSecret, ObjectYaml } from '../parts/object-yaml.tsx';
import { type PartOpening, partOpening } from '../parts/part-opening.ts';
import { PodCommandList } from '../parts/pod-command-list.tsx';
import { PodLogs } from '../parts/pod-logs.tsx';
import { PodPorts } from '../parts/pod-ports.tsx';
import { PodShell } from '../parts/pod-shell.tsx';
import { useLive } from '../parts/use-live.ts';
import { useNow } from '../parts/use-now.ts';
import type { Go } from '../parts/use-view.ts';
import { addressOf, type ObjectName, type ObjectPart, type View } from '../view/view.ts';

export interface ObjectPageProps {
  readonly session: PageSession;
  readonly kinds: Kinds;
  readonly resource: DiscoveredResource;
  readonly view: View;
  readonly go: Go;
  readonly name: ObjectName;
}

/** One object, live: its state first, then what it is made of and what happened to it. */
export function ObjectPage({ session, kinds, resource, view, go, name }: ObjectPageProps) {
  const [attempt, setAttempt] = useState(0);
  const place = { resource, ...name };
  const nowMs = useNow();
  const live = useLive(JSON.stringify([place, attempt]), (onChange) => {
    const source = (onOpen: () => void) => objectSource(session.connection, place, onOpen);
    return new LiveObjects({ source, env: browserEnv(), onChange });
  });
  const { freshness } = live;
  const [present] = live.objects;
  const object = useLast(present);
  const isTerminating = object?.metadata.deletionTimestamp !== undefined;
  const { object: _, ...list } = view;
  const [isCompared, setCompared] = useState(false);
  const part = (word: ObjectPart): PartOpening =>
    // Earlier states contain the values of a secret, which no link shows.
    word === 'compare' && isSecret(resource)
      ? { isOpen: isCompared, set: setCompared }
      : partOpening(view, go, word);
  const why = { session, kinds, place, part: part('why') };
  const history = { session, place, nowMs, part: part('compare') };
  return (
    <main class="page object" aria-labelledby="title">
      <header>
        <a href={addressOf(list)} id="back">
          {resource.resource}
        </a>
        <h1 id="title">{name.namespace === '' ? name.name : `${name.namespace}/${name.name}`}</h1>
        <FreshnessLine {...{ freshness, nowMs }} />
        {present === undefined || session.isReadOnly ? null : (
          <ObjectActions {...{ session, kinds, place }} object={present} />
        )}
      </header>
      {freshness.phase === 'failed' ? (
        <Failure problem={freshness.problem}>
          <button type="button" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </button>
        </Failure>
      ) : null}
      {present === undefined && freshness.phase === 'live' ? (
        <p class="failure" role="status">
          {object === undefined
            ? 'This object does not exist. The page shows it when it is created.'
            : 'This object does not exist any more. Below is its last state.'}
        </p>
      ) : null}
      {object === undefined ? (
        freshness.phase === 'live' ? (
          <ObjectHistorySection {...history} version="" isPresent={false} />
        ) : null
      ) : (
        <>
          {isTerminating ? <ObjectWhy {...why} object={object} /> : null}
          <StatusFacts object={object} />
          <Conditions {...{ object, nowMs }} />
          <ObjectEvents {...{ session, kinds, object, nowMs }} />
          {resource.group === '' && resource.resource === 'pods' ? (
            <>
              <PodLogs {...{ session, place, nowMs }} pod={object} part={part('log')} />
              <PodShell {...{ session, place }} pod={object} />
              {session.ports === undefined ? null : <PodPorts program={session.ports} pod={object} />}
              <PodCommandList pod={object} />
            </>
          ) : null}
          {resource.resource === 'customresourcedefinitions' ? <DefinitionParts object={object} /> : null}
          <Metadata {...{ object, kinds, nowMs }} />
          <ObjectGraph {...{ session, kinds, place, object }} part={part('graph')} />
          {isTerminating ? null : <ObjectWhy {...why} object={object} />}
          <Managers {...{ session, kinds, place, object, nowMs }} />
          <ObjectHistorySection
            {...history}
            version={present === undefined ? 'deleted' : (object.metadata.resourceVersion ?? '')}
            isPresent={present !== undefined}
          />
          <ObjectYaml
            {...{ session, place }}
            version={object.metadata.resourceVersion ?? ''}
            isForm={view.isForm}
            onForm={(isForm) => go({ isForm }, 'replace')}
          />
        </>
      )}
    </main>
  );
}

/** The last object there was: what the user reads or edits does not vanish with a deletion. */
function useLast(present: ApiObject | undefined): ApiObject | undefined {
  const last = useRef(present);
  if (present !== undefined) last.current = present;
  return last.current;
}
