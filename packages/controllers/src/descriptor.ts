import type { Controller, ControllerContext } from '@orch/client';
import type { ControllerOptions } from './options.ts';

/** Work without a queue. Resolves when the signal aborts. */
export interface Background {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

/** A part of a controller that runs on its own. */
export type Work = Controller<string> | Background;

/** A controller for the manager. Building it starts nothing and sends no request; its work is never empty. */
export interface ControllerDescriptor {
  /** As in `--controllers`: `garbagecollector`. */
  readonly name: string;
  /**
   * The service account of the system namespace that it uses, whose default role is `system:controller:<serviceAccount>`:
   * `generic-garbage-collector`. Absent: it uses the identity of the manager.
   */
  readonly serviceAccount?: string;
  /** The component that its events name, if that is not the service account. */
  readonly component?: string;
  /** Whether `--controllers=*` includes it. */
  readonly onByDefault: boolean;
  /**
   * Its work in this context, whose client has the identity of the controller. A string is the reason why these options
   * disable the controller, such as a missing key; the manager logs it.
   */
  build(
    context: ControllerContext,
    options: ControllerOptions,
  ): readonly Work[] | string | Promise<readonly Work[] | string>;
}
