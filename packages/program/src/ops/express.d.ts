/** The part of Express 5 that the ops port uses. */
declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export interface Request extends IncomingMessage {
    readonly path: string;
    readonly url: string;
  }

  export interface Response extends ServerResponse {
    status(code: number): this;
    type(mediaType: string): this;
    set(name: string, value: string): this;
    send(body: string | Buffer): this;
  }

  export type Handler = (request: Request, response: Response, next: (error?: unknown) => void) => unknown;

  export interface Express extends RequestListener {
    get(path: string | RegExp, handler: Handler): this;
    use(handler: Handler): this;
    disable(setting: string): this;
  }

  export default function express(): Express;
}
