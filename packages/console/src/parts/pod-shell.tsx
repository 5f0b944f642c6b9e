import type { ApiObject } from '@orch/machinery';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ObjectPlace } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { openCommandSocket } from '../api/sockets.ts';
import { containersOf } from '../pods/containers.ts';
import { execTarget, type ShellChoice } from '../pods/exec-target.ts';
import { inputMessage, resizeMessage, shellMessage } from '../pods/shell-messages.ts';
import { addressOf, startView } from '../view/view.ts';

export interface PodShellProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  readonly pod: ApiObject;
}

/** A shell in a container of a pod, opened when the user asks for it. */
export function PodShell({ session, place, pod }: PodShellProps) {
  const names = containersOf(pod)
    .filter(({ role }) => role !== 'init')
    .map(({ name }) => name);
  const [choice, setChoice] = useState<ShellChoice>();
  const opener = useRef<HTMLButtonElement>(null);
  if (session.isReadOnly || names.length === 0 || !place.resource.subresources.includes('exec')) return null;
  return (
    <section aria-labelledby="shell-title" class="shell">
      <h2 id="shell-title">Shell</h2>
      <form
        class="selection"
        aria-label="Command"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const command = String(data.get('command')).trim().split(/\s+/);
          setChoice({ place, container: String(data.get('container')), command });
        }}
      >
        <label>
          <span>Container</span>
          <select name="container" disabled={choice !== undefined}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Command</span>
          <input
            {...{ type: 'text', name: 'command', defaultValue: 'sh', required: true, autocomplete: 'off' }}
            disabled={choice !== undefined}
            spellcheck={false}
          />
        </label>
        {choice === undefined ? (
          // Keys: a click on one button must not be one on the other, which takes its place.
          <button key="run" type="submit">
            Run in the container
          </button>
        ) : (
          <button key="close" type="button" ref={opener} onClick={() => setChoice(undefined)}>
            Close the shell
          </button>
        )}
      </form>
      {choice === undefined ? null : (
        <ShellText {...{ session, choice }} onLeave={() => opener.current?.focus()} />
      )}
    </section>
  );
}

interface ShellTextProps {
  readonly session: PageSession;
  readonly choice: ShellChoice;
  readonly onLeave: () => void;
}

/** Loads the terminal, and joins it with the command. */
function ShellText({ session, choice, onLeave }: ShellTextProps) {
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState('Connecting');
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    const { current } = box;
    if (current === null) return;
    const shell = { session, choice, box: current, onLeave, onState: setState, onRefused: setRefused };
    runShell(shell, left.signal).catch(() => setState('The terminal could not be loaded.'));
    return () => left.abort();
  }, [session, choice]);
  const { namespace, name } = choice.place;
  return (
    <>
      <p role="status">{state}</p>
      {isRefused ? (
        <p>
          <a
            href={addressOf({
              ...startView,
              kind: '~access',
              question: { verb: 'get', resource: 'pods/exec', namespace, name },
            })}
          >
            Explain the permission
          </a>
        </p>
      ) : null}
      <div ref={box} class="terminal" />
      <p class="hint">Ctrl ] leaves the terminal.</p>
    </>
  );
}

interface Shell extends ShellTextProps {
  readonly box: HTMLElement;
  readonly onState: (text: string) => void;
  readonly onRefused: (isRefused: boolean) => void;
}

async function runShell({ session, choice, box, ...on }: Shell, signal: AbortSignal): Promise<void> {
  const { openTerminal } = await import('../terminal/open-terminal.ts');
  if (signal.aborted) return;
  const socket = openCommandSocket(session, execTarget(choice));
  const send = (message: Uint8Array<ArrayBuffer>): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(message);
  };
  const terminal = openTerminal(box, {
    label: `Terminal of ${choice.container}`,
    onInput: (text) => send(inputMessage(text)),
    onResize: (columns, rows) => send(resizeMessage(columns, rows)),
    onLeave: on.onLeave,
  });
  let hasOpened = false;
  let result = '';
  socket.onopen = () => {
    hasOpened = true;
    on.onState('Connected');
    send(resizeMessage(terminal.columns, terminal.rows));
    terminal.focus();
  };
  socket.onmessage = ({ data }) => {
    const message = shellMessage(new Uint8Array(data as ArrayBuffer));
    if (message?.kind === 'output') terminal.write(message.data);
    else if (message !== undefined) result = message.text;
  };
  socket.onclose = () => {
    if (signal.aborted) return;
    on.onRefused(!hasOpened);
    on.onState(
      hasOpened
        ? result || 'The connection was lost.'
        : 'The command cannot be run, or there is no connection.',
    );
  };
  signal.addEventListener('abort', () => {
    socket.close();
    terminal[Symbol.dispose]();
  });
}
