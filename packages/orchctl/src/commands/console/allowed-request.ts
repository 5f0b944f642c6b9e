/** Parts of paths that connect to containers, nodes and services. Their answers are foreign pages, or no answers at all. */
const connecting: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy']);
/** Subresources whose reads change nothing. */
const readable: ReadonlySet<string> = new Set([
  'status',
  'scale',
  'log',
  'ephemeralcontainers',
  'resize',
  'approval',
]);
/** Reviews of the permissions of the user: requests that create nothing. */
const reviews = /^\/apis\/authorization\.[^/]+\/v\d\w*\/selfsubject(?:access|rules)reviews$/;

/** The path of a request; undefined for one that different programs may read in different ways. */
export function plainPath(target: string): string | undefined {
  const [path = ''] = target.split(/[?#]/, 1);
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const parts = decoded.split('/');
  const isPlain =
    parts[0] === '' &&
    parts.length === path.split('/').length &&
    parts.slice(1).every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\;%]/.test(part));
  return isPlain ? decoded : undefined;
}

/** Why the console does not pass a request on; undefined for one that it passes on. */
export function refusalOf(method: string, target: string, isReadOnly: boolean): string | undefined {
  const path = plainPath(target);
  if (path === undefined) return 'the path must be plain: no empty parts, and no encoded slashes';
  const subresource = subresourceOf(path);
  if (connecting.has(subresource) || /^\/api\/[^/]+\/proxy(?:\/|$)/.test(path))
    return `the console does not connect to containers, nodes and services (${subresource || 'proxy'})`;
  if (!isReadOnly) return undefined;
  if (method === 'POST' && reviews.test(path)) return undefined;
  if (method !== 'GET' && method !== 'HEAD') return `the console is read-only: it does not send ${method}`;
  return subresource === '' || readable.has(subresource)
    ? undefined
    : `the console is read-only: it does not read ${subresource}`;
}

/** Why the console does not open a WebSocket; undefined for a command in a container of a pod. */
export function shellRefusalOf(target: string, isReadOnly: boolean): string | undefined {
  const path = plainPath(target);
  if (path === undefined || !/^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+\/exec$/.test(path))
    return 'the console opens connections to commands in containers only';
  return isReadOnly ? 'the console is read-only: it runs no commands in containers' : undefined;
}

/** The subresource in a path of the API; empty without one. */
function subresourceOf(path: string): string {
  const parts = path.split('/').slice(1);
  const own = parts[0] === 'api' ? parts.slice(2) : parts[0] === 'apis' ? parts.slice(3) : [];
  const inside = own[0] === 'watch' ? own.slice(1) : own;
  const [, , subresource = ''] = inside[0] === 'namespaces' && inside.length > 2 ? inside.slice(2) : inside;
  return subresource;
}
