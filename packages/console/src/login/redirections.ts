/** Pages of one origin send each other the redirections of logins over this channel. */
const openChannel = (): BroadcastChannel => new BroadcastChannel('console-login');

/**
 * Passes the redirection of a provider on to the page that has begun the login, and removes it from the address. False for an address
 * that is none.
 */
export function passOnRedirection({ search, pathname }: Location, addresses: History): boolean {
  if (!new URLSearchParams(search).has('state')) return false;
  addresses.replaceState(null, '', pathname);
  const channel = openChannel();
  channel.postMessage(search.slice(1));
  channel.close();
  return true;
}

/** Calls the function with the query of the redirection of a login, until the returned function is called. */
export function onRedirection(state: string, use: (query: string) => void): () => void {
  const channel = openChannel();
  channel.onmessage = ({ data }) => {
    if (typeof data === 'string' && new URLSearchParams(data).get('state') === state) use(data);
  };
  return () => channel.close();
}
