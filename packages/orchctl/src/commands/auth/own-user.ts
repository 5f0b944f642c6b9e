import { X509Certificate } from 'node:crypto';
import type { ApiObject } from '@orch/machinery';
import { type JsonObject, objectAt } from '@orch/machinery/json';
import { CommandError } from '../../command-error.ts';
import { createReview } from '../../session/create-review.ts';
import type { Session } from '../../session/session.ts';

/**
 * The user as the server sees it, from a SelfSubjectReview. On servers without that API a TokenReview (which requires
 * the permission for it) or the subject of the client certificate is used, read as servers read it.
 */
export async function ownUser(session: Session, signal: AbortSignal): Promise<ApiObject> {
  const { all } = await session.resources.all();
  if (all.some(({ kind }) => kind === 'SelfSubjectReview'))
    return createReview(session, { group: 'authentication', kind: 'SelfSubjectReview' }, signal);
  return {
    apiVersion: session.names.apiVersion('authentication', 'v1'),
    kind: 'SelfSubjectReview',
    metadata: {},
    status: { userInfo: await credentialUser(session, signal) },
  };
}

async function credentialUser(session: Session, signal: AbortSignal): Promise<JsonObject> {
  const { headers, tls } = await session.settings.credentials.current(signal);
  const impersonated = headers['impersonate-user'];
  if (impersonated !== undefined)
    throw new CommandError(
      'the server has no API for the user of a request, so that impersonation cannot be shown',
    );
  const token = /^Bearer (.+)$/.exec(String(headers['authorization'] ?? ''))?.[1];
  if (token !== undefined) {
    const review = { group: 'authentication', kind: 'TokenReview', spec: { token } } as const;
    return objectAt(await createReview(session, review, signal), 'status', 'user');
  }
  if (tls !== undefined) return certificateUser(String(tls.cert));
  throw new CommandError(
    'the server has no API for the user of a request, and there are no credentials to read',
  );
}

/** The user name is the common name, and groups are the organizations. */
function certificateUser(pem: string): JsonObject {
  const lines = new X509Certificate(pem).subject.split('\n');
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
  return { username: valuesOf('CN')[0] ?? '', groups: [...valuesOf('O'), 'system:authenticated'] };
}
