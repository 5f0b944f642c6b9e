import type { Handler, Stage } from './types.ts';

/**
 * Puts a stage before a handler. Stages are composed from the end, once, when the server is created: a request then costs
 * one call per stage. The types admit only a handler that needs what the stage provides.
 */
export const before =
  <In, Out extends In>(stage: Stage<In, Out>, next: Handler<Out>): Handler<In> =>
  (context) =>
    stage(context, next);
