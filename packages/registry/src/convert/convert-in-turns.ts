import type { ApiObject } from '@orch/machinery';
import type { Turns } from '@orch/machinery/concurrency';
import { hasManyParts } from '@orch/machinery/json';
import type { VersionConverter } from './version-converter.ts';

interface WithTurns {
  readonly turns: Turns;
}

/** Converts an object of the hub version; in turns when it is large and a lens converts it. */
export const fromHubInTurns = (
  { turns }: WithTurns,
  converter: VersionConverter,
  hub: ApiObject,
): ApiObject | Promise<ApiObject> =>
  converter.inPieces !== undefined && hasManyParts(hub)
    ? turns.run(converter.inPieces.fromHub(hub))
    : converter.fromHub(hub);

/** Converts an object, which is consumed, to the hub version; in turns when it is large and a lens converts it. */
export const toHubInTurns = (
  { turns }: WithTurns,
  converter: VersionConverter,
  object: ApiObject,
): ApiObject | Promise<ApiObject> =>
  converter.inPieces !== undefined && hasManyParts(object)
    ? turns.run(converter.inPieces.toHub(object))
    : converter.toHub(object);
