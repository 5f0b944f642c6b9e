import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LogIn, type LogInProps } from './log-in.tsx';

/** Its content while the user is logged in, and otherwise the login. */
export function LoggedIn({
  children,
  ...props
}: LogInProps & { readonly children: (logOut: () => void) => ComponentChildren }) {
  const { login } = props;
  const [hasToken, setToken] = useState(login.hasToken);
  useEffect(() => {
    const read = (): void => setToken(login.hasToken);
    read();
    return login.onChange(read);
  }, [login]);
  return hasToken ? children(() => login.logOut()) : <LogIn {...props} />;
}

/** The end of a login in its tab. */
export const Returned = () => (
  <main class="page login">
    <h1>Login</h1>
    <p role="status">The console goes on in the tab in which you began to log in. You can close this one.</p>
    <p>
      <a href="./">Open the console here</a>
    </p>
  </main>
);
