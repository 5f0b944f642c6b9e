export { type Listener, listen, type ServingTls } from './listener.ts';
export type { NamedTls } from './shared/named-contexts.ts';
