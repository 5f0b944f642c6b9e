import { CredentialError } from '@orch/client';
import { discoverProvider, type LoginContext, type LoginTokens } from '@orch/client/login';
import { messageOf } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { choiceFlag, durationFlag, switchFlag, textFlag, wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { ConfigSet } from '../../client-config/config-set.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { useLeanAuthorities } from '../../lean-authorities.ts';
import { browserLogin } from './browser-login.ts';
import { deviceLogin } from './device-login.ts';
import { chooseUser, clientFor, storeLogin } from './login-user.ts';
import { hasBrowser } from './open-browser.ts';

const section = 'Flags';
const REQUEST_MS = 30_000;

export const login = command({
  usage: 'login [--issuer-url=URL --client-id=ID] [--method=browser|device] [flags]',
  about:
    'Logs in at an OpenID Connect provider and stores the tokens as user of the client configuration, in the form that all clients read (auth-provider oidc). The user is that of the context, or that of --user. Tokens are refreshed when they expire.\n\nIn a browser, the login uses an authorization code with PKCE, and the provider redirects to a port of this machine. By device code, the user opens the printed address on any device. Without --method, a browser is used where there is a display. Later logins of the same user need no flags.',
  examples: [
    {
      comment: 'The first login of a new user',
      line: 'orchctl login --user=ann --issuer-url=https://login.example.com --client-id=orchctl',
    },
    { comment: 'Log in again, on a machine without a browser', line: 'orchctl login --method=device' },
  ],
  flags: {
    issuerUrl: textFlag({ name: 'issuer-url', help: 'The https URL of the provider.', section }),
    clientId: textFlag({ name: 'client-id', help: 'The client id that the provider knows.', section }),
    clientSecretFile: textFlag({
      name: 'client-secret-file',
      help: 'A file with the secret of the client. Public clients have none.',
      section,
    }),
    issuerCaFile: textFlag({
      name: 'issuer-ca-file',
      help: 'A file with the authorities of the certificate of the provider, instead of those of the system.',
      section,
    }),
    scopes: textFlag(
      { name: 'scopes', help: 'The scopes to request, separated by commas.', section },
      'openid,offline_access',
    ),
    method: choiceFlag(
      { name: 'method', help: 'browser or device; by the display when not given.', section },
      ['', 'browser', 'device'],
      '',
    ),
    redirectPort: wholeFlag(
      { name: 'redirect-port', help: 'The port for the redirection of the browser; 0 is any.', section },
      0,
      { least: 0, most: 65535 },
    ),
    openBrowser: switchFlag(
      { name: 'open-browser', help: 'Open the browser; false only prints the address.', section },
      true,
    ),
    timeoutMs: durationFlag({ name: 'timeout', help: 'How long to wait for the user.', section }, 5 * 60_000),
  },
  hasArguments: false,
  async run({ flags, globals, io, signal }) {
    useLeanAuthorities();
    const config = ConfigSet.read(globals, io);
    const user = chooseUser(config, globals);
    const client = clientFor(user, flags, io);
    const scope = scopeOf(flags.scopes);
    using deadline = withDeadline(signal, io.env.clock, flags.timeoutMs);
    const tokens = await providerResult(signal, async () => {
      using discovery = withDeadline(deadline.signal, io.env.clock, REQUEST_MS);
      const provider = await discoverProvider(client, discovery.signal);
      return tokensBy(flags, { context: { client, provider, scope }, io, signal: deadline.signal });
    });
    await storeLogin({ config, user, client, tokens }, io);
    io.out.write(`User ${JSON.stringify(user.name)} logged in.\n`);
    if (tokens.refreshToken === undefined)
      io.err.write('Warning: the provider issued no refresh token: the login ends with its id token\n');
    if (!user.isOfContext)
      io.out.write(
        `Use it with --user=${user.name}, or: orchctl config set-context --current --user=${user.name}\n`,
      );
    return 0;
  },
});

interface MethodFlags {
  readonly method: '' | 'browser' | 'device';
  readonly redirectPort: number;
  readonly openBrowser: boolean;
}

function tokensBy(
  { method, redirectPort, openBrowser }: MethodFlags,
  login: { readonly context: LoginContext; readonly io: Io; readonly signal: AbortSignal },
): Promise<LoginTokens> {
  const { context, io, signal } = login;
  const isDevice =
    method === 'device' ||
    (method === '' && !hasBrowser(io.environment) && context.provider.deviceEndpoint !== undefined);
  return isDevice
    ? deviceLogin(context, io, signal)
    : browserLogin(context, { io, signal, port: redirectPort, opens: openBrowser });
}

const scopeOf = (text: string): string =>
  [...new Set(['openid', ...text.split(/[\s,]+/)])].filter(Boolean).join(' ');

/** Errors of the network become failures of the command. */
async function providerResult<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CredentialError || cause instanceof CommandError || signal.aborted) throw cause;
    throw new CommandError(`the login failed: ${messageOf(cause)}`, { cause });
  }
}
