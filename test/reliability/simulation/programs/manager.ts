import {
  type ControllerSettings,
  ControllerStates,
  defaultElection,
  ElectionState,
  runManager,
} from '@orch/controller-manager';
import type { Names } from '@orch/machinery';
import type { Program } from '../world/process.ts';

/** The controller manager of the project. */
export const managerProgram =
  (names: Names, settings: ControllerSettings): Program =>
  async ({ env, identity, transport }, signal) => {
    await runManager(
      {
        env,
        controllers: settings,
        election: defaultElection(names),
        transport,
        transportOf: () => transport,
        version: '0',
        host: identity,
        states: new ControllerStates(settings.selected.map(({ name }) => name)),
        electionState: new ElectionState(),
        whenLost: 'exit',
      },
      signal,
    );
  };
