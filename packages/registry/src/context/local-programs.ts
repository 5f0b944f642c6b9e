/** Health of a program that runs in this process. */
export interface LocalHealth {
  readonly healthy: boolean;
  /** `ok`, or the reason why the program is not healthy. */
  readonly text: string;
}

/** Programs that run in this process and hold no Lease from which their health could be derived. */
export interface LocalPrograms {
  /** Absent, or undefined, when the Lease of the controller manager shows its health. */
  controllerManager?(): LocalHealth | undefined | Promise<LocalHealth | undefined>;
}
