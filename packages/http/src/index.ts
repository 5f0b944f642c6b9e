export { type Listener, listen, type ServingTls } from './listener.ts';
