export { type Listener, listen, type PortSharing, type ServingTls } from './listener.ts';
export type { NamedTls } from './shared/named-contexts.ts';
export { MIN_TICKET_SECRET_BYTES } from './shared/session-tickets.ts';
