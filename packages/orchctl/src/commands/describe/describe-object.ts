import { type DiscoveredResource, typed } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import type { Io } from '../../io.ts';
import type { Session } from '../../session/session.ts';
import { type DescribeContext, noEvents } from './describer.ts';
import { describeEvents, readEvents, subjectOf } from './events.ts';
import { describeFields } from './generic.ts';
import { describerFor } from './registry.ts';
import { Description } from './text/description.ts';

/** Options of descriptions. */
export interface DescribeSettings {
  readonly session: Session;
  readonly io: Pick<Io, 'env'>;
  readonly signal: AbortSignal;
  readonly showEvents: boolean;
  readonly chunkSize: number;
}

/** An object on the server. */
export interface DescribedName {
  readonly resource: DiscoveredResource;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** The text that describes an object. Rejects with an ApiError when it cannot be read. */
export async function describeObject(
  { resource, namespace, name }: DescribedName,
  { session, io, signal, showEvents, chunkSize }: DescribeSettings,
): Promise<string> {
  const { client, names, resources } = session;
  const found = describerFor(resource, (await resources.all()).all, names);
  const object = await client.resource(found?.resource ?? resource, namespace).get(name, {}, signal);
  const context: DescribeContext = {
    ...{ client, names, chunkSize, signal },
    typed: typed(client, namespace),
    nowMs: io.env.clock.now(),
  };
  const out = new Description();
  if (found === undefined) describeFields(out, object, context);
  else await found.describer.describe(out, object, context);
  const subjects = found?.describer.events ?? ((one: ApiObject) => [subjectOf(one)]);
  if (showEvents && subjects !== noEvents)
    describeEvents(out, await readEvents(subjects(object), context), context.nowMs);
  return out.toString();
}
