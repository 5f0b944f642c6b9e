import { useEffect, useState } from 'preact/hooks';
import { Failure } from '../parts/notice.tsx';
import { type Answer, useAnswer } from '../parts/use-answer.ts';
import type { BegunLogin, Login } from './login.ts';
import { onRedirection } from './redirections.ts';

export interface LogInProps {
  readonly login: Login;
  /** The URL of the provider; empty without one. */
  readonly provider: string;
}

/** The work of a form: not begun, in progress, or failed. */
type Work = { readonly isBusy: boolean; readonly problem?: unknown };
const idle: Work = { isBusy: false };

/** Asks who the user is: by a login at the provider, or by a token. */
export function LogIn({ login, provider }: LogInProps) {
  const [work, setWork] = useState<Work>(idle);
  const run = (enter: (signal: AbortSignal) => Promise<void>): void => {
    setWork({ isBusy: true });
    enter(AbortSignal.timeout(30_000)).catch((problem: unknown) => setWork({ isBusy: false, problem }));
  };
  return (
    <main class="page login">
      <h1>Log in to the console</h1>
      {login.end === '' ? null : <p role="status">{login.end}</p>}
      {work.isBusy ? <p role="status">Logging in</p> : null}
      {work.problem === undefined ? null : <Failure problem={work.problem} />}
      {provider === '' ? null : <ProviderLogin {...{ login, provider, run }} />}
      <TokenForm isBusy={work.isBusy} onToken={(token) => run((signal) => login.useToken(token, signal))} />
    </main>
  );
}

interface ProviderLoginProps extends LogInProps {
  readonly run: (enter: (signal: AbortSignal) => Promise<void>) => void;
}

/** Leads to the provider in another tab. This one keeps the secrets of the login, and waits for the redirection. */
function ProviderLogin({ login, provider, run }: ProviderLoginProps) {
  const [attempt, setAttempt] = useState(0);
  const begun: Answer<BegunLogin> = useAnswer(`login ${attempt}`, (signal) => login.begin(signal));
  const found = begun.kind === 'found' ? begun.value : undefined;
  useEffect(() => {
    if (found === undefined) return;
    return onRedirection(found.state, (query) => {
      // A code can be used once: the next login has other secrets.
      setAttempt((count) => count + 1);
      run((signal) => login.finish(found, query, signal));
    });
  }, [found]);
  if (begun.kind === 'failed')
    return (
      <Failure problem={begun.problem}>
        <button type="button" onClick={() => setAttempt(attempt + 1)}>
          Try again
        </button>
      </Failure>
    );
  const host = URL.parse(provider)?.host ?? provider;
  return (
    <p>
      {found === undefined ? (
        <span role="status">Loading</span>
      ) : (
        <a class="button" href={found.url} target="_blank" rel="noopener noreferrer">
          {`Log in at ${host}`}
        </a>
      )}
    </p>
  );
}

interface TokenFormProps {
  readonly isBusy: boolean;
  readonly onToken: (token: string) => void;
}

const TokenForm = ({ isBusy, onToken }: TokenFormProps) => (
  <form
    class="selection"
    aria-label="Login with a token"
    onSubmit={(event) => {
      event.preventDefault();
      const form = event.currentTarget;
      const token = String(new FormData(form).get('token') ?? '').trim();
      form.reset();
      if (token !== '') onToken(token);
    }}
  >
    <label>
      <span>Token</span>
      <input type="password" name="token" autocomplete="off" spellcheck={false} />
    </label>
    <button type="submit" disabled={isBusy}>
      Use the token
    </button>
    <p>This page keeps it in memory until it is closed or loaded again.</p>
  </form>
);
