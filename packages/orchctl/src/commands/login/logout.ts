import { revokeToken } from '@orch/client/login';
import { withDeadline } from '@orch/machinery/concurrency';
import { asText } from '@orch/machinery/json';
import { command } from '../../cli/command.ts';
import { ConfigSet } from '../../client-config/config-set.ts';
import { withTokenLock } from '../../client-config/tokens-in-file.ts';
import { providerChange, providerConfig } from '../../client-config/user-tokens.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { chooseUser, type LoginUser, storedClient } from './login-user.ts';

const REVOKE_MS = 10_000;

export const logout = command({
  usage: 'logout [flags]',
  about:
    'Removes the tokens of a login from the client configuration, and revokes the refresh token at the provider if it offers that. An id token that was copied before stays valid until it expires. The provider stays configured for the next login.',
  examples: [{ comment: 'The user of the context', line: 'orchctl logout' }],
  flags: {},
  hasArguments: false,
  async run({ globals, io, signal }) {
    const user = chooseUser(ConfigSet.read(globals, io), globals);
    if (storedClient(user) === undefined)
      throw new CommandError(`user ${JSON.stringify(user.name)} has no login of a provider`);
    const refreshToken = await withTokenLock(user.file, io, async () => {
      // Another process may have replaced the token since the first read.
      const config = ConfigSet.read(globals, io);
      const entry = config.entries('users').get(user.name) ?? {};
      await config.setFields(
        'users',
        user.name,
        ['id-token', 'refresh-token'].map((one) => providerChange(one)),
      );
      return asText(providerConfig(entry)['refresh-token']);
    });
    io.out.write(`User ${JSON.stringify(user.name)} logged out.\n`);
    if (refreshToken !== '' && !(await isRevoked(user, refreshToken, { io, signal })))
      io.err.write('Warning: the provider has not revoked the refresh token\n');
    return 0;
  },
});

/** The local tokens are gone in any case. */
async function isRevoked(
  user: LoginUser,
  refreshToken: string,
  { io, signal }: { readonly io: Io; readonly signal: AbortSignal },
): Promise<boolean> {
  const client = storedClient(user);
  if (client === undefined) return false;
  using deadline = withDeadline(signal, io.env.clock, REVOKE_MS);
  return revokeToken(client, refreshToken, deadline.signal).catch(() => false);
}
