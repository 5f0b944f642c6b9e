import type { ObjectChange } from '@orch/client';
import { useState } from 'preact/hooks';
import { yamlAt } from '../api/history.ts';
import { type ObjectPlace, readYaml } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { restoredYaml } from '../edit/restored-yaml.ts';
import { durationText } from '../view/durations.ts';
import { Difference } from './difference.tsx';
import { Failure } from './notice.tsx';
import { ObjectEditor } from './object-editor.tsx';
import { useAnswer } from './use-answer.ts';
import { useStop } from './use-stop.ts';

export interface ObjectMomentsProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  /** The newest first; at least one. */
  readonly changes: readonly ObjectChange[];
  readonly nowMs: number;
  /** Whether the object exists. */
  readonly isPresent: boolean;
}

/** A slider over the states of an object: each with its difference to another one, and as the beginning of a restoration. */
export function ObjectMoments(props: ObjectMomentsProps) {
  const { session, place, changes, nowMs } = props;
  const [revision, setRevision] = useState(changes[0]?.revision ?? '');
  const [other, setOther] = useState('');
  const index = Math.max(
    0,
    changes.findIndex((each) => each.revision === revision),
  );
  const change = changes[index];
  if (change === undefined) return null;
  const text = momentText(change, nowMs);
  const from = other === '' ? change.previousRevision : other;
  const last = changes.length - 1;
  return (
    <div class="moments">
      <label>
        <span>{`State ${last - index + 1} of ${last + 1}: ${text}`}</span>
        <input
          type="range"
          min={0}
          max={last}
          value={last - index}
          aria-valuetext={text}
          onInput={({ currentTarget }) =>
            setRevision(changes[last - Number(currentTarget.value)]?.revision ?? '')
          }
        />
      </label>
      <label>
        <span>Compared with</span>
        <select value={other} onChange={({ currentTarget }) => setOther(currentTarget.value)}>
          <option value="">the state before it</option>
          {changes.map((each) => (
            <option key={each.revision} value={each.revision}>
              {momentText(each, nowMs)}
            </option>
          ))}
        </select>
      </label>
      <Comparison {...{ session, place, from }} to={change.revision} />
      {props.isPresent && !session.isReadOnly && change.change !== 'deleted' ? (
        <Restoration key={change.revision} {...{ session, place }} revision={change.revision} />
      ) : null}
    </div>
  );
}

const momentText = ({ time, change, user, revision }: ObjectChange, nowMs: number): string =>
  `${durationText(nowMs - (Date.parse(time) || 0))} ago, ${change} by ${user} (${revision})`;

interface ComparisonProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  readonly from: string;
  readonly to: string;
}

/** The difference between two states. */
function Comparison({ session: { connection }, place, from, to }: ComparisonProps) {
  const answer = useAnswer(`${from} ${to}`, (signal) =>
    Promise.all([from, to].map((revision) => yamlAt(connection, { place, revision }, signal))),
  );
  if (answer.kind === 'waiting') return <p role="status">The states are read.</p>;
  if (answer.kind === 'failed') return <Failure problem={answer.problem} />;
  const [original = '', changed = ''] = answer.value;
  return original === changed ? (
    <p role="status">The states do not differ.</p>
  ) : (
    <Difference {...{ original, changed }} />
  );
}

interface RestorationProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  readonly revision: string;
}

/** Opens the editor with an earlier state, which the server checks before it can be saved. */
function Restoration({ session, place, revision }: RestorationProps) {
  const { connection } = session;
  const [texts, setTexts] = useState<{ readonly present: string; readonly restored: string }>();
  const [problem, setProblem] = useState<unknown>();
  const stop = useStop();
  const onRestore = async (): Promise<void> => {
    try {
      const past = await yamlAt(connection, { place, revision }, stop);
      const present = await readYaml(connection, place, stop);
      setTexts({ present, restored: restoredYaml(past, present) });
      setProblem(undefined);
    } catch (failure) {
      if (!stop.aborted) setProblem(failure);
    }
  };
  if (texts !== undefined)
    return (
      <ObjectEditor
        {...{ session, place }}
        original={texts.present}
        text={texts.restored}
        onDone={() => setTexts(undefined)}
      />
    );
  return (
    <>
      {problem === undefined ? null : <Failure problem={problem} />}
      <p class="buttons">
        <button type="button" onClick={onRestore}>
          Restore this state
        </button>
      </p>
    </>
  );
}
