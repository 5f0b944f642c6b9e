import { render } from 'preact';
import { openPageSession } from './api/session.ts';
import { App } from './app.tsx';
import { Failure } from './parts/notice.tsx';

const root = document.getElementById('console');
if (root !== null) void start(root);

async function start(root: HTMLElement): Promise<void> {
  try {
    const session = await openPageSession(
      new URL(document.baseURI),
      (input, init) => fetch(input, init),
      AbortSignal.timeout(30_000),
    );
    render(<App session={session} />, root);
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
