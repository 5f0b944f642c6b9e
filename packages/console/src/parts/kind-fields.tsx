import { useState } from 'preact/hooks';
import type { ObjectPlace } from '../api/objects.ts';
import { readFields } from '../api/open-api.ts';
import type { PageSession } from '../api/session.ts';
import { Failure } from './notice.tsx';
import { SchemaTree } from './schema-tree.tsx';
import { useAnswer } from './use-answer.ts';

export interface KindFieldsProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
}

/** The documentation of the fields of a kind, read when the user asks for it. */
export function KindFields(props: KindFieldsProps) {
  const [isAskedFor, setAskedFor] = useState(false);
  return isAskedFor ? (
    <Fields {...props} />
  ) : (
    <button type="button" onClick={() => setAskedFor(true)}>
      Explain the fields
    </button>
  );
}

function Fields({ session: { connection }, place: { resource } }: KindFieldsProps) {
  const { group, version, kind } = resource;
  const answer = useAnswer(`${group} ${version} ${kind}`, (signal) =>
    readFields(connection, resource, signal),
  );
  if (answer.kind === 'waiting') return <p role="status">The documentation is read.</p>;
  if (answer.kind === 'failed') return <Failure problem={answer.problem} />;
  return answer.value === undefined ? (
    <p>This server does not document this kind.</p>
  ) : (
    <SchemaTree title={`Fields of ${kind}`} schema={answer.value} />
  );
}
