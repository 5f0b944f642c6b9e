import { browserEnv } from '@orch/client/browser';
import type { ApiObject } from '@orch/machinery';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ObjectPlace } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { containersOf, type PodContainer } from '../pods/containers.ts';
import { LiveLog, type LogChoice } from '../pods/live-log.ts';
import type { LogBlock } from '../pods/log-lines.ts';
import { FreshnessLine } from './freshness-line.tsx';
import { Failure } from './notice.tsx';
import type { PartOpening } from './part-opening.ts';
import { useLive } from './use-live.ts';

export interface PodLogsProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  readonly pod: ApiObject;
  readonly nowMs: number;
  readonly part: PartOpening;
}

/** The logs of the containers of a pod, read when the user asks for them. */
export function PodLogs(props: PodLogsProps) {
  const containers = containersOf(props.pod);
  const [name, setName] = useState('');
  const { isOpen, set } = props.part;
  const [isPrevious, setPrevious] = useState(false);
  const [hasTimes, setTimes] = useState(false);
  const [first] = containers;
  if (first === undefined || !props.place.resource.subresources.includes('log')) return null;
  const container = containers.find((each) => each.name === name) ?? first;
  return (
    <section aria-labelledby="log-title" class="log">
      <h2 id="log-title">Log</h2>
      {!isOpen ? (
        <button type="button" onClick={() => set(true)}>
          Show the log
        </button>
      ) : (
        <>
          <div class="choices">
            <label>
              <span>Container</span>
              <select value={container.name} onChange={(event) => setName(event.currentTarget.value)}>
                {containers.map((each) => (
                  <option key={each.name} value={each.name}>
                    {each.role === '' ? each.name : `${each.name} (${each.role})`}
                  </option>
                ))}
              </select>
            </label>
            <Switch text="Previous run" isOn={isPrevious} onSwitch={setPrevious} />
            <Switch text="Times" isOn={hasTimes} onSwitch={setTimes} />
          </div>
          <LogText {...props} {...{ container, isPrevious, hasTimes }} />
        </>
      )}
    </section>
  );
}

interface SwitchProps {
  readonly text: string;
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}

const Switch = ({ text, isOn, onSwitch }: SwitchProps) => (
  <label class="choice">
    <input type="checkbox" checked={isOn} onChange={(event) => onSwitch(event.currentTarget.checked)} />
    {text}
  </label>
);

interface LogTextProps extends PodLogsProps {
  readonly container: PodContainer;
  readonly isPrevious: boolean;
  readonly hasTimes: boolean;
}

function LogText({ session, place, pod, container, isPrevious, hasTimes, nowMs }: LogTextProps) {
  const [attempt, setAttempt] = useState(0);
  const choice: LogChoice = { place, container: container.name, isPrevious };
  const isRunning = useRef(false);
  isRunning.current = container.state === 'running';
  // Another run of the container has a log of its own.
  const run = [pod.metadata.uid, container.restarts, container.state === 'waiting'];
  const log = useLive(JSON.stringify([choice, run, attempt]), (onChange) => {
    const { connection } = session;
    return new LiveLog({
      connection,
      choice,
      isRunning: () => isRunning.current,
      env: browserEnv(),
      onChange,
    });
  });
  const { freshness, lines } = log;
  const again = (
    <button type="button" onClick={() => setAttempt(attempt + 1)}>
      Read again
    </button>
  );
  return (
    <>
      {freshness.phase === 'failed' ? <Failure problem={freshness.problem}>{again}</Failure> : null}
      {freshness.phase === 'ended' ? (
        <p role="status">The log has ended. {again}</p>
      ) : freshness.phase === 'failed' ? null : (
        <FreshnessLine {...{ freshness, nowMs }} />
      )}
      {lines.isCut ? <p>Older lines are not shown.</p> : null}
      <LogBox blocks={lines.blocks} {...{ hasTimes }} name={container.name} />
    </>
  );
}

interface LogBoxProps {
  readonly blocks: readonly LogBlock[];
  readonly hasTimes: boolean;
  readonly name: string;
}

/** Scrolls to new lines while the user looks at the end; keeps the position otherwise. */
function LogBox({ blocks, hasTimes, name }: LogBoxProps) {
  const box = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = box;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  });
  return (
    <section
      ref={box}
      class="lines"
      aria-label={`Log of ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 4;
      }}
    >
      {blocks.map((block) => (
        <Block key={block.id} {...{ block, hasTimes }} />
      ))}
    </section>
  );
}

/** A component that is drawn again only when its lines change. */
const Block = ({ block, hasTimes }: { readonly block: LogBlock; readonly hasTimes: boolean }) =>
  useMemo(
    () => <pre>{block.lines.map(({ time, text }) => `${hasTimes ? `${time} ` : ''}${text}\n`).join('')}</pre>,
    [block, hasTimes],
  );
