import { useEffect, useRef, useState } from 'preact/hooks';
import { type Kinds, readKinds } from './api/discovery.ts';
import type { PageSession } from './api/session.ts';
import { ObjectPage } from './pages/object-page.tsx';
import { ObjectsPage } from './pages/objects-page.tsx';
import { tools } from './pages/tools.ts';
import { KeysDialog } from './parts/keys-dialog.tsx';
import { KindList, kindWord } from './parts/kind-list.tsx';
import { Failure } from './parts/notice.tsx';
import { Palette } from './parts/palette.tsx';
import { useKeys } from './parts/use-keys.ts';
import { useOpening } from './parts/use-opening.ts';
import { type Go, useView } from './parts/use-view.ts';
import { type Command, kindCommands } from './view/commands.ts';
import { startView, type View } from './view/view.ts';

/** The kind that is shown first. */
const FIRST_KIND = 'namespaces';

export interface AppProps {
  readonly session: PageSession;
  /** Undefined where users do not log in at the page. */
  readonly onLogOut?: () => void;
}

/** The whole page. */
export function App({ session, onLogOut }: AppProps) {
  const [view, go] = useView();
  const keys = useOpening();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const palette = useOpening();
  const kinds = useKinds(session);
  useKeys({
    onKeys: keys.open,
    onKinds: () => setMenuOpen(true),
    onPalette: palette.open,
    onBack() {
      if (view.object !== undefined) go({ object: undefined });
    },
  });
  return (
    <div class="console">
      <header class="top">
        <button
          type="button"
          class="menu"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Kinds
        </button>
        <p class="server">
          {session.server}
          {session.isReadOnly ? <span class="badge">read-only</span> : null}
        </p>
        <button type="button" onClick={keys.open}>
          Keys
        </button>
        {onLogOut === undefined ? null : (
          <button type="button" onClick={onLogOut}>
            Log out
          </button>
        )}
      </header>
      <div id="menu" class={isMenuOpen ? 'side open' : 'side'}>
        {kinds.found === undefined ? null : (
          <KindList kinds={kinds.found} {...{ tools, view }} onChosen={() => setMenuOpen(false)} />
        )}
      </div>
      {kinds.problem !== undefined ? (
        <main class="page">
          <h1>Console</h1>
          <Failure problem={kinds.problem}>
            <button type="button" onClick={kinds.retry}>
              Try again
            </button>
          </Failure>
        </main>
      ) : kinds.found === undefined ? (
        <main class="page">
          <h1>Console</h1>
          <p role="status">Loading</p>
        </main>
      ) : (
        <Page {...{ session, view, go }} kinds={kinds.found} />
      )}
      {palette.number > 0 ? (
        <Palette
          key={palette.number}
          commands={commandsOf(kinds.found)}
          onChosen={({ word }) =>
            go({
              ...startView,
              kind: word,
              namespace: view.namespace,
              object: undefined,
              question: undefined,
            })
          }
          onClose={palette.close}
        />
      ) : null}
      {keys.number > 0 ? <KeysDialog key={keys.number} onClose={keys.close} /> : null}
    </div>
  );
}

const commandsOf = (kinds: Kinds | undefined): readonly Command[] => [
  ...tools.map(({ word, title }) => ({ title, word, words: '' })),
  ...kindCommands(kinds?.resources ?? [], kindWord),
];

interface PageProps {
  readonly session: PageSession;
  readonly kinds: Kinds;
  readonly view: View;
  readonly go: Go;
}

function Page({ session, kinds, view, go }: PageProps) {
  const word = view.kind === '' ? FIRST_KIND : view.kind;
  const tool = tools.find((one) => one.word === word);
  const resource = kinds.resources.find((one) => kindWord(one) === word);
  const shown = view.object === undefined ? '' : `${view.object.name}, `;
  const title = tool?.title ?? (resource === undefined ? '' : `${shown}${resource.resource}`);
  useTitle(title === '' ? 'Console' : `${title} – Console`);
  if (tool !== undefined) return <tool.Page key={word} {...{ session, kinds, view, go }} />;
  if (resource === undefined)
    return (
      <main class="page">
        <h1>Unknown kind</h1>
        <p>{`The server has no resource ${word}. Choose one of the kinds.`}</p>
      </main>
    );
  const { object } = view;
  if (object === undefined) return <ObjectsPage key={word} {...{ session, resource, view, go }} />;
  const key = `${word} ${object.namespace} ${object.name}`;
  return <ObjectPage key={key} {...{ session, kinds, resource, view, go }} name={object} />;
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

interface KindsState {
  readonly found?: Kinds;
  readonly problem?: unknown;
  readonly retry: () => void;
}

function useKinds({ connection, names }: PageSession): KindsState {
  const [attempt, setAttempt] = useState(0);
  const retry = useRef(() => setAttempt((count) => count + 1)).current;
  const [state, setState] = useState<KindsState>({ retry });
  useEffect(() => {
    const left = new AbortController();
    readKinds(connection, left.signal).then(
      (found) => setState({ found, retry }),
      (problem) => left.signal.aborted || setState({ problem, retry }),
    );
    return () => left.abort();
  }, [connection, names, attempt]);
  return state;
}
