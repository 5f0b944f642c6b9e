export { hasServerHost, startHosted } from './lease.ts';
export { HOSTS_VARIABLE, type StartOrder } from './messages.ts';
export { ServerHosts } from './pool.ts';
