import type { Attributes, UserInfo } from '@orch/auth';
import { errors, type Names } from '@orch/machinery';
import type { Query } from '@orch/request';
import type { Asker } from '../answer/asker.ts';

/**
 * The operation of a question about access: of the client, or with `user` (and `userGroup`, repeated) of another user,
 * for which the client needs the permission for SubjectAccessReviews.
 */
export async function accessQuestion(query: Query, asker: Asker, names: Names): Promise<Attributes> {
  const user = await userOf(query, asker, names);
  const text = (name: string): string => query.get(name) ?? '';
  const verb = text('verb');
  if (verb === '') throw errors.badRequest('the parameter verb is required, such as verb=get');
  const path = text('path');
  if (path !== '') return { user, isResource: false, verb, path };
  const resource = text('resource');
  if (resource === '')
    throw errors.badRequest('the parameter resource or path is required, such as resource=pods');
  const namespace = text('namespace');
  return {
    ...{ user, isResource: true, verb, resource, namespace, version: '*' },
    ...{ group: text('group'), subresource: text('subresource'), name: text('name') },
  };
}

async function userOf(query: Query, asker: Asker, names: Names): Promise<UserInfo> {
  const name = query.get('user');
  if (name === undefined) return asker.user;
  const group = names.group('authorization');
  await asker.check({ verb: 'create', group, resource: 'subjectaccessreviews', namespace: '', name: '' });
  return { name, uid: '', groups: query.all('userGroup'), extra: {} };
}
