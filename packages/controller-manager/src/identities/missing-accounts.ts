import { type Client, typed } from '@orch/client';

/**
 * Reports whether an account of the system namespace was missing when the accounts were listed for the first call: a
 * token request for a missing account is an error in the logs of the server. False when accounts cannot be listed.
 */
export function missingAccounts(client: Client, signal: AbortSignal): (account: string) => Promise<boolean> {
  let existing: Promise<ReadonlySet<string> | undefined> | undefined;
  return async (account) => {
    existing ??= accountNames(client, signal).catch(() => undefined);
    const names = await existing;
    return names !== undefined && !names.has(account);
  };
}

async function accountNames(client: Client, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const accounts = typed(client, client.names.namespaces.system).core.v1.serviceaccounts;
  const { items } = await accounts.list({}, signal);
  return new Set(items.map(({ metadata }) => metadata?.name ?? ''));
}
