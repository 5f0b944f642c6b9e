import { useRef } from 'preact/hooks';
import type { ObjectPlace } from '../api/objects.ts';
import { readFields } from '../api/open-api.ts';
import type { PageSession } from '../api/session.ts';
import type { ReadSchema } from '../edit/schema-hints.ts';
import { useStop } from './use-stop.ts';

/** Reads the schema of a kind when it is needed first; undefined without one. */
export function useSchema(
  connection: PageSession['connection'],
  resource: ObjectPlace['resource'],
): ReadSchema {
  const stop = useStop();
  const schema = useRef<ReturnType<ReadSchema>>(undefined);
  return () => {
    schema.current ??= readFields(connection, resource, stop).catch(() => {
      // The next question tries again.
      schema.current = undefined;
      return undefined;
    });
    return schema.current;
  };
}
