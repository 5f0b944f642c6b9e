import type { Controller, ControllerContext } from '@orch/client';
import type { ControllerOptions } from './options.ts';

/** Work that no queue drives: a sweep from time to time, a graph that is built. Resolves when the signal aborts. */
export interface Background {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

/** What runs of a controller. */
export type Work = Controller<string> | Background;

/** A controller as the manager knows it. Building one starts nothing and sends no request; its work is never empty. */
export interface ControllerDescriptor {
  /** As in `--controllers`: `garbagecollector`. */
  readonly name: string;
  /**
   * The service account of the system namespace under which it works, and whose default role is
   * `system:controller:<serviceAccount>`: `generic-garbage-collector`. Absent: always under the manager's own identity.
   */
  readonly serviceAccount?: string;
  /** Whether `--controllers=*` means it too. */
  readonly onByDefault: boolean;
  /**
   * Its work, in this context (whose client has the controller's identity). A text instead is why there is none with
   * these options, such as a key that was not given; the manager logs it and goes on without.
   */
  build(
    context: ControllerContext,
    options: ControllerOptions,
  ): readonly Work[] | string | Promise<readonly Work[] | string>;
}
