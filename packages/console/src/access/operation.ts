import type { Question } from '../api/why.ts';
import type { Operation } from './who-can.ts';

/** The operation of a question, whose `resource` is `pods`, `deployments.apps` or `pods/log`; undefined for an incomplete one. */
export function operationOf(question: Question): Operation | undefined {
  const { verb = '', resource: word = '', namespace = '', name = '' } = question;
  if (verb === '' || word === '' || word.startsWith('/')) return undefined;
  const [type = '', subresource = ''] = word.split('/', 2);
  const [resource = '', ...group] = type.split('.');
  return { verb, group: group.join('.'), resource, subresource, namespace, name };
}

/** The parameters with which the server is asked. A resource that begins with a slash is a path. */
export function questionOf(question: Question): Question {
  const { verb = '', resource: word = '', user = '' } = question;
  if (word.startsWith('/')) return { verb, path: word, user };
  return { ...operationOf(question), user };
}
