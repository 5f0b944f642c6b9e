/** The part of Express 5 that the console uses. */
declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export type Handler = (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => unknown;

  export interface Express extends RequestListener {
    get(path: string, handler: Handler): this;
    use(handler: Handler): this;
    disable(setting: string): this;
  }

  export default function express(): Express;
}
