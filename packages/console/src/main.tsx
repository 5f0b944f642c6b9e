import { render } from 'preact';
import { openPageSession } from './api/session.ts';
import { App } from './app.tsx';
import { LoggedIn, Returned } from './login/logged-in.tsx';
import { Login } from './login/login.ts';
import { passOnRedirection } from './login/redirections.ts';
import { Failure } from './parts/notice.tsx';

const root = document.getElementById('console');
if (root !== null) {
  if (passOnRedirection(location, history)) render(<Returned />, root);
  else void start(root);
}

async function start(root: HTMLElement): Promise<void> {
  try {
    const base = new URL(document.baseURI);
    const login = new Login(
      base,
      (input, init) => fetch(input, init),
      () => Date.now(),
    );
    const session = await openPageSession(base, login, AbortSignal.timeout(30_000));
    const { provider } = session;
    render(
      provider === undefined ? (
        <App session={session} />
      ) : (
        <LoggedIn {...{ login, provider }}>
          {(logOut) => <App session={session} onLogOut={logOut} />}
        </LoggedIn>
      ),
      root,
    );
  } catch (problem) {
    render(
      <main class="page">
        <h1>Console</h1>
        <Failure problem={problem}>
          <button type="button" onClick={() => void start(root)}>
            Try again
          </button>
        </Failure>
      </main>,
      root,
    );
  }
}
